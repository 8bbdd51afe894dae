import RecordWire
import SQLiteDriver
import SyncCore

extension Receiver {
  /// Ends a pass that read everything again: something is done about records that the server did not tell
  /// of.
  ///
  /// That they were deleted is certain only when the history is the one that we knew; a server that was
  /// restored from a backup lacks records that nobody deleted: then the policy counts.
  mutating func endRefetch(_ token: String) throws -> Trouble? {
    guard let pass = zone.refetch else { return nil }
    let absent = try rows.absentRecords(pass: pass, zone: zone.number)
    let isDeleted = ServerHistory(from: try rows.text(.lastToken), to: token) == .same
    guard let policy = recovery ?? (isDeleted ? .deleteLocal : nil) else {
      return absent.isEmpty ? nil : .tokenExpired
    }
    if sabotage.contains(.ignoredAbsence), isDeleted { return nil }
    let isTrusting = sabotage.contains(.trustedAbsence)
    for row in absent { try recover(row, isTrusting ? .deleteLocal : policy) }
    return nil
  }
}
extension SyncRows {
  /// Records that the server had once, and that the refetch `pass` did not meet.
  func absentRecords(pass: Int64, zone: Int64) throws(SQLiteError) -> [RecordRow] {
    let statement = try connection.statement(
      """
      SELECT r.number FROM contrail_sync_record AS r JOIN contrail_sync_base AS b \
      ON b.record = r.number AND b.tag IS NOT NULL WHERE r.zone = ?1 AND r.pass < ?2 ORDER BY r.number
      """)
    var numbers: [Int64] = []
    statement.bind(1, zone)
    statement.bind(2, pass)
    while try statement.step() { numbers.append(statement.integer(0)) }
    statement.reset()
    var found: [RecordRow] = []
    for number in numbers {
      if let row = try record(number: number) { found.append(row) }
    }
    return found
  }
}
