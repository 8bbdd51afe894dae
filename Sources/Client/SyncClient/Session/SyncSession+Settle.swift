import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

extension SyncSession {
  /// How many events are kept.
  static let eventsMax: Int64 = 10_000

  /// Ends a pass: takes in what was done here meanwhile, lets history go that was read, and says whether
  /// there is something to send.
  func settle(_ now: Int64) throws -> Work {
    try endHeldDeletions(now)
    var hasMore = false
    try write { transaction, rows in
      let zone = try self.zone(rows)
      try takeIn(rows, zone, now)
      let isDone = try rows.sendableUnits(now: now, limit: 0).isEmpty
      hasMore = !isDone
      if isDone { try forgetFlights(rows) }
      // The next pass asks again whether what waits has been promoted.
      if try isDone && rows.hasParked() { knowsLacks = false }
      try letHistoryGo(transaction, rows)
      if isDone {
        // Who only sends does not know what the server has.
        if configuration.machine.direction != .push { try rows.set(.lastSuccess, now) }
        if try !rows.waitsForQuotaDecision() { try rows.set(.trouble, nil) }
      }
      try rows.run(
        """
        DELETE FROM contrail_sync_event WHERE number <= \
        (SELECT max(number) FROM contrail_sync_event) - ?1
        """, Self.eventsMax)
    }
    let unified = hasMore ? 0 : try unifyEqualObjects(now)
    if !hasMore && unified == 0 { try endHidings(now) }
    return .done(
      .done(StepFacts(hasMore: hasMore || unified > 0, tally: SyncTally(unified: unified))))
  }

  /// Notes how far history was read.
  private func letHistoryGo(_ transaction: WriteTransaction, _ rows: SyncRows) throws {
    guard let unified = try unifiedHistory(rows) else { return }
    let read = min(try rows.integer(.cursorTransaction) ?? 0, unified)
    try transaction.advanceReader(
      SyncSetup.readerName, to: HistoryToken(store: store.identifier, transaction: read), in: store)
  }

  /// Bodies of requests are needed only as long as something in them may have arrived.
  private func forgetFlights(_ rows: SyncRows) throws {
    let isOpen =
      try rows.integer(
        "SELECT 1 FROM contrail_sync_change WHERE sent & ?1 LIMIT 1", SyncRows.Mark.mayHaveArrived)
      != nil
    if !isOpen { try rows.connection.execute("DELETE FROM contrail_sync_flight") }
  }
}

extension SyncRows {
  /// Whether somebody has to decide about what did not fit into the account's quota.
  fileprivate func waitsForQuotaDecision() throws(SQLiteError) -> Bool {
    guard try text(.trouble) == Trouble.quotaExceeded.rawValue else { return false }
    let statement = try connection.statement(
      "SELECT 1 FROM contrail_sync_change WHERE state = 2 AND code = ?1 LIMIT 1")
    defer { statement.reset() }
    statement.bind(1, ErrorCode.quotaExceeded.rawValue)
    return try statement.step()
  }
}
