import RecordWire
import SQLiteDriver

/// Changes that are sent together.
struct SendableUnit: Hashable {
  /// The number of its first transaction.
  var number: Int64
  /// How many records it changes.
  var count: Int
}

extension SyncRows {
  /// The units that may be sent at `now`, the oldest first; as many as may be of use for `limit` records.
  func sendableUnits(now: Int64, limit: Int) throws(SQLiteError) -> [SendableUnit] {
    let statement = try connection.statement(
      """
      SELECT unit, sum(count), max(retry) FROM contrail_sync_change WHERE state = 0 \
      GROUP BY unit HAVING max(retry) <= ?1 ORDER BY unit LIMIT ?2
      """)
    defer { statement.reset() }
    statement.bind(1, now)
    statement.bind(2, Int64(limit))
    var units: [SendableUnit] = []
    while try statement.step() {
      units.append(
        SendableUnit(number: statement.integer(0), count: Int(clamping: statement.integer(1))))
    }
    return units
  }

  /// Keeps the body of a request that may arrive from now on; returns its number.
  func keepFlight(_ body: [UInt8]) throws(SQLiteError) -> Int64 {
    let number = (try integer("SELECT max(number) FROM contrail_sync_flight") ?? 0) + 1
    let statement = try connection.statement(
      "INSERT INTO contrail_sync_flight (number, body) VALUES (?1, ?2)")
    statement.bind(1, number)
    statement.bind(2, body)
    try statement.run()
    return number
  }

  func deleteFlight(_ number: Int64) throws(SQLiteError) {
    try run("DELETE FROM contrail_sync_flight WHERE number = ?1", number)
  }

  /// Whether there are requests of which nobody knows whether they arrived.
  func hasFlights() throws(SQLiteError) -> Bool {
    try integer("SELECT 1 FROM contrail_sync_flight LIMIT 1") != nil
  }

  /// The bodies of requests of which nobody knows whether they arrived, the oldest first.
  func flights() throws -> [(number: Int64, request: ModifyRequest)] {
    let statement = try connection.statement(
      "SELECT number, body FROM contrail_sync_flight ORDER BY number")
    defer { statement.reset() }
    var flights: [(Int64, ModifyRequest)] = []
    while try statement.step() {
      flights.append(
        (statement.integer(0), try ModifyRequest(json: statement.bytes(1), limits: .response)))
    }
    return flights
  }
}
