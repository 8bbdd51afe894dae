import SyncCore

// The changes that somebody has to do something about.
extension SyncRows {
  /// The failed changes, or those of records with some names; a run is meant by any of its records.
  func failedChanges(of names: Set<String>?) throws -> [ChangeRow] {
    let all = try changes(in: .failed, limit: .max)
    guard let names else { return all }
    return try all.filter { change in
      try records(from: change.record, count: change.count).contains { names.contains($0.name) }
    }
  }

  /// Gives up what waits for a promotion of a record that the server does not have: it would make the record.
  func discardParked(of row: RecordRow) throws {
    guard try baseTag(of: row.number) == nil,
      let parked = try change(of: row.number, state: .parked), parked.change.kind == .update
    else { return }
    try deleteChange(parked.number)
  }

  /// Has a record sent as the server has it no more.
  private func expectNothing(of record: Int64) throws {
    guard let row = try self.record(number: record), let base = try base(of: record) else { return }
    var lost = base
    lost.tag = nil
    try setBase(lost, of: row, was: base)
  }

  /// Makes a failed change pending again.
  func retry(_ change: ChangeRow) throws {
    if change.code == SyncFailureCode.lostThere { try expectNothing(of: change.record) }
    if var pending = try self.change(of: change.record, state: .pending) {
      pending = try single(change.record, of: pending)
      try pending.keepAlso(change)
      pending.change = change.change.followed(by: pending.change) ?? pending.change
      try put(pending)
      return try deleteChange(change.number)
    }
    var retried = change
    retried.state = .pending
    (retried.code, retried.reason, retried.attempts, retried.retry) = (nil, nil, 0, 0)
    try put(retried)
  }
}
