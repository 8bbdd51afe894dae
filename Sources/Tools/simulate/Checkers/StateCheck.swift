import RecordWire
import SyncClient
import SyncCore

/// Every change is in one of the four states: what a device has and the server has not is pending, parked
/// or failed, by name, and by one change in each state only.
enum StateCheck {
  static func find(_ moment: PassMoment) -> String? {
    find(moment.inspection, moment.world.exempt.discards[moment.device.index] ?? Discards())
  }

  /// Objects of which something was given up keep what they have.
  static func find(_ inspection: SyncInspection, _ discards: Discards) -> String? {
    // What was done since the outbox was filled has no state yet but that it is in history.
    guard inspection.hasReadHistory else { return nil }
    if let stray = inspection.strays.first { return "\(stray) has no record" }
    if let lost = inspection.lostChanges.first { return lost }
    for record in inspection.records {
      if let problem = problem(record, discards) {
        return "\(record.type) \(record.name) \(problem)"
      }
    }
    return nil
  }

  private static func problem(
    _ record: SyncInspection.Record, _ discards: Discards
  ) -> String? {
    for state in [SyncInspection.State.pending, .parked, .failed]
    where record.changes.count(where: { $0.state == state }) > 1 {
      return "has several changes that are \(state.rawValue)"
    }
    if record.isOwned, record.local == nil, record.base != nil,
      !record.changes.contains(where: { $0.kind == .delete })
    {
      return "is gone here, and nothing says that it is to be deleted"
    }
    if record.isOwned, record.local != nil, record.base == nil, record.changes.isEmpty,
      !discards.untold.contains(record.name)
    {
      return "is here, the server was never told, and nothing says that it is to be sent"
    }
    let open = record.differences.filter { field in
      !record.changes.contains { covers($0, field, of: record) } && !isLostFile(field, of: record)
        && !discards.allow(field, of: record.name)
    }
    return open.isEmpty
      ? nil
      : "differs from the server in \(open.map { shown($0, record) }), and nothing says that it is to be sent"
  }

  /// Whether it is about a file that nobody waits for any more: the server has lost the record, which is kept here
  /// without the file, or with an earlier one.
  private static func isLostFile(_ field: String, of record: SyncInspection.Record) -> Bool {
    guard record.isLost, case .asset? = record.base?[field]?.value else { return false }
    return true
  }

  private static func covers(
    _ change: SyncInspection.Change, _ field: String, of record: SyncInspection.Record
  ) -> Bool {
    switch change.kind {
    case .create: true
    // What the server has lost is sent as a whole, with what there is.
    case .update: record.isLost || change.fields.contains(field)
    case .delete: false
    }
  }

  private static func shown(_ field: String, _ record: SyncInspection.Record) -> String {
    "\(field): \(record.local?[field]?.value ?? .null) here, \(record.base?[field]?.value ?? .null) there"
  }
}
