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
  /// The keys of tables, by the positions of the topmost entities.
  // NB: unchecked here and below, as it is looked up for each object; a transaction has one thread, and
  // nothing here calls out while it changes.
  @exclusivity(unchecked) private var keys: [TableKeys]
  private let cache: WriterCache
  // Copies of the writer's own, since these are looked up for each object.
  @exclusivity(unchecked) private var inserts: [Statement?]
  private var deletes: [Statement?]
  let extras: StoreExtras?
  /// The files that are written; nil where the store keeps no values in files.
  let external: ExternalWrites?
  @exclusivity(unchecked) var texts: TextWatch?
  /// What objects in memory have to know once the transaction is committed.
  let outcome = WriteOutcome()
  /// Deleted objects that may have been in pairs.
  private var deletedEnds: [(entity: EntityLayout, key: Int64)] = []
  /// Objects that imports deleted, by references to them that no index leads to.
  var unlinkedLater: [Referrer: [Int64]] = [:]
  /// Objects that have lost a reference that they must have.
  var emptied: [Referrer: [Int64]] = [:]

  /// What the transaction has to do with one table's keys.
  private struct TableKeys {
    /// What may be given; nil until it is asked for.
    var range: KeyRange?
    /// The first that was given; 0 for none.
    var first: Int64 = 0
  }

  init(
    _ connection: Connection, _ layout: StoreLayout, _ sql: [EntitySQL], log: HistoryLog,
    cache: WriterCache = WriterCache(), extras: StoreExtras? = nil
  ) {
    self.extras = extras
    external = extras?.externalWrites()
    texts = extras.map { TextWatch(unnormalized: $0.texts.unnormalized) }
    self.connection = connection
    self.layout = layout
    self.sql = sql
    self.log = log
    self.cache = cache
    cache.makeRoom(layout.entities.count)
    keys = Array(repeating: TableKeys(), count: layout.entities.count)
    inserts = cache.inserts
    deletes = cache.deletes
  }

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
    let count = Int64(count)
    var range: KeyRange
    if let known = keys[entity.root].range {
      range = known
    } else {
      range = try cache.keys(of: entity.table, connection)
    }
    if !range.holds(count) {
      range = range.extended(from: try cache.nextFreeKey(of: entity.table, connection))
    }
    let first = range.next
    if keys[entity.root].first == 0 { keys[entity.root].first = first }
    range.next += count
    keys[entity.root].range = range
    return first
  }

  /// Takes back keys that `newKeys` gave last and that no object has got.
  func returnKeys(_ entity: EntityLayout, from first: Int64, to end: Int64) {
    guard first < end, keys[entity.root].range?.next == end else { return }
    keys[entity.root].range?.next = first
  }

  /// Inserts an object with the key that it was given.
  @inline(__always)
  func insert(_ entity: EntityLayout, key: Int64, row: Row) throws {
    let statement: Statement
    if let known = inserts[entity.index] {
      statement = known
    } else {
      statement = try insertStatement(entity)
    }
    statement.bind(1, key)
    var parameter: Int32 = 2
    for slot in entity.columnSlots {
      row.bind(slot, entity, to: statement, at: parameter)
      parameter += 1
    }
    if let fresh = texts?.check(entity, row), !fresh.isEmpty { try record(fresh) }
    if !entity.externalSlots.isEmpty, let external {
      try external.bind(entity, key: key, row: row, slots: entity.externalSlots, to: statement) {
        entity.slots[$0].columnIndex.map { $0 + 2 }
      }
    }
    try statement.run()
    try log.inserted(entity.number, key)
  }

  private func insertStatement(_ entity: EntityLayout) throws(SQLiteError) -> Statement {
    let statement = try connection.prepare(sql[entity.index].insert)
    inserts[entity.index] = statement
    cache.inserts[entity.index] = statement
    return statement
  }

  /// Writes `slots` of an object that has `version` in the store; false when it has not, or is gone.
  func update(
    _ entity: EntityLayout, key: Int64, version: Int64, row: Row, slots: [Int]
  ) throws -> Bool {
    let stored = slots.filter { entity.slots[$0].column != nil }
    let statement = try updateStatement(entity, stored)
    var parameter: Int32 = 1
    for slot in stored {
      row.bind(slot, entity, to: statement, at: parameter)
      parameter += 1
    }
    if let fresh = texts?.check(entity, row), !fresh.isEmpty { try record(fresh) }
    if !entity.externalSlots.isEmpty, let external {
      let large = stored.filter(entity.externalSlots.contains)
      try external.bind(entity, key: key, row: row, slots: large, to: statement) { slot in
        stored.firstIndex(of: slot).map { Int32($0 + 1) }
      }
    }
    statement.bind(parameter, version &+ 1)
    statement.bind(parameter + 1, key)
    statement.bind(parameter + 2, version)
    try statement.run()
    guard connection.changes == 1 else { return false }
    return true
  }

  private func updateStatement(_ entity: EntityLayout, _ slots: [Int]) throws(SQLiteError)
    -> Statement
  {
    let key = WriterCache.UpdateKey(entity: entity.index, slots: slots)
    if let statement = cache.updates[key] { return statement }
    let statement = try connection.prepare(sql[entity.index].update(slots))
    cache.keep(statement, for: key)
    return statement
  }

  /// Deletes an object; false when it is gone already.
  func delete(_ entity: EntityLayout, key: Int64) throws(SQLiteError) -> Bool {
    let statement: Statement
    if let known = deletes[entity.index] {
      statement = known
    } else {
      statement = try connection.prepare(sql[entity.index].delete)
      deletes[entity.index] = statement
      cache.deletes[entity.index] = statement
    }
    statement.bind(1, key)
    try statement.run()
    let isDone = connection.changes == 1
    if isDone { noteDeleted(entity, key: key) }
    return isDone
  }

  /// Notes an object that may have been in pairs.
  func noteDeleted(_ entity: EntityLayout, key: Int64) {
    if !layout.pairEnds[entity.index].isEmpty { deletedEnds.append((entity, key)) }
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
  func finish() throws {
    try unlinkLater()
    try tidyPairs()
    try finishExtras()
    for root in keys.indices {
      guard let range = keys[root].range, range.isExtended else { continue }
      keys[root].range = try cache.reserve(range, of: layout.entities[root].table, connection)
    }
    try log.finish()
  }
}

extension WriteTransaction {
  /// Computes what is derived, and has the disk take the files.
  private func finishExtras() throws {
    guard let extras else { return }
    for change in try extras.derived.derive(connection, time: log.time).objects {
      let object = change.object
      outcome.derived.append(object)
      guard let entity = layout.entity(number: object.entity) else { continue }
      // A new object is in history as a whole.
      let first = keys[entity.root].first
      if first > 0 && object.key >= first { continue }
      try log.updated(object.entity, object.key, change.properties)
    }
    try extras.cleaning?.stamp(connection, time: log.time)
    try external?.sync()
  }

  /// After the commit, still alone with the connection: hands on what the next transaction would read
  /// again, and what objects in memory have to know.
  ///
  /// Where the transaction `isPart` of another, files wait for that one's end, and for the next opening.
  func didCommit(isPart: Bool) {
    cache.didCommit(connection, next: log.nextCounters)
    for root in keys.indices {
      if let range = keys[root].range { cache.keep(range, of: layout.entities[root].table) }
    }
    guard let extras else { return }
    if !isPart { external?.didCommit() }
    outcome.placed = external?.placed ?? []
    extras.texts.note(texts?.found ?? [])
    // What cannot be cleaned now is at a later commit: the caller's changes are safe already.
    try? extras.cleaning?.clean(connection, now: log.time)
  }

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
