import RecordWire
import SQLiteDriver

/// Changes that are sent together.
struct SendableUnit: Hashable {
  /// The number of its first transaction.
  var number: Int64
  /// How many records it changes, as far as somebody wanted to know.
  var count: Int
}

extension SyncRows {
  /// Units after another one that may be sent at `now`, the oldest first; as many as may be of use for
  /// `limit` records.
  ///
  /// No more changes are looked at than that: a unit may have any number of them, and the last one is not
  /// counted to its end.
  func sendableUnits(
    after unit: Int64 = .min, now: Int64, limit: Int
  ) throws(SQLiteError) -> [SendableUnit] {
    let waiting = try waitingUnits(now)
    let statement = try connection.statement(
      "SELECT unit, count FROM contrail_sync_change WHERE state = 0 AND unit > ?1 ORDER BY unit")
    defer { statement.reset() }
    statement.bind(1, unit)
    var units: [SendableUnit] = []
    var total = 0
    while total <= limit, try statement.step() {
      let number = statement.integer(0)
      if waiting.contains(number) {
        statement.reset()
        statement.bind(1, number)
        continue
      }
      let count = min(Int(clamping: statement.integer(1)), limit + 1)
      if units.last?.number != number { units.append(SendableUnit(number: number, count: 0)) }
      units[units.count - 1].count += count
      total += count
    }
    return units
  }

  /// The units with something that is not to be tried again yet.
  private func waitingUnits(_ now: Int64) throws(SQLiteError) -> Set<Int64> {
    let statement = try connection.statement(
      "SELECT unit FROM contrail_sync_change WHERE state = 0 AND retry > ?1 AND retry > 0")
    defer { statement.reset() }
    statement.bind(1, now)
    var units: Set<Int64> = []
    while try statement.step() { units.insert(statement.integer(0)) }
    return units
  }

  /// The units that pending changes of records are in; the records stand in the order of their numbers.
  func units(of records: [Int64]) throws(SQLiteError) -> Set<Int64> {
    var units: Set<Int64> = []
    var end = Int64.min
    for record in records where record >= end {
      guard let row = try change(of: record, state: .pending) else { continue }
      units.insert(row.unit)
      end = row.record + row.count
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
