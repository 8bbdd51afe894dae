import FoundationEssentials
import SQLiteDriver

/// The numbers of the oldest and the newest transaction that a store has.
struct HistoryBounds: Hashable {
  /// 1 where there is none yet.
  var oldest: Int64
  /// 0 where there is none yet.
  var newest: Int64

  /// The highest number that is believed: no store comes near it, and what is reckoned from it fits.
  static let numberMax = Int64.max / 4

  static func read(_ connection: Connection) throws(SQLiteError) -> HistoryBounds {
    let statement = try connection.statement(
      """
      SELECT (SELECT number FROM contrail_transaction ORDER BY number LIMIT 1), \
      (SELECT number FROM contrail_transaction ORDER BY number DESC LIMIT 1)
      """)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(1) else {
      return HistoryBounds(oldest: 1, newest: 0)
    }
    let bounds = HistoryBounds(oldest: statement.integer(0), newest: statement.integer(1))
    guard bounds.oldest >= 1, bounds.newest <= numberMax else {
      throw .damagedHistory("transactions \(bounds.oldest) to \(bounds.newest)")
    }
    return bounds
  }

  /// Throws for a token that history cannot be read after.
  func check(_ token: HistoryToken, _ store: Store) throws(StoreError) {
    try checkStore(token, store)
    if token.transaction + 1 < oldest {
      throw StoreError(
        .historyExpired, token.description,
        "history up to transaction \(oldest - 1) was purged; the oldest known transaction is \(oldest)",
        fix: "read all objects again, and go on from the store's present token")
    }
  }

  /// Throws for a token that is no place in this store's history.
  func checkStore(_ token: HistoryToken, _ store: Store) throws(StoreError) {
    if token.store != store.identifier {
      throw StoreError(
        .invalidToken, token.description,
        "is a token of another store; this one is \(store.identifier.uuidString)",
        fix: "use a token that this store gave")
    }
    if token.transaction < 0 || token.transaction > newest {
      throw StoreError(
        .invalidToken, token.description,
        "is ahead of the store, whose newest transaction is \(newest)",
        fix: "the store may have been restored from a backup: read all objects again")
    }
  }
}

extension SQLiteError {
  /// A row of history cannot be what a store wrote.
  static func damagedHistory(_ row: String) -> SQLiteError {
    SQLiteError(code: .corrupt, message: "history has a row that no store writes: \(row)")
  }
}

extension Connection {
  /// Runs `body` so that all that it reads is of one moment.
  func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    if isInTransaction { return try body() }
    return try transaction(.deferred, failingAs: { $0 as any Error }, body)
  }
}
