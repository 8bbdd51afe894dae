import RecordWire
import SyncCore

// Look-ups that tell nothing of a record: its change must not keep others from being sent.
extension SyncSession {
  /// How often the server may have nothing of what it confirmed, without telling of a deletion in between.
  private static let absencesMax = 2

  /// Does about a record of which the server tells nothing what is right; true where the zone's changes may
  /// tell more.
  func takeVainLookUp(
    _ failure: RequestFailure, of name: String, _ receiver: inout Receiver?, _ rows: SyncRows
  ) throws -> Bool {
    let zone = try self.zone(rows)
    guard failure.code == .notFound else {
      try receiver?.postpone(name, failure)
      return false
    }
    guard try rows.hasBase(named: name, zone: zone.number) else {
      try receiver?.take(.tombstone(RecordIdentity(recordName: name, zone: zone.identity)))
      return false
    }
    // Whether it was deleted, or the server lost it, only the zone's changes tell.
    absences[name, default: 0] += 1
    if absences[name, default: 0] < Self.absencesMax { return true }
    absences[name] = nil
    try receiver?.setAside(name)
    return false
  }
}

extension Receiver {
  /// Puts the change of a record off that cannot be looked up.
  fileprivate mutating func postpone(_ name: String, _ failure: RequestFailure) throws {
    guard let row = try rows.record(named: name, zone: zone.number),
      let change = try rows.ownChange(of: row.number)
    else { return }
    let wait = failure.retryAfter.map { Backoff.milliseconds(askedFor: $0) }
    let outcome = try rows.postpone(change, failure, retryAfter: wait, at: now)
    if let outcome { note(row, outcome) }
  }

  /// Keeps the change of a record as failed that the server has lost; what was deleted meanwhile can be sent.
  fileprivate mutating func setAside(_ name: String) throws {
    guard let row = try rows.record(named: name, zone: zone.number),
      let change = try rows.ownChange(of: row.number), change.change.kind != .delete
    else { return }
    let reason = "the server has it no more, and does not tell that it was deleted"
    note(row, try rows.fail(change, SyncFailureCode.lostThere, reason))
  }
}
