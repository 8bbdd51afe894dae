import DataModel
internal import FoundationEssentials
public import SQLiteDriver

/// The one way to change a store: writes rows and records each change in history, all in one SQLite
/// transaction.
///
/// Saves, batches, migrations and imports all write through it, so that history never lacks a change.
/// It belongs to the thread that holds the store's writer.
public final class WriteTransaction {
  /// The connection that writes.
  public let connection: Connection
  /// Where things are.
  public let layout: StoreLayout
  let log: HistoryLog
  private let sql: [EntitySQL]
  private let statements: WriterStatements
  private var keys: [String: TableKeys] = [:]
  /// Deleted objects that may have been in pairs.
  private var deletedEnds: [(entity: EntityLayout, key: Int64)] = []
  /// The entity that was inserted last, with its statement.
  private var lastInsert: (entity: EntityLayout, statement: Statement)?

  /// What this transaction does to the keys of a table.
  private struct TableKeys {
    /// The key that is given next; nil while none was given.
    var next: Int64?
    /// The greatest key that was deleted; 0 for none.
    var greatestDeleted: Int64 = 0
  }

  init(
    _ connection: Connection, _ layout: StoreLayout, _ sql: [EntitySQL],
    _ statements: WriterStatements, log: HistoryLog
  ) {
    self.connection = connection
    self.layout = layout
    self.sql = sql
    self.statements = statements
    self.log = log
  }

  /// The greatest key after which others are given: far beyond what counting reaches, and far enough
  /// from the end of numbers.
  static let keyMax: Int64 = 1 << 60

  /// The number that this transaction has in history.
  public var number: Int64 { log.number }
}

extension WriteTransaction {
  /// Gives a key to a new object of `entity`; keys are never reused.
  public func newKey(_ entity: EntityLayout) throws(SQLiteError) -> Int64 {
    try newKeys(entity, count: 1)
  }

  /// Gives keys to `count` new objects of `entity`, one after the other; returns the first.
  func newKeys(_ entity: EntityLayout, count: Int) throws(SQLiteError) -> Int64 {
    let first: Int64
    if let next = keys[entity.table]?.next { first = next } else { first = try firstKey(entity) }
    keys[entity.table, default: TableKeys()].next = first + Int64(count)
    return first
  }

  /// The first key that was never given: behind the greatest that the table has, and the greatest that
  /// was deleted.
  ///
  /// So an insert writes no counter, which would be a page more in every small transaction.
  private func firstKey(_ entity: EntityLayout) throws(SQLiteError) -> Int64 {
    let deleted = max(
      try deletedKey(entity.table), keys[entity.table]?.greatestDeleted ?? 0)
    let greatest = max(try greatestKey(entity.table), deleted)
    guard greatest < Self.keyMax else {
      throw SQLiteError(code: .full, message: "no keys are left in the table \(entity.table)")
    }
    return greatest + 1
  }

  private func greatestKey(_ table: String) throws(SQLiteError) -> Int64 {
    let statement = try connection.statement("SELECT ifnull(max(_id), 0) FROM \(quoted(table))")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  private func deletedKey(_ table: String) throws(SQLiteError) -> Int64 {
    let statement = try connection.statement(
      "SELECT greatest_deleted FROM contrail_key WHERE table_name = ?1")
    defer { statement.reset() }
    statement.bind(1, table)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Inserts an object with the key that it was given.
  @inline(__always)
  func insert(_ entity: EntityLayout, key: Int64, row: Row) throws(SQLiteError) {
    let statement: Statement
    if let last = lastInsert, last.entity === entity {
      statement = last.statement
    } else {
      statement = try statements.insert(entity, sql[entity.index])
      lastInsert = (entity, statement)
    }
    statement.bind(1, key)
    var parameter: Int32 = 2
    for slot in entity.columnSlots {
      row.bind(slot, entity, to: statement, at: parameter)
      parameter += 1
    }
    try statement.run()
    try log.inserted(entity.number, key)
  }

  /// Writes `slots` of an object that has `version` in the store; false when it has not, or is gone.
  func update(
    _ entity: EntityLayout, key: Int64, version: Int64, row: Row, slots: [Int]
  ) throws(SQLiteError) -> Bool {
    let stored = slots.filter { entity.slots[$0].column != nil }
    let statement = try statements.update(entity, stored, sql[entity.index])
    var parameter: Int32 = 1
    for slot in stored {
      row.bind(slot, entity, to: statement, at: parameter)
      parameter += 1
    }
    statement.bind(parameter, version + 1)
    statement.bind(parameter + 1, key)
    statement.bind(parameter + 2, version)
    try statement.run()
    guard connection.changes == 1 else { return false }
    return true
  }

  /// Deletes an object; false when it is gone already.
  func delete(_ entity: EntityLayout, key: Int64) throws(SQLiteError) -> Bool {
    let statement = try statements.delete(entity, sql[entity.index])
    statement.bind(1, key)
    try statement.run()
    let isDone = connection.changes == 1
    noteDeleted(entity.table, key)
    if isDone && !layout.pairEnds[entity.index].isEmpty { deletedEnds.append((entity, key)) }
    return isDone
  }

  /// Notes that a key of a table is free and must not be given again; whoever deletes rows by other
  /// means says so for the greatest key.
  func noteDeleted(_ table: String, _ key: Int64) {
    let known = keys[table]?.greatestDeleted ?? 0
    keys[table, default: TableKeys()].greatestDeleted = max(known, key)
  }

  /// Reads an object's row as it is within this transaction; nil when it is gone.
  func read(_ entity: EntityLayout, key: Int64) throws(SQLiteError) -> StoredRow? {
    let sql = sql[entity.index]
    let statement = try connection.statement(sql.selectOne)
    defer { statement.reset() }
    statement.bind(1, key)
    guard try statement.step() else { return nil }
    let row = Row(entity)
    row.read(entity, from: statement, first: sql.firstColumn)
    return StoredRow(row: row, version: statement.integer(1))
  }

  /// Writes down what is left to write; the caller commits.
  func finish() throws(SQLiteError) {
    try tidyPairs()
    for (table, keys) in keys where keys.greatestDeleted > 0 {
      // What is behind the table's last row would be given again.
      guard try keys.greatestDeleted > greatestKey(table) else { continue }
      let statement = try connection.statement(
        """
        INSERT INTO contrail_key (table_name, greatest_deleted) VALUES (?1, ?2) \
        ON CONFLICT DO UPDATE SET greatest_deleted = max(greatest_deleted, ?2)
        """)
      statement.bind(1, table)
      statement.bind(2, keys.greatestDeleted)
      try statement.run()
    }
    try log.finish()
  }
}

extension WriteTransaction {
  /// Takes deleted objects out of the pairs that they were in, and records that of those who remain.
  private func tidyPairs() throws(SQLiteError) {
    var remaining: [PairPartner: [Int]] = [:]
    var order: [PairPartner] = []
    for (entity, key) in deletedEnds {
      for end in layout.pairEnds[entity.index] {
        for partner in try partners(end, key) where end.farNumber > 0 {
          if remaining[partner] == nil { order.append(partner) }
          remaining[partner, default: []].append(end.farNumber)
        }
        let statement = try connection.statement(
          "DELETE FROM \(quoted(end.table)) WHERE \(end.near) = ?1")
        statement.bind(1, key)
        try statement.run()
      }
    }
    for partner in order {
      var seen: Set<Int> = []
      let numbers = (remaining[partner] ?? []).filter { seen.insert($0).inserted }
      try log.updated(partner.entity, partner.key, numbers)
    }
    deletedEnds = []
  }

  /// An object that was paired with one that is deleted.
  private struct PairPartner: Hashable {
    var entity: Int
    var key: Int64
  }

  private func partners(_ end: PairEnd, _ key: Int64) throws(SQLiteError) -> [PairPartner] {
    let far = layout.entities[end.farEntity]
    let entity = far.sharesTable ? "t.\(SystemColumn.entity)" : "\(far.number)"
    let statement = try connection.statement(
      """
      SELECT p.\(end.far), \(entity) FROM \(quoted(end.table)) AS p \
      JOIN \(quoted(far.table)) AS t ON t._id = p.\(end.far) WHERE p.\(end.near) = ?1
      """)
    defer { statement.reset() }
    statement.bind(1, key)
    var found: [PairPartner] = []
    while try statement.step() {
      found.append(
        PairPartner(entity: Int(clamping: statement.integer(1)), key: statement.integer(0)))
    }
    return found
  }
}

/// A row as the store has it; whoever gets it frees the row or keeps it.
struct StoredRow {
  var row: Row
  var version: Int64
}
