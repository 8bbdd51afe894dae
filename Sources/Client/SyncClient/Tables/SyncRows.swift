import SQLiteDriver

/// The rows of sync's tables, through one connection: that which writes, within its transaction, or one
/// that reads.
struct SyncRows {
  let connection: Connection
  /// Where changes to the sums of digests are kept until `writeDigests`; nil writes them at once.
  var digests: DigestChanges?
}

/// A fact about a store's sync, by the name that it is kept under.
enum SyncFact: String, CaseIterable {
  /// The version of the tables.
  case version
  /// The number of this installation.
  case device
  /// The last moment of this installation's clock.
  case clock
  /// Up to where history was taken in.
  case cursorTransaction, cursorChange
  /// Where the records are.
  case server, container, environment
  /// The identifier of the store that this one was made of when it was moved to another container.
  case origin
  /// How objects become records.
  case profile
  /// The last token that there was when a refetch began.
  case lastToken
  /// What the refetch under way does about records that the server lacks: a policy.
  case recovery
  /// Who we are to the server.
  case account
  /// Whether one-to-one references were met that are not returned: see `Partners`.
  case unreturned
  /// Whether deletions wait until all was read.
  case heldDeletions
  /// Whether objects wait to be hidden until what was done to them is sent.
  case heldHidings
  /// Up to where history was looked at for objects with the same natural key.
  case unifiedTransaction, unifiedChange
  /// The last shift of keys by a migration that records have followed.
  case moved
  /// What the program knows of records: see `KnownParts`.
  case known
  /// The last refetch.
  case pass
  /// When everything was exchanged last, in milliseconds since 1970.
  case lastSuccess
  /// What a policy has to decide.
  case trouble
  /// What keeps passes from coming to their end: see `SyncObstacle`.
  case obstacle, obstacleReason, obstacleSince
}

extension SyncRows {
  func text(_ fact: SyncFact) throws(SQLiteError) -> String? {
    try read(fact) { $0.isNull(0) ? nil : $0.text(0) } ?? nil
  }

  func integer(_ fact: SyncFact) throws(SQLiteError) -> Int64? {
    try read(fact) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
  }

  func set(_ fact: SyncFact, _ value: String?) throws(SQLiteError) {
    try write(fact) { statement in
      if let value { statement.bind(2, value) } else { statement.bindNull(2) }
    }
  }

  func set(_ fact: SyncFact, _ value: Int64) throws(SQLiteError) {
    try write(fact) { $0.bind(2, value) }
  }

  private func read<Value>(
    _ fact: SyncFact, _ value: (Statement) -> Value
  ) throws(SQLiteError) -> Value? {
    let statement = try connection.statement("SELECT value FROM contrail_sync WHERE name = ?1")
    defer { statement.reset() }
    statement.bind(1, fact.rawValue)
    return try statement.step() ? value(statement) : nil
  }

  private func write(_ fact: SyncFact, _ bind: (Statement) -> Void) throws(SQLiteError) {
    let statement = try connection.statement(
      """
      INSERT INTO contrail_sync (name, value) VALUES (?1, ?2) \
      ON CONFLICT (name) DO UPDATE SET value = ?2
      """)
    statement.bind(1, fact.rawValue)
    bind(statement)
    try statement.run()
  }
}

extension SyncRows {
  /// Runs a statement with whole numbers.
  func run(_ sql: String, _ values: Int64...) throws(SQLiteError) {
    let statement = try connection.statement(sql)
    for (index, value) in values.enumerated() { statement.bind(Int32(index + 1), value) }
    try statement.run()
  }

  /// Whether a table has any row.
  func hasAny(_ table: String) throws(SQLiteError) -> Bool {
    try integer("SELECT 1 FROM \(table) LIMIT 1") != nil
  }

  /// The first column of the first row of a query with whole numbers; nil where there is none.
  func integer(_ sql: String, _ values: Int64...) throws(SQLiteError) -> Int64? {
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    for (index, value) in values.enumerated() { statement.bind(Int32(index + 1), value) }
    return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
  }
}
