import FoundationEssentials
import SQLiteDriver

/// What a purge of history dropped.
public struct HistoryPurge: Sendable, Hashable {
  /// How many transactions were dropped.
  public var transactions: Int64 = 0
  /// How many changes they had.
  public var changes: Int64 = 0
  /// The oldest transaction that is kept; 0 where there is none.
  public var oldestKept: Int64 = 0
}

extension Store {
  /// How many transactions are dropped at a time, so that other writers need not wait for all of it.
  static let purgeBatchTransactions: Int64 = 1000

  /// Drops the oldest transactions of history: those that `place` stands behind, or that are older
  /// than a date.
  ///
  /// The newest one is always kept, since the next one's numbers follow from it.
  ///
  /// Nothing is dropped, and `historyUnread` names the readers, when a registered reader has not read
  /// all of it, unless it is forced: then such a reader finds its token expired.
  ///
  /// ```swift
  /// try store.purgeHistory(before: .date(Date() - 90 * 24 * 3600))
  /// ```
  @discardableResult
  public func purgeHistory(
    before place: HistoryRequest.Place, force: Bool = false
  ) throws -> HistoryPurge {
    let last = try read { connection in
      try connection.snapshot { try lastToPurge(place, connection) }
    }
    var purge = HistoryPurge()
    // At least once, so that a reader that has fallen behind is named even where nothing is left.
    repeat {
      let dropped = try write { transaction in
        try self.purge(to: last, force, transaction.connection)
      }
      purge.transactions += dropped.transactions
      purge.changes += dropped.changes
      purge.oldestKept = dropped.oldestKept
      if dropped.transactions == 0 { break }
    } while purge.oldestKept <= last
    return purge
  }

  /// The number of the newest transaction to drop.
  private func lastToPurge(
    _ place: HistoryRequest.Place, _ connection: Connection
  ) throws -> Int64 {
    let bounds = try HistoryBounds.read(connection)
    switch place {
    case .token(let token):
      try bounds.checkStore(token, self)
      return min(token.transaction, bounds.newest - 1)
    case .transaction(let number):
      return min(number == .min ? number : number - 1, bounds.newest - 1)
    case .date(let date):
      // Up to the first that is not older: a clock that was set back must not make a hole.
      let statement = try connection.statement(
        "SELECT number FROM contrail_transaction WHERE time >= ?1 ORDER BY number LIMIT 1")
      defer { statement.reset() }
      statement.bind(1, date.timeIntervalSinceReferenceDate)
      let first = try statement.step() ? statement.integer(0) : bounds.newest
      return min(first, bounds.newest) - 1
    }
  }

  /// Drops a batch of the transactions up to `last`.
  private func purge(to last: Int64, _ force: Bool, _ connection: Connection) throws -> HistoryPurge
  {
    let bounds = try HistoryBounds.read(connection)
    var purge = HistoryPurge(oldestKept: bounds.newest == 0 ? 0 : bounds.oldest)
    guard bounds.oldest <= last else { return purge }
    if !force { try checkReaders(to: last, connection) }
    let end = min(last, bounds.oldest + Self.purgeBatchTransactions - 1)
    let counts = try connection.statement(
      """
      SELECT count(*), ifnull(sum(change_count), 0), ifnull(max(first_change + change_count), 0) \
      FROM contrail_transaction WHERE number <= ?1
      """)
    counts.bind(1, end)
    defer { counts.reset() }
    guard try counts.step() else { return purge }
    purge.transactions = counts.integer(0)
    purge.changes = counts.integer(1)
    let firstKept = counts.integer(2)
    counts.reset()
    for (sql, number) in [
      ("DELETE FROM contrail_change WHERE number < ?1", firstKept),
      ("DELETE FROM contrail_transaction WHERE number <= ?1", end),
    ] {
      let statement = try connection.statement(sql)
      statement.bind(1, number)
      try statement.run()
    }
    purge.oldestKept = try HistoryBounds.read(connection).oldest
    return purge
  }

  /// Throws when a reader has not read all up to `last`.
  private func checkReaders(to last: Int64, _ connection: Connection) throws {
    let statement = try connection.statement(
      "SELECT name, transaction_number FROM contrail_reader WHERE transaction_number < ?1 ORDER BY name"
    )
    defer { statement.reset() }
    statement.bind(1, last)
    var failures: [StoreError] = []
    while try statement.step() {
      failures.append(
        StoreError(
          .historyUnread, "reader \(statement.text(0))",
          "has read up to transaction \(statement.integer(1))"))
    }
    if failures.isEmpty { return }
    throw StoreError(
      .historyUnread, "history up to transaction \(last)",
      "is not purged: \(failures.map(\.subject).joined(separator: ", ")) has not read all of it",
      fix: "let the reader go on, remove it if it is no longer used, or force the purge",
      failures: failures)
  }
}
