import RecordWire
import SQLiteDriver

/// A zone whose records are mirrored.
struct ZoneRow: Hashable {
  var number: Int64
  var identity: ZoneIdentity
  /// Where the next pull begins; nil for the beginning.
  var token: String?
  /// Whether it was ever found, or made.
  var isMade: Bool
  /// The refetch that is under way; nil for none.
  var refetch: Int64?
}

extension SyncRows {
  func zones() throws(SQLiteError) -> [ZoneRow] {
    let statement = try connection.statement(
      "SELECT number, name, owner, token, made, refetch FROM contrail_sync_zone ORDER BY number")
    defer { statement.reset() }
    var zones: [ZoneRow] = []
    while try statement.step() {
      zones.append(
        ZoneRow(
          number: statement.integer(0),
          identity: ZoneIdentity(
            name: statement.text(1), owner: statement.isNull(2) ? nil : statement.text(2)),
          token: statement.isNull(3) ? nil : statement.text(3),
          isMade: statement.integer(4) != 0,
          refetch: statement.isNull(5) ? nil : statement.integer(5)))
    }
    return zones
  }

  func put(_ zone: ZoneRow) throws(SQLiteError) {
    let statement = try connection.statement(
      """
      INSERT OR REPLACE INTO contrail_sync_zone (number, name, owner, token, made, refetch) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    statement.bind(1, zone.number)
    statement.bind(2, zone.identity.name)
    if let owner = zone.identity.owner {
      statement.bind(3, owner)
    } else {
      statement.bindNull(3)
    }
    if let token = zone.token { statement.bind(4, token) } else { statement.bindNull(4) }
    statement.bind(5, zone.isMade ? Int64(1) : Int64(0))
    if let refetch = zone.refetch { statement.bind(6, refetch) } else { statement.bindNull(6) }
    try statement.run()
  }
}
