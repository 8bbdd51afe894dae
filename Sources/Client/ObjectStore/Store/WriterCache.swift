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

  /// Statements by the positions of entities.
  var inserts: [Statement?] = []
  var deletes: [Statement?] = []
  private(set) var updates: [UpdateKey: Statement] = [:]
  private var fixed: [Statement?] = Array(repeating: nil, count: Fixed.allCases.count)

  /// The file's version after the last commit, or when the facts were read.
  private var version: UInt32?
  private var counters: Counters?
  /// The keys of tables that this writer may give, by the last commit.
  private var keys: [String: KeyRange] = [:]
  /// Whether others have committed since the keys were reserved.
  private var hasStranger = false
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

  func makeRoom(_ entities: Int) {
    if inserts.count >= entities { return }
    inserts += Array(repeating: nil, count: entities - inserts.count)
    deletes += Array(repeating: nil, count: entities - deletes.count)
  }

  func keep(_ statement: Statement, for key: UpdateKey) {
    if updates.count >= Self.updatesMax { updates.removeAll() }
    updates[key] = statement
  }
}

extension WriterCache {
  /// The statements that every transaction runs.
  enum Fixed: Int, CaseIterable {
    case lastTransaction, insertChange, insertTransaction, nextKey, setNextKey

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
      case .nextKey: "SELECT next FROM contrail_key WHERE table_name = ?1"
      case .setNextKey:
        """
        INSERT INTO contrail_key (table_name, next) VALUES (?1, ?2) \
        ON CONFLICT DO UPDATE SET next = ?2
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
  ///
  /// Whether there may be such.
  func didBegin(_ connection: Connection) -> Bool {
    let now = connection.fileVersion
    let isOther = now == nil || now != version
    if isOther {
      counters = nil
      names = [:]
      hasStranger = true
    }
    version = now
    newNames = [:]
    return isOther
  }

  /// Notes a commit; from then on the facts that the transaction leaves behind hold.
  func didCommit(_ connection: Connection, next: Counters) {
    version = connection.fileVersion
    counters = next
    if newNames.isEmpty { return }
    if names.count + newNames.count > Self.namesMax { names = [:] }
    names.merge(newNames) { _, new in new }
    newNames = [:]
  }

  /// Forgets all facts but the keys, which stay reserved: something else than a transaction of ours has
  /// changed the store.
  func forgetFacts() {
    counters = nil
    names = [:]
    newNames = [:]
    version = nil
  }

  /// Forgets what the transaction added, which was rolled back.
  func didRollBack(_ error: any Error) {
    counters = nil
    // What was found as the transaction began is to be found again, such as that the schema is another one.
    version = nil
    newNames = [:]
    // A key that is in use was given by another writer of a store that was put back to an older state.
    if let error = error as? SQLiteError, error.code.primary == .constraint { keys = [:] }
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

/// Keys of one table that a writer may give: those that it reserved, or, within a transaction that holds
/// the write lock, all from `next` on.
struct KeyRange {
  var next: Int64
  /// The first key that is not reserved.
  var end: Int64
  /// Whether keys beyond those reserved may be given, and so have to be written down.
  var isExtended = false

  func holds(_ count: Int64) -> Bool { isExtended || end - next >= count }

  /// With all keys that nobody has reserved; those of the old range are lost unless the new ones follow.
  func extended(from free: Int64) -> KeyRange {
    KeyRange(next: free == end ? next : free, end: .max, isExtended: true)
  }
}

// Keys are reserved some at a time, so that most transactions need not write down which is the next: that
// would be one more page of the file in each. What a process has reserved and not used when it ends is
// never given.
extension WriterCache {
  /// How many keys of a table are reserved ahead.
  static let keysAhead: Int64 = 32

  /// The keys that this writer may give without asking.
  func keys(of table: String, _ connection: Connection) throws(SQLiteError) -> KeyRange {
    let none = KeyRange(next: 0, end: 0)
    if hasStranger {
      hasStranger = false
      for (table, range) in keys {
        // Reserved keys stay reserved, unless an older state of the store has been put in its place.
        if try nextFreeKey(of: table, connection) < range.end { keys[table] = nil }
      }
    }
    return keys[table] ?? none
  }

  /// Notes which keys of a table are left, once the transaction that gave some is committed.
  func keep(_ range: KeyRange, of table: String) { keys[table] = range }

  /// The first key that nobody has reserved.
  func nextFreeKey(of table: String, _ connection: Connection) throws(SQLiteError) -> Int64 {
    let statement = try statement(.nextKey, connection)
    defer { statement.reset() }
    statement.bind(1, table)
    guard try statement.step() else { return 1 }
    let next = statement.integer(0)
    guard (1...HistoryBounds.numberMax).contains(next) else {
      throw .damagedHistory("next key \(next) of \(table)")
    }
    return next
  }

  /// Reserves some more keys behind those that were used.
  func reserve(
    _ range: KeyRange, of table: String, _ connection: Connection
  ) throws(SQLiteError) -> KeyRange {
    let end = range.next + Self.keysAhead
    let statement = try statement(.setNextKey, connection)
    statement.bind(1, table)
    statement.bind(2, end)
    try statement.run()
    return KeyRange(next: range.next, end: end)
  }
}
