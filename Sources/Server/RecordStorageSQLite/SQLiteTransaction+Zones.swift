import RecordServer
import SQLiteDriver

extension SQLiteTransaction {
  private static let columns =
    "scope, owner, name, epoch, sequence, floor, database_sequence, is_deleted, number"
  private static let lookup =
    "SELECT \(columns) FROM zone WHERE scope = ?1 AND owner = ?2 AND name = ?3"

  func epoch() throws -> UInt64 {
    let statement = try connection.statement("SELECT value FROM storage_fact WHERE name = 'epoch'")
    defer { statement.reset() }
    return try statement.step() ? UInt64(bitPattern: statement.integer(0)) : 0
  }

  func zone(_ key: ZoneKey) throws -> ZoneRow? { try found(key)?.row }

  /// A zone with its number in the table.
  func found(_ key: ZoneKey) throws -> NumberedZone? {
    if let known = memory?.zone(key) { return known }
    let zone = try readZone(key)
    if let zone { memory?.keep(zone) }
    return zone
  }

  private func readZone(_ key: ZoneKey) throws -> NumberedZone? {
    let statement = try connection.statement(Self.lookup)
    defer { statement.reset() }
    statement.bind(1, key.database.scope.rawValue)
    statement.bind(2, key.database.owner)
    statement.bind(3, key.name)
    return try statement.step() ? NumberedZone(statement) : nil
  }

  /// A zone that is there, with its number.
  func live(_ key: ZoneKey) throws -> NumberedZone {
    guard let zone = try found(key), !zone.row.isDeleted else { throw StorageFailure.noZone(key) }
    return zone
  }

  func zones(of database: DatabaseKey, after sequence: UInt64, limit: Int) throws -> [ZoneRow] {
    let statement = try connection.statement(
      """
      SELECT \(Self.columns) FROM zone WHERE scope = ?1 AND owner = ?2 AND database_sequence > ?3 \
      ORDER BY database_sequence LIMIT ?4
      """)
    defer { statement.reset() }
    statement.bind(1, database.scope.rawValue)
    statement.bind(2, database.owner)
    statement.bind(3, Int64(clamping: sequence))
    statement.bind(4, Int64(max(0, limit)))
    var rows: [ZoneRow] = []
    while try statement.step() { rows.append(NumberedZone(statement).row) }
    return rows
  }

  func databaseSequence(_ database: DatabaseKey) throws -> UInt64 {
    let statement = try connection.statement(
      "SELECT sequence FROM database WHERE scope = ?1 AND owner = ?2")
    defer { statement.reset() }
    statement.bind(1, database.scope.rawValue)
    statement.bind(2, database.owner)
    return try statement.step() ? UInt64(clamping: statement.integer(0)) : 0
  }

  func createZone(_ key: ZoneKey, epoch: UInt64) throws -> ZoneRow {
    try checkWriting()
    let old = try found(key)
    let bytes = try old.map { try fieldBytes(inZone: $0.number) } ?? 0
    let row = ZoneRow(key, epoch: epoch, databaseSequence: try nextNumber(key, growth: -bytes))
    if let old { try dropRecords(old.number) }
    try write(row)
    return row
  }

  func deleteZone(_ key: ZoneKey) throws {
    try checkWriting()
    var zone = try live(key)
    let bytes = try fieldBytes(inZone: zone.number)
    try dropRecords(zone.number)
    zone.row.databaseSequence = try nextNumber(key, growth: -bytes)
    zone.row.isDeleted = true
    zone.row.sequence = 0
    zone.row.floor = 0
    try write(zone.row)
  }

  func deleteAllZones() throws {
    let statement = try connection.statement(
      "SELECT \(Self.columns) FROM zone WHERE NOT is_deleted ORDER BY scope, owner, database_sequence"
    )
    defer { statement.reset() }
    var keys: [ZoneKey] = []
    while try statement.step() { keys.append(NumberedZone(statement).row.key) }
    statement.reset()
    for key in keys { try deleteZone(key) }
  }

  private func fieldBytes(inZone zone: Int64) throws -> Int64 {
    let statement = try connection.statement(
      "SELECT ifnull(sum(length(fields)), 0) FROM record WHERE zone = ?1")
    defer { statement.reset() }
    statement.bind(1, zone)
    return try statement.step() ? statement.integer(0) : 0
  }

  func bytesUsed(by database: DatabaseKey) throws -> Int64 {
    let statement = try connection.statement(
      "SELECT bytes FROM database WHERE scope = ?1 AND owner = ?2")
    defer { statement.reset() }
    statement.bind(1, database.scope.rawValue)
    statement.bind(2, database.owner)
    return try statement.step() ? statement.integer(0) : 0
  }

  func tombstones(madeBefore moment: Int64) throws -> [ZoneKey: UInt64] {
    let statement = try connection.statement(
      """
      SELECT z.scope, z.owner, z.name, max(r.sequence) FROM record AS r \
      JOIN zone AS z ON z.number = r.zone WHERE r.is_deleted AND r.modified_time < ?1 GROUP BY r.zone
      """)
    defer { statement.reset() }
    statement.bind(1, moment)
    var found: [ZoneKey: UInt64] = [:]
    while try statement.step() {
      guard let scope = DatabaseKey.Scope(rawValue: statement.text(0)) else { continue }
      let database = DatabaseKey(scope, owner: statement.text(1))
      found[ZoneKey(database, statement.text(2))] = UInt64(clamping: statement.integer(3))
    }
    return found
  }

  func dropTombstones(of key: ZoneKey, upTo sequence: UInt64) throws {
    try checkWriting()
    var zone = try live(key)
    guard sequence > zone.row.floor else { return }
    zone.row.floor = min(sequence, zone.row.sequence)
    let statement = try connection.statement(
      "DELETE FROM record WHERE zone = ?1 AND is_deleted AND sequence <= ?2")
    statement.bind(1, zone.number)
    statement.bind(2, Int64(clamping: sequence))
    try statement.run()
    try write(zone.row)
  }

  private func dropRecords(_ zone: Int64) throws {
    try dropEntries(ofZone: zone)
    for sql in [
      "DELETE FROM reference WHERE source IN (SELECT number FROM record WHERE zone = ?1)",
      "DELETE FROM record WHERE zone = ?1", "DELETE FROM zone_digest WHERE zone = ?1",
    ] {
      let statement = try connection.statement(sql)
      statement.bind(1, zone)
      try statement.run()
    }
  }

  func write(_ row: ZoneRow) throws {
    let statement = try connection.statement(
      """
      INSERT INTO zone (scope, owner, name, epoch, sequence, floor, database_sequence, is_deleted) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET epoch = ?4, sequence = ?5, \
      floor = ?6, database_sequence = ?7, is_deleted = ?8
      """)
    statement.bind(1, row.key.database.scope.rawValue)
    statement.bind(2, row.key.database.owner)
    statement.bind(3, row.key.name)
    statement.bind(4, Int64(bitPattern: row.epoch))
    statement.bind(5, Int64(clamping: row.sequence))
    statement.bind(6, Int64(clamping: row.floor))
    statement.bind(7, Int64(clamping: row.databaseSequence))
    statement.bind(8, Int64(row.isDeleted ? 1 : 0))
    try statement.run()
  }

  /// Counts a change of a zone among those of its database, and the bytes that its records grow by.
  func nextNumber(_ key: ZoneKey, growth: Int64 = 0) throws -> UInt64 {
    let next = try Self.following(try databaseSequence(key.database), key)
    let statement = try connection.statement(
      """
      INSERT INTO database (scope, owner, sequence, bytes) VALUES (?1, ?2, ?3, ?4) \
      ON CONFLICT DO UPDATE SET sequence = ?3, bytes = bytes + ?4
      """)
    statement.bind(4, growth)
    statement.bind(1, key.database.scope.rawValue)
    statement.bind(2, key.database.owner)
    statement.bind(3, Int64(clamping: next))
    try statement.run()
    return next
  }

  /// The number after another: SQLite has 63 bits for it.
  static func following(_ number: UInt64, _ key: ZoneKey) throws -> UInt64 {
    guard number < UInt64(Int64.max) else { throw StorageFailure.numbersExhausted(key) }
    return number + 1
  }
}

/// A zone, and its number in the table.
struct NumberedZone {
  var row: ZoneRow
  let number: Int64

  init(_ statement: Statement) {
    // A damaged file may name a scope that there is not: such a zone is nobody's.
    let scope = DatabaseKey.Scope(rawValue: statement.text(0)) ?? .user
    row = ZoneRow(
      ZoneKey(DatabaseKey(scope, owner: statement.text(1)), statement.text(2)),
      epoch: UInt64(bitPattern: statement.integer(3)),
      databaseSequence: UInt64(clamping: statement.integer(6)))
    row.sequence = UInt64(clamping: statement.integer(4))
    row.floor = UInt64(clamping: statement.integer(5))
    row.isDeleted = statement.integer(7) != 0
    number = statement.integer(8)
  }
}
