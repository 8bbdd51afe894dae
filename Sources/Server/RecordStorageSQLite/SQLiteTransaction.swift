import RecordServer
import RecordWire
import SQLiteDriver

/// A transaction on one connection, which whoever made it has begun and will end.
final class SQLiteTransaction: StorageTransaction {
  let connection: Connection
  /// What is known of the file; nil in a transaction that may write.
  let memory: FileMemory?
  /// Slots of the index that were looked up already; nil for those that are not there.
  var slots: [IndexSlot: Int64?] = [:]
  /// The statement that looks records up, once it was needed: every request does, and finding it among the
  /// others by its text costs a tenth of running it.
  private var lookup: Statement?

  /// Writes on a connection.
  init(writingOn connection: Connection) {
    self.connection = connection
    memory = nil
  }

  /// Reads on a connection, at one moment after the other.
  init(readingOn connection: Connection) {
    self.connection = connection
    memory = FileMemory(connection)
  }

  /// Forgets what may no longer be as it was.
  func meetNewMoment() {
    memory?.meetNewMoment()
    slots = [:]
  }

  func checkWriting() throws {
    if memory != nil { throw StorageFailure.readOnly }
  }
}

// Records.
extension SQLiteTransaction {
  static let recordColumns = """
    name, type, sequence, commit_sequence, created_time, created_user, created_device, modified_time, \
    modified_user, modified_device, fields, parent, is_deleted, has_assets
    """
  /// How many columns those are.
  static let recordColumnCount: Int32 = 14

  // NB: made once. Putting a statement's text together takes as long as finding it among the prepared ones.
  private static let lookupText =
    "SELECT \(recordColumns) FROM record WHERE zone = ?1 AND name = ?2"
  private static let upsert = """
    INSERT INTO record (zone, \(recordColumns)) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) \
    ON CONFLICT (zone, name) DO UPDATE SET type = ?3, sequence = ?4, commit_sequence = ?5, \
    created_time = ?6, created_user = ?7, created_device = ?8, modified_time = ?9, \
    modified_user = ?10, modified_device = ?11, fields = ?12, parent = ?13, is_deleted = ?14, \
    has_assets = ?15
    """

  func records(_ names: [String], in key: ZoneKey) throws -> [RecordRow?] {
    let zone = try live(key)
    let statement = try lookup ?? connection.statement(Self.lookupText)
    lookup = statement
    return try names.map { name in
      defer { statement.reset() }
      statement.bind(1, zone.number)
      statement.bind(2, name)
      return try statement.step() ? RecordRow(statement) : nil
    }
  }

  func areThere(_ names: [String], in key: ZoneKey) throws -> [Bool] {
    let zone = try live(key)
    let statement = try connection.statement(
      "SELECT NOT is_deleted FROM record WHERE zone = ?1 AND name = ?2")
    return try names.map { name in
      defer { statement.reset() }
      statement.bind(1, zone.number)
      statement.bind(2, name)
      return try statement.step() && statement.integer(0) != 0
    }
  }

  func write(_ records: [RecordWrite], in key: ZoneKey) throws -> [RecordRow] {
    try checkWriting()
    var zone = try live(key)
    if records.isEmpty { return [] }
    let growth = records.reduce(into: Int64(0)) { $0 += Int64($1.growth) }
    zone.row.databaseSequence = try nextNumber(key, growth: growth)
    let commit = try Self.following(zone.row.sequence, key)
    var stored: [RecordRow] = []
    stored.reserveCapacity(records.count)
    for record in records {
      zone.row.sequence = try Self.following(zone.row.sequence, key)
      var row = record.row
      row.sequence = zone.row.sequence
      row.commit = commit
      let place = try put(row, zone.number)
      try setReferences(of: place, record.references)
      try addAssets(of: place.number, in: key.database, record.assets)
      let indexed = IndexedRecord(place.number, zone.number, row.name)
      try setEntries(record.entries, of: indexed, isNew: place.isNew)
      stored.append(row)
    }
    try applyToDigest(DigestChange(records), ofZone: zone.number)
    zone.bytes += growth
    try update(zone)
    return stored
  }

  /// Where a record is in the table.
  private struct Place {
    var number: Int64
    /// Whether there was none of its name: then nothing else in the file belongs to it yet.
    var isNew: Bool
  }

  /// Writes a record over the one of its name.
  private func put(_ row: RecordRow, _ zone: Int64) throws -> Place {
    let lastInserted = connection.lastInsertedKey
    let statement = try connection.statement(Self.upsert)
    statement.bind(1, zone)
    statement.bind(2, row.name)
    statement.bind(3, row.type)
    statement.bind(4, Int64(clamping: row.sequence))
    statement.bind(5, Int64(clamping: row.commit))
    statement.bind(row.created, from: 6)
    statement.bind(row.modified, from: 9)
    statement.bind(12, row.fields.json)
    statement.bindText(13, row.parent)
    statement.bind(14, Int64(row.isDeleted ? 1 : 0))
    statement.bind(15, Int64(row.hasAssets ? 1 : 0))
    try statement.run()
    // NB: not by RETURNING, which costs a quarter of the insert. An update leaves the number of the last
    // insert as it was; where that may have been an insert too, the look-up finds the right number.
    let number = connection.lastInsertedKey
    if number != lastInserted { return Place(number: number, isNew: true) }
    return Place(number: try self.number(of: row.name, zone), isNew: false)
  }

  private func number(of name: String, _ zone: Int64) throws -> Int64 {
    let statement = try connection.statement(
      "SELECT number FROM record WHERE zone = ?1 AND name = ?2")
    defer { statement.reset() }
    statement.bind(1, zone)
    statement.bind(2, name)
    return try statement.step() ? statement.integer(0) : 0
  }

  private func setReferences(of place: Place, _ references: [ReferenceRow]) throws {
    if !place.isNew { try clearReferences(of: place.number) }
    for reference in references {
      let statement = try connection.statement(
        """
        INSERT OR IGNORE INTO reference (target_scope, target_owner, target_zone, target_name, source, \
        action) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """)
      statement.bind(target: reference.target)
      statement.bind(5, place.number)
      statement.bind(6, reference.action.rawValue)
      try statement.run()
    }
  }

  private func clearReferences(of source: Int64) throws {
    let statement = try connection.statement("DELETE FROM reference WHERE source = ?1")
    statement.bind(1, source)
    try statement.run()
  }

  func sources(of targets: [RecordKey], limit: Int) throws -> [ReferenceSource] {
    let statement = try connection.statement(
      """
      SELECT z.scope, z.owner, z.name, r.name, f.action FROM reference AS f \
      JOIN record AS r ON r.number = f.source JOIN zone AS z ON z.number = r.zone \
      WHERE f.target_scope = ?1 AND f.target_owner = ?2 AND f.target_zone = ?3 \
      AND f.target_name = ?4 ORDER BY z.name, r.name, f.action
      """)
    defer { statement.reset() }
    var found: [ReferenceSource] = []
    for target in targets {
      statement.reset()
      statement.bind(target: target)
      while found.count < limit, try statement.step() {
        guard let scope = DatabaseKey.Scope(rawValue: statement.text(0)),
          let action = RecordReference.Action(rawValue: statement.text(4))
        else { continue }
        let zone = ZoneKey(DatabaseKey(scope, owner: statement.text(1)), statement.text(2))
        found.append(
          ReferenceSource(RecordKey(zone, statement.text(3)), ReferenceRow(to: target, action)))
      }
    }
    return found
  }

  func changes(
    of key: ZoneKey, after sequence: UInt64, upTo end: UInt64, order: ChangeOrder,
    limit: PageLimit, withTombstones: Bool
  ) throws -> ChangeRows {
    let zone = try live(key)
    // Each half has an index of its own; SQLite merges them.
    let halves = (withTombstones ? ["NOT is_deleted", "is_deleted"] : ["NOT is_deleted"]).map {
      """
      SELECT \(Self.recordColumns) FROM record WHERE zone = ?1 AND sequence > ?2 AND sequence <= ?3 \
      AND \($0)
      """
    }
    let direction = order == .newestFirst ? " DESC" : ""
    let statement = try connection.statement(
      halves.joined(separator: " UNION ALL ") + " ORDER BY sequence\(direction)")
    defer { statement.reset() }
    statement.bind(1, zone.number)
    statement.bind(2, Int64(clamping: sequence))
    statement.bind(3, Int64(clamping: end))
    var found = ChangeRows()
    while found.next == nil, try statement.step() { found.append(RecordRow(statement), limit) }
    return found
  }
}

extension Statement {
  fileprivate func bindText(_ parameter: Int32, _ text: String?) {
    if let text { bind(parameter, text) } else { bindNull(parameter) }
  }

  fileprivate func bind(_ stamp: RecordStamp, from parameter: Int32) {
    bind(parameter, stamp.timestamp)
    bindText(parameter + 1, stamp.userRecordName)
    bindText(parameter + 2, stamp.deviceID)
  }

  fileprivate func bind(target: RecordKey) {
    bind(1, target.zone.database.scope.rawValue)
    bind(2, target.zone.database.owner)
    bind(3, target.zone.name)
    bind(4, target.name)
  }

  fileprivate func textIfAny(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  fileprivate func stamp(from column: Int32) -> RecordStamp {
    RecordStamp(
      timestamp: integer(column), userRecordName: textIfAny(column + 1),
      deviceID: textIfAny(column + 2))
  }
}

extension RecordRow {
  init(_ statement: Statement) {
    self.init(
      name: statement.text(0), type: statement.text(1),
      sequence: UInt64(clamping: statement.integer(2)),
      commit: UInt64(clamping: statement.integer(3)), created: statement.stamp(from: 4),
      modified: statement.stamp(from: 7), fields: FieldBytes(checked: statement.bytes(10)),
      parent: statement.textIfAny(11), isDeleted: statement.integer(12) != 0)
    hasAssets = statement.integer(13) != 0
  }
}
