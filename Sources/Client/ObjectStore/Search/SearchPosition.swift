import SQLiteDriver

/// How far the search index has read history, as the store keeps it.
struct SearchPosition: Hashable, Sendable {
  /// The name under which the index is a reader of history.
  static let reader = "contrail.search"

  /// What the index was made for; see `SearchPlan.signature`.
  var signature: String
  /// The number of the last change that is in the index.
  ///
  /// Single objects of a run count.
  var change: Int64
  /// While the index is filled for the first time: the root entity's number and the key that were
  /// reached.
  ///
  /// Nil when it is filled.
  var filling: Filling?

  struct Filling: Hashable, Sendable {
    var entity: Int64
    var key: Int64
  }

  private enum Name {
    static let signature = "search.signature"
    static let change = "search.change"
    static let fillingEntity = "search.filling.entity"
    static let fillingKey = "search.filling.key"
    static let all = [signature, change, fillingEntity, fillingKey]
  }

  /// What the store says; nil when there is no index, or history may have moved on without it.
  static func read(_ connection: Connection) throws(SQLiteError) -> SearchPosition? {
    let statement = try connection.statement(
      """
      SELECT name, value FROM contrail_store WHERE name IN (?1, ?2, ?3, ?4) \
      AND EXISTS (SELECT 1 FROM contrail_reader WHERE name = ?5)
      """)
    for (index, name) in (Name.all + [reader]).enumerated() {
      statement.bind(Int32(index + 1), name)
    }
    var signature: String?
    var numbers: [String: Int64] = [:]
    while try statement.step() {
      if statement.text(0) == Name.signature {
        signature = statement.text(1)
      } else {
        numbers[statement.text(0)] = statement.integer(1)
      }
    }
    statement.reset()
    guard let signature, let change = numbers[Name.change] else { return nil }
    let filling = numbers[Name.fillingEntity].map {
      Filling(entity: $0, key: numbers[Name.fillingKey] ?? 0)
    }
    return SearchPosition(signature: signature, change: change, filling: filling)
  }

  /// Writes the position, in the transaction that writes the index.
  func write(_ connection: Connection, time: Double) throws(SQLiteError) {
    let statement = try connection.statement(
      "INSERT INTO contrail_store (name, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2"
    )
    statement.bind(1, Name.signature)
    statement.bind(2, signature)
    try statement.run()
    var numbers = [(Name.change, change)]
    if let filling {
      numbers += [(Name.fillingEntity, filling.entity), (Name.fillingKey, filling.key)]
    }
    for (name, number) in numbers {
      statement.bind(1, name)
      statement.bind(2, number)
      try statement.run()
    }
    if filling == nil {
      let end = try connection.statement("DELETE FROM contrail_store WHERE name IN (?1, ?2)")
      end.bind(1, Name.fillingEntity)
      end.bind(2, Name.fillingKey)
      try end.run()
    }
    try Self.registerReader(connection, change: change, time: time)
  }

  /// Tells history that it has been read up to a change, so that nothing behind it is purged.
  private static func registerReader(
    _ connection: Connection, change: Int64, time: Double
  ) throws(SQLiteError) {
    // The transaction before the first of which a change is left to be read. The search begins where the
    // reader stood, so that it takes as many steps as there are transactions in a batch.
    let statement = try connection.statement(
      """
      INSERT INTO contrail_reader (name, transaction_number, time) VALUES (?1, \
      ifnull((SELECT number - 1 FROM contrail_transaction WHERE number > \
      ifnull((SELECT transaction_number FROM contrail_reader WHERE name = ?1), 0) \
      AND first_change + change_count - 1 > ?2 ORDER BY number LIMIT 1), \
      (SELECT ifnull(max(number), 0) FROM contrail_transaction)), ?3) \
      ON CONFLICT DO UPDATE SET transaction_number = excluded.transaction_number, \
      time = excluded.time
      """)
    statement.bind(1, reader)
    statement.bind(2, change)
    statement.bind(3, time)
    try statement.run()
  }

  /// Forgets the index.
  static func remove(_ connection: Connection) throws(SQLiteError) {
    let facts = try connection.statement(
      "DELETE FROM contrail_store WHERE name IN (?1, ?2, ?3, ?4)")
    for (index, name) in Name.all.enumerated() { facts.bind(Int32(index + 1), name) }
    try facts.run()
    let readers = try connection.statement("DELETE FROM contrail_reader WHERE name = ?1")
    readers.bind(1, reader)
    try readers.run()
  }

  /// Whether history still has everything that follows.
  ///
  /// It has, unless someone purged it by force.
  func isReachable(_ connection: Connection) throws(SQLiteError) -> Bool {
    let last = try Self.lastChange(connection)
    if last <= change { return last == change }
    let statement = try connection.statement(
      "SELECT number FROM contrail_change ORDER BY number LIMIT 1")
    defer { statement.reset() }
    return try statement.step() && statement.integer(0) <= change + 1
  }

  /// The number of the last change in history.
  static func lastChange(_ connection: Connection) throws(SQLiteError) -> Int64 {
    let statement = try connection.statement(
      """
      SELECT first_change + change_count - 1 FROM contrail_transaction \
      ORDER BY number DESC LIMIT 1
      """)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }
}
