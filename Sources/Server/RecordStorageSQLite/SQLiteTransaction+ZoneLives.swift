import RecordServer
import RecordWire
import SQLiteDriver

// Zones come and go.
extension SQLiteTransaction {
  func createZone(_ key: ZoneKey, epoch: UInt64) throws -> ZoneRow {
    try checkWriting()
    let old = try found(key)
    var row = ZoneRow(
      key, epoch: epoch, databaseSequence: try nextNumber(key, growth: -(old?.bytes ?? 0)))
    row.follow(old?.row)
    try begin(row, over: old)
    return row
  }

  func deleteZone(_ key: ZoneKey, at moment: Int64) throws {
    try checkWriting()
    let zone = try live(key)
    var row = zone.row
    row.databaseSequence = try nextNumber(key, growth: -zone.bytes)
    row.isDeleted = true
    row.floor = 0
    try begin(row, over: zone, deletedAt: moment)
  }

  func renewEpochs(salt: UInt64) throws {
    for (table, column, rows) in [
      ("zone", "epoch", "1"), ("storage_fact", "value", "name = 'epoch'"),
    ] {
      // SQL has no exclusive or: what either has, without what both have.
      let statement = try connection.statement(
        "UPDATE \(table) SET \(column) = (\(column) | ?1) & ~(\(column) & ?1) WHERE \(rows)")
      statement.bind(1, Int64(bitPattern: HistoryEpoch.change(salt)))
      try statement.run()
    }
    for zone in try allZones() {
      let statement = try connection.statement("UPDATE zone SET sequence = ?2 WHERE number = ?1")
      statement.bind(1, zone.number)
      statement.bind(
        2,
        Int64(clamping: HistoryEpoch.sequence(after: zone.row.sequence, in: zone.row.epoch)))
      try statement.run()
    }
  }

  private func allZones() throws -> [NumberedZone] {
    let statement = try connection.statement("SELECT \(Self.zoneColumns) FROM zone")
    defer { statement.reset() }
    var zones: [NumberedZone] = []
    while try statement.step() { zones.append(NumberedZone(statement)) }
    return zones
  }

  func deleteAllZones(at moment: Int64) throws {
    let statement = try connection.statement(
      """
      SELECT \(Self.zoneColumns) FROM zone WHERE NOT is_deleted \
      ORDER BY scope, owner, database_sequence
      """)
    defer { statement.reset() }
    var keys: [ZoneKey] = []
    while try statement.step() { keys.append(NumberedZone(statement).row.key) }
    statement.reset()
    for key in keys { try deleteZone(key, at: moment) }
  }

  /// Writes a zone that begins or ends, with a number that no record has: those of the one before stay
  /// behind under its number, where nothing finds them.
  private func begin(_ row: ZoneRow, over old: NumberedZone?, deletedAt: Int64 = 0) throws {
    let number = try freshNumber()
    if let old { try leave(old) }
    let statement = try connection.statement(
      """
      INSERT INTO zone (number, scope, owner, name, epoch, sequence, floor, database_sequence, \
      is_deleted, deleted_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """)
    statement.bind(1, number)
    statement.bind(2, row.key.database.scope.rawValue)
    statement.bind(3, row.key.database.owner)
    statement.bind(4, row.key.name)
    statement.bind(5, Int64(bitPattern: row.epoch))
    statement.bind(6, Int64(clamping: row.sequence))
    statement.bind(7, Int64(clamping: row.floor))
    statement.bind(8, Int64(clamping: row.databaseSequence))
    statement.bind(9, Int64(row.isDeleted ? 1 : 0))
    statement.bind(10, deletedAt)
    try statement.run()
  }

  /// A number above those of all zones, and of all that is left of earlier ones.
  private func freshNumber() throws -> Int64 {
    let statement = try connection.statement(
      """
      SELECT 1 + max(ifnull((SELECT max(number) FROM zone), 0), \
      ifnull((SELECT max(number) FROM zone_remains), 0))
      """)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 1
  }

  private func leave(_ zone: NumberedZone) throws {
    var statements = [
      "DELETE FROM zone WHERE number = ?1", "DELETE FROM zone_digest WHERE zone = ?1",
    ]
    // A deleted zone has left its records behind before.
    if !zone.row.isDeleted { statements.append("INSERT INTO zone_remains VALUES (?1)") }
    for sql in statements { try run(sql, zone.number) }
  }

  private func run(_ sql: String, _ number: Int64) throws {
    let statement = try connection.statement(sql)
    statement.bind(1, number)
    try statement.run()
  }

  func dropRemains(limit: Int) throws -> Bool {
    try checkWriting()
    guard let zone = try firstRemains() else { return true }
    let records = try records(ofRemains: zone, limit: max(1, limit))
    for record in records {
      try dropEntries(of: record)
      try run("DELETE FROM reference WHERE source = ?1", record.number)
      try run("DELETE FROM record WHERE number = ?1", record.number)
    }
    if records.count < max(1, limit) {
      try run("DELETE FROM zone_remains WHERE number = ?1", zone)
    }
    return try firstRemains() == nil
  }

  private func firstRemains() throws -> Int64? {
    let statement = try connection.statement("SELECT number FROM zone_remains LIMIT 1")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  private func records(ofRemains zone: Int64, limit: Int) throws -> [IndexedRecord] {
    let statement = try connection.statement(
      "SELECT number, name FROM record WHERE zone = ?1 LIMIT ?2")
    defer { statement.reset() }
    statement.bind(1, zone)
    statement.bind(2, Int64(limit))
    var found: [IndexedRecord] = []
    while try statement.step() {
      found.append(IndexedRecord(statement.integer(0), zone, statement.text(1)))
    }
    return found
  }
}

// Which zones there are.
extension SQLiteTransaction {
  func liveZones(of database: DatabaseKey, limit: Int) throws -> [ZoneRow] {
    // NB: the index of changes would lead through all deleted ones.
    let statement = try connection.statement(
      """
      SELECT \(Self.zoneColumns) FROM zone INDEXED BY zone_live \
      WHERE scope = ?1 AND owner = ?2 AND NOT is_deleted ORDER BY database_sequence LIMIT ?3
      """)
    defer { statement.reset() }
    statement.bind(1, database.scope.rawValue)
    statement.bind(2, database.owner)
    statement.bind(3, Int64(max(0, limit)))
    var rows: [ZoneRow] = []
    while try statement.step() { rows.append(NumberedZone(statement).row) }
    return rows
  }

  func liveZoneCount(of database: DatabaseKey) throws -> Int {
    let statement = try connection.statement(
      """
      SELECT count(*) FROM zone INDEXED BY zone_live \
      WHERE scope = ?1 AND owner = ?2 AND NOT is_deleted
      """)
    defer { statement.reset() }
    statement.bind(1, database.scope.rawValue)
    statement.bind(2, database.owner)
    return try statement.step() ? Int(clamping: statement.integer(0)) : 0
  }

  func databaseFloor(_ database: DatabaseKey) throws -> UInt64 {
    let statement = try connection.statement(
      "SELECT floor FROM database WHERE scope = ?1 AND owner = ?2")
    defer { statement.reset() }
    statement.bind(1, database.scope.rawValue)
    statement.bind(2, database.owner)
    return try statement.step() ? UInt64(clamping: statement.integer(0)) : 0
  }

  func forgetZones(deletedBefore moment: Int64, limit: Int) throws -> Int {
    try checkWriting()
    let statement = try connection.statement(
      """
      SELECT \(Self.zoneColumns) FROM zone INDEXED BY zone_deleted \
      WHERE is_deleted AND deleted_at < ?1 ORDER BY deleted_at LIMIT ?2
      """)
    statement.bind(1, moment)
    statement.bind(2, Int64(max(0, limit)))
    var zones: [NumberedZone] = []
    while try statement.step() { zones.append(NumberedZone(statement)) }
    statement.reset()
    for zone in zones {
      try raiseFloor(of: zone.row.key.database, to: zone.row.databaseSequence)
      try run("DELETE FROM zone WHERE number = ?1", zone.number)
    }
    return zones.count
  }

  private func raiseFloor(of database: DatabaseKey, to sequence: UInt64) throws {
    let statement = try connection.statement(
      "UPDATE database SET floor = max(floor, ?3) WHERE scope = ?1 AND owner = ?2")
    statement.bind(1, database.scope.rawValue)
    statement.bind(2, database.owner)
    statement.bind(3, Int64(clamping: sequence))
    try statement.run()
  }
}
