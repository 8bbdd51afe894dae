import SyncCore

// What somebody has decided about failed changes.
extension SyncSession {
  func recreateFailed(of records: Set<String>?, now: Int64) throws -> Int {
    try decideFailed(records, now) { receiver, changes in
      let anew = try changes.filter { try receiver.recreate($0) }
      for change in anew { try receiver.endWaiting(ofAnew: change) }
      return anew.count
    }
  }

  func discardFailed(of records: Set<String>?, now: Int64) throws -> Int {
    try decideFailed(records, now) { receiver, changes in
      // Who waits for what comes back has to wait before.
      let isDeletion = { (change: ChangeRow) in change.change.kind == .delete }
      let ordered = changes.filter { !isDeletion($0) } + changes.filter(isDeletion)
      return try ordered.filter { try receiver.discard($0) }.count
    }
  }

  /// Does what somebody has decided about failed changes; returns for how many it could be done.
  private func decideFailed(
    _ records: Set<String>?, _ now: Int64, _ body: (inout Receiver, [ChangeRow]) throws -> Int
  ) throws -> Int {
    var decided: Receiver?
    var count = 0
    try write { transaction, rows in
      let zone = try self.zone(rows)
      var failed = try rows.failedChanges(of: records)
      if failed.contains(where: \.makesAnew) {
        // What is made anew refers to what is here, as far as that is not deleted. What was edited since has not
        // failed any more.
        try takeIn(rows, zone, now)
        failed = try rows.failedChanges(of: records)
      }
      var deciding = try self.receiver(transaction, rows, zone, now)
      count = try body(&deciding, failed)
      try keep(deciding, rows)
      decided = deciding
    }
    tell(decided)
    return count
  }
}

extension ChangeRow {
  /// Whether an object is made, whatever is done about the failure but trying again.
  fileprivate var makesAnew: Bool {
    change.kind == .delete || code == SyncFailureCode.deletedRemotely
  }
}
