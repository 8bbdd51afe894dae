import SQLiteDriver

/// What the writer remembers from one transaction to the next: prepared statements, and facts that it
/// would otherwise read again.
///
/// `@unchecked Sendable`: it is used only behind the lock of the store's writer, as the connection that
/// its statements belong to is. Facts are those of the last commit: they are forgotten when the file's
/// version shows that someone else has committed since, and what a transaction adds to them is kept
/// only once it is committed.
final class WriterCache: @unchecked Sendable {
  /// How many statements for updates are kept, one for each set of columns.
  static let updatesMax = 256
  /// How many names of authors and processes are kept.
  static let namesMax = 1000

  private var inserts: [Int: Statement] = [:]
  private var deletes: [Int: Statement] = [:]
  private var updates: [UpdateKey: Statement] = [:]
  private var fixed: [Statement?] = Array(repeating: nil, count: Fixed.allCases.count)

  /// The file's version after the last commit, or when the facts were read.
  private var version: UInt32?
  private var counters: Counters?
  private var keys: [String: Int64] = [:]
  private var names: [String: Int64] = [:]
  /// Names that the open transaction added.
  private var newNames: [String: Int64] = [:]

  /// The numbers that the next transaction and its first change get.
  struct Counters {
    var transaction: Int64
    var change: Int64
  }

  struct UpdateKey: Hashable {
    var entity: Int
    var slots: [Int]
  }

  func insert(_ entity: EntityLayout, _ sql: EntitySQL, _ connection: Connection)
    throws(SQLiteError) -> Statement
  {
    if let known = inserts[entity.index] { return known }
    let statement = try connection.prepare(sql.insert)
    inserts[entity.index] = statement
    return statement
  }

  func delete(_ entity: EntityLayout, _ sql: EntitySQL, _ connection: Connection)
    throws(SQLiteError) -> Statement
  {
    if let known = deletes[entity.index] { return known }
    let statement = try connection.prepare(sql.delete)
    deletes[entity.index] = statement
    return statement
  }

  func update(
    _ entity: EntityLayout, _ slots: [Int], _ sql: EntitySQL, _ connection: Connection
  ) throws(SQLiteError) -> Statement {
    let key = UpdateKey(entity: entity.index, slots: slots)
    if let known = updates[key] { return known }
    let statement = try connection.prepare(sql.update(slots))
    if updates.count >= Self.updatesMax { updates.removeAll() }
    updates[key] = statement
    return statement
  }
}

extension WriterCache {
  /// The statements that every transaction runs.
  enum Fixed: Int, CaseIterable {
    case lastTransaction, insertChange, insertTransaction

    var sql: String {
      switch self {
      case .lastTransaction:
        """
        SELECT number, first_change + change_count FROM contrail_transaction \
        ORDER BY number DESC LIMIT 1
        """
      case .insertChange:
        """
        INSERT INTO contrail_change (number, kind, entity, key, count, properties, tombstone) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """
      case .insertTransaction:
        """
        INSERT INTO contrail_transaction (number, time, author, process, first_change, change_count) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """
      }
    }
  }

  func statement(_ which: Fixed, _ connection: Connection) throws(SQLiteError) -> Statement {
    if let known = fixed[which.rawValue] { return known }
    let made = try connection.prepare(which.sql)
    fixed[which.rawValue] = made
    return made
  }
}

extension WriterCache {
  /// Notes that a transaction has begun, with the write lock; forgets what others may have changed.
  func didBegin(_ connection: Connection) {
    let now = connection.fileVersion
    if now == nil || now != version {
      counters = nil
      keys = [:]
    }
    version = now
    newNames = [:]
  }

  /// Notes that the transaction is committed: from then on the facts that it leaves behind hold.
  func didCommit(
    _ connection: Connection, next: Counters, nextKeys: [(table: String, key: Int64)]
  ) {
    version = connection.fileVersion
    counters = next
    for next in nextKeys { keys[next.table] = next.key }
    if names.count + newNames.count > Self.namesMax { names = [:] }
    names.merge(newNames) { _, new in new }
    newNames = [:]
  }

  /// Forgets all facts: something else than a transaction of ours has changed the store.
  func forgetFacts() {
    didRollBack()
    names = [:]
    version = nil
  }

  /// Forgets what the transaction added, which was rolled back.
  func didRollBack() {
    counters = nil
    keys = [:]
    newNames = [:]
  }

  /// The numbers that follow those of the last transaction.
  func counters(_ connection: Connection) throws(SQLiteError) -> Counters {
    if let counters { return counters }
    let last = try statement(.lastTransaction, connection)
    defer { last.reset() }
    var found = Counters(transaction: 1, change: 1)
    if try last.step() {
      let (number, change) = (last.integer(0), last.integer(1))
      let believed = 1...HistoryBounds.numberMax
      guard believed.contains(number), believed.contains(change) else {
        throw .damagedHistory("transaction \(number)")
      }
      found = Counters(transaction: number + 1, change: change)
    }
    counters = found
    // Names are never taken out of a store, but another file may have been put in its place.
    if found.transaction == 1 { names = [:] }
    return found
  }

  /// The key that the next new object of a table gets; nil where it has to be looked up.
  func nextKey(_ table: String) -> Int64? { keys[table] }

  /// The number of an author's or a process's name, which is added where it is new.
  func number(ofName text: String, _ connection: Connection) throws(SQLiteError) -> Int64? {
    if let known = names[text] ?? newNames[text] { return known }
    let find = try connection.statement("SELECT number FROM contrail_name WHERE text = ?1")
    find.bind(1, text)
    defer { find.reset() }
    if try find.step() {
      let number = find.integer(0)
      newNames[text] = number
      return number
    }
    let add = try connection.statement(
      "INSERT INTO contrail_name (text) VALUES (?1) RETURNING number")
    add.bind(1, text)
    defer { add.reset() }
    guard try add.step() else { return nil }
    let number = add.integer(0)
    newNames[text] = number
    return number
  }
}
