import RecordWire
import SyncCore

// Everything is read again: the token was of no use any more, or there never was one.
extension SyncSession {
  func beginRefetch(_ now: Int64) throws -> Work {
    try write { _, rows in
      try rows.log(.refetch, nil, at: now)
      try startRefetch(rows)
    }
    return .done(.done(StepFacts()))
  }

  /// The zone, whose refetch begins where it was sent to before anything was read: it may be another one.
  func zoneToPull() throws -> ZoneRow {
    let zone = try read(zone)
    guard zone.token == nil, zone.refetch == nil,
      try read({ try $0.hasBases() })
    else { return zone }
    return try write { _, rows in try startRefetch(rows) }
  }

  @discardableResult
  private func startRefetch(_ rows: SyncRows) throws -> ZoneRow {
    var zone = try self.zone(rows)
    let pass = (try rows.integer(.pass) ?? 0) + 1
    try rows.set(.pass, pass)
    if let token = zone.token { try rows.set(.lastToken, token) }
    (zone.token, zone.refetch) = (nil, pass)
    try rows.put(zone)
    return zone
  }

  /// What has to be decided before a page of a refetch may be applied; nil where nothing is wrong, or it
  /// was decided.
  func refetchTrouble(_ zone: ZoneRow, _ token: String, _ rows: SyncRows) throws -> Trouble? {
    guard zone.refetch != nil, try rows.text(.recovery) == nil else { return nil }
    return ServerHistory(from: try rows.text(.lastToken), to: token).trouble
  }

  func endRefetch(_ zone: inout ZoneRow, _ rows: SyncRows) throws {
    zone.refetch = nil
    try rows.set(.lastToken, nil)
    try rows.set(.recovery, nil)
  }
}
