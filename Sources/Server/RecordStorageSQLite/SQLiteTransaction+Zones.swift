import RecordServer
import SQLiteDriver

extension SQLiteTransaction {
  static let zoneColumns =
    "scope, owner, name, epoch, sequence, floor, database_sequence, is_deleted, number, bytes"
  private static let lookup =
    "SELECT \(zoneColumns) FROM zone WHERE scope = ?1 AND owner = ?2 AND name = ?3"

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
      SELECT \(Self.zoneColumns) FROM zone WHERE scope = ?1 AND owner = ?2 AND database_sequence > ?3 \
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
      """
      DELETE FROM record WHERE zone = ?1 AND is_deleted AND sequence <= ?2 RETURNING length(fields)
      """)
    defer { statement.reset() }
    statement.bind(1, zone.number)
    statement.bind(2, Int64(clamping: sequence))
    var freed: Int64 = 0
    while try statement.step() { freed += statement.integer(0) }
    zone.bytes -= freed
    try grow(key.database, by: -freed)
    try update(zone)
  }

  /// Writes what is new of a zone that is there.
  func update(_ zone: NumberedZone) throws {
    let statement = try connection.statement(
      """
      UPDATE zone SET sequence = ?2, floor = ?3, database_sequence = ?4, bytes = ?5 WHERE number = ?1
      """)
    statement.bind(1, zone.number)
    statement.bind(2, Int64(clamping: zone.row.sequence))
    statement.bind(3, Int64(clamping: zone.row.floor))
    statement.bind(4, Int64(clamping: zone.row.databaseSequence))
    statement.bind(5, zone.bytes)
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

  private func grow(_ database: DatabaseKey, by bytes: Int64) throws {
    let statement = try connection.statement(
      "UPDATE database SET bytes = bytes + ?3 WHERE scope = ?1 AND owner = ?2")
    statement.bind(1, database.scope.rawValue)
    statement.bind(2, database.owner)
    statement.bind(3, bytes)
    try statement.run()
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
  /// How many bytes the fields of its records take.
  var bytes: Int64

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
    bytes = statement.integer(9)
  }
}
