import RecordWire
import SQLiteDriver
import SyncCore

// What becomes of a change that the server does not take.
extension SyncRows {
  /// Puts a change off until later; returns what became of it where it was put off too often already.
  ///
  /// Reasons that pass by themselves do not count.
  func postpone(
    _ change: ChangeRow, _ failure: RequestFailure, retryAfter: Int64?, at now: Int64
  ) throws -> ChangeFate.Outcome? {
    var row = change
    let isTransient = failure.code.row?.isTransient == true
    if row.attempts + 1 >= PushAnswer.attemptsMax && !isTransient {
      return try fail(row, failure.code.rawValue, failure.reason)
    }
    row.attempts += 1
    (row.code, row.reason) = (failure.code.rawValue, failure.reason)
    let own = Backoff.firstMilliseconds << min(row.attempts, 8)
    row.retry = now + min(max(own, retryAfter ?? 0), Backoff.serverLongestMilliseconds)
    try put(row)
    return nil
  }

  /// Keeps a change as failed.
  func fail(
    _ change: ChangeRow, _ code: String, _ reason: String
  ) throws -> ChangeFate.Outcome {
    var row = try withoutParked(change)
    row.attempts += 1
    (row.state, row.code, row.reason) = (.failed, code, reason)
    try putFailed(row)
    return .failed(code: code, reason: reason)
  }

  /// A change without what waits for a promotion: that was not sent, so it is neither refused nor tried again with
  /// the rest.
  private func withoutParked(_ change: ChangeRow) throws(SQLiteError) -> ChangeRow {
    guard change.change.kind == .update,
      let parked = try self.change(of: change.record, state: .parked)
    else { return change }
    var rest = change
    rest.change.edits.removeAll { edit in
      parked.change.edits.contains { $0.name == edit.name && $0.clock == edit.clock }
    }
    return rest
  }

  /// Writes a failed change, with what was lost with an earlier record of its name: a record has one failed
  /// change, and nothing of it goes unless somebody says so.
  func putFailed(_ change: ChangeRow) throws {
    var row = change
    if row.count == 1, let run = try self.change(of: row.record, state: .failed),
      run.number != row.number
    {
      let earlier = try single(row.record, of: run)
      let codes = [row.code, earlier.code].map { $0 == SyncFailureCode.deletedRemotely }
      if codes[0] && codes[1] {
        row.kept = try row.kept(over: earlier)
      } else if codes[1], let record = try record(number: row.record) {
        // The values are those of an object that is there again: the log has them.
        try log(discarded: record, try earlier.kept?.fields(), at: row.time)
      } else if !codes[0] {
        try row.keepAlso(earlier)
      }
      // Whatever the codes: what was refused for one reason is not confirmed by being refused for another.
      if codes[0] == codes[1] {
        row.change = earlier.change.followed(by: row.change) ?? row.change
      }
      try deleteChange(earlier.number)
    }
    try put(row)
  }
}

extension ChangeRow {
  /// The values that are kept, and those of an earlier change that were edited then and not again.
  fileprivate func kept(over earlier: ChangeRow) throws -> FieldBytes? {
    guard let lost = try earlier.kept?.fields() else { return kept }
    guard var fields = try kept?.fields() else { return earlier.kept }
    for edit in earlier.change.edits
    where !change.edits.contains(where: { $0.name.isSameName(edit.name) }) {
      fields[edit.name] = lost[edit.name]
    }
    return try FieldBytes(fields.canonical)
  }
}
