public import FoundationEssentials
package import SQLiteDriver

/// Someone who reads a store's history bit by bit: a sync engine, a search index, another program.
///
/// What a registered reader has not read is not purged.
public struct HistoryReader: Sendable, Hashable {
  /// The reader's name, unique in the store.
  public let name: String
  /// How far it has read.
  public let token: HistoryToken
  /// When it last advanced, or was registered.
  public let time: Date
  /// How many transactions it has not read.
  public let lag: Int64
  /// When the oldest transaction that it has not read was made; nil when it has read all.
  public let oldestUnread: Date?
}

extension Store {
  /// Registers a reader, so that what it has not read is kept; returns where it stands.
  ///
  /// A new reader starts behind `token`, or before the oldest transaction that is kept. One that is
  /// registered already stays where it is.
  @discardableResult
  public func registerReader(_ name: String, at token: HistoryToken? = nil) throws -> HistoryToken {
    try write { try $0.registerReader(name, at: token, in: self) }
  }

  /// Notes down that a reader has read history up to `token`, so that it may be purged up to there.
  public func advanceReader(_ name: String, to token: HistoryToken) throws {
    try write { try $0.advanceReader(name, to: token, in: self) }
  }

  /// Forgets a reader; false when there is none of that name.
  @discardableResult
  public func removeReader(_ name: String) throws -> Bool {
    try write { transaction in
      try transaction.connection.removeReader(name)
      return transaction.connection.changes > 0
    }
  }

  /// The registered readers, by name, and how far behind each is.
  public func readers() throws -> [HistoryReader] {
    try read { connection in
      try connection.snapshot {
        let newest = try HistoryBounds.read(connection).newest
        let statement = try connection.statement(
          """
          SELECT r.name, r.transaction_number, r.time, (SELECT t.time FROM contrail_transaction AS t \
          WHERE t.number > r.transaction_number ORDER BY t.number LIMIT 1) \
          FROM contrail_reader AS r ORDER BY r.name
          """)
        defer { statement.reset() }
        var readers: [HistoryReader] = []
        while try statement.step() {
          let number = statement.integer(1)
          readers.append(
            HistoryReader(
              name: statement.text(0),
              token: HistoryToken(store: identifier, transaction: number),
              time: Date(timeIntervalSinceReferenceDate: statement.double(2)),
              lag: max(0, newest - number),
              oldestUnread: statement.isNull(3)
                ? nil : Date(timeIntervalSinceReferenceDate: statement.double(3))))
        }
        return readers
      }
    }
  }
}

extension WriteTransaction {
  /// Registers a reader as part of this transaction; see `Store.registerReader`.
  @discardableResult
  public func registerReader(
    _ name: String, at token: HistoryToken?, in store: Store
  ) throws -> HistoryToken {
    guard !name.isEmpty else {
      throw StoreError(.outOfRange, "reader", "has no name", fix: "give it a name of its own")
    }
    if let known = try position(ofReader: name) {
      return HistoryToken(store: store.identifier, transaction: known)
    }
    let bounds = try HistoryBounds.read(connection)
    if let token { try bounds.check(token, store) }
    let start =
      token ?? HistoryToken(store: store.identifier, transaction: bounds.oldest - 1)
    let statement = try connection.statement(
      "INSERT INTO contrail_reader (name, transaction_number, time) VALUES (?1, ?2, ?3)")
    statement.bind(1, name)
    statement.bind(2, start.transaction)
    statement.bind(3, store.environment.now().timeIntervalSinceReferenceDate)
    try statement.run()
    return start
  }

  /// Advances a reader as part of this transaction, with what the reader made of what it read; see
  /// `Store.advanceReader`.
  public func advanceReader(_ name: String, to token: HistoryToken, in store: Store) throws {
    try HistoryBounds.read(connection).checkStore(token, store)
    guard let known = try position(ofReader: name) else {
      throw StoreError(
        .missingObject, "reader \(name)", "is not registered with the store's history",
        fix: "register it first")
    }
    guard token.transaction >= known else {
      throw StoreError(
        .invalidToken, token.description, "is behind the place of reader \(name), \(known)",
        fix: "to read history again, remove the reader and register it at that token")
    }
    let statement = try connection.statement(
      "UPDATE contrail_reader SET transaction_number = ?2, time = ?3 WHERE name = ?1")
    statement.bind(1, name)
    statement.bind(2, token.transaction)
    statement.bind(3, store.environment.now().timeIntervalSinceReferenceDate)
    try statement.run()
  }

  private func position(ofReader name: String) throws(SQLiteError) -> Int64? {
    let statement = try connection.statement(
      "SELECT transaction_number FROM contrail_reader WHERE name = ?1")
    defer { statement.reset() }
    statement.bind(1, name)
    return try statement.step() ? statement.integer(0) : nil
  }
}

extension Connection {
  /// Has nobody of that name read history any more.
  package func removeReader(_ name: String) throws(SQLiteError) {
    let statement = try statement("DELETE FROM contrail_reader WHERE name = ?1")
    statement.bind(1, name)
    try statement.run()
  }
}
