import RecordWire
import SyncCore

// The bugs of `SyncSabotage`, each where the right thing would be done.
extension SyncSession {
  /// Forgets at the beginning of a session what an earlier one has sent.
  func sabotageStart() throws {
    guard sabotage.contains(.forgottenFlight) else { return }
    try write { _, rows in
      try rows.run("UPDATE contrail_sync_change SET sent = 0")
      try rows.run("DELETE FROM contrail_sync_flight")
    }
  }

  /// Makes what is sent the base at once.
  func sabotage(_ batch: PushBatch?, _ rows: SyncRows, _ now: Int64) throws {
    guard sabotage.contains(.earlyBase), let batch else { return }
    for item in batch.items where item.kind != .delete {
      let old = try rows.base(of: item.record.number)
      try rows.setBase(
        BaseRow(tag: old?.tag, modified: now, fields: item.state), of: item.record, was: old)
    }
  }

  /// What is taken for the answer to a push.
  func sabotaged(_ response: RecordsResponse, to batch: PushBatch) throws -> RecordsResponse {
    if sabotage.isDisjoint(with: [.ignoredConflict, .droppedUnknown]) { return response }
    var response = response
    for (index, item) in batch.items.enumerated() where index < response.records.count {
      guard case .failure(let failure) = response.records[index] else { continue }
      let code = failure.failure.code
      if code == .conflict, sabotage.contains(.ignoredConflict) {
        response.records[index] = .record(item.operation.record)
      }
      if code.row == nil, sabotage.contains(.droppedUnknown) {
        try write { _, rows in
          if let own = try rows.ownChange(of: item.record.number) {
            try rows.deleteChange(own.number)
          }
        }
      }
    }
    return response
  }

  /// Drops what a request was about that is refused with an unknown code.
  func sabotage(_ failure: RequestFailure) throws {
    guard sabotage.contains(.droppedUnknown), failure.code.row == nil, let batch else { return }
    try write { _, rows in
      for item in batch.items {
        if let own = try rows.ownChange(of: item.record.number) {
          try rows.deleteChange(own.number)
        }
      }
    }
  }

  /// Keeps the token of a page, and the page for later; nil where the page is to be applied at once.
  func sabotage(_ page: RecordChangesResponse) throws -> StepResult? {
    guard sabotage.contains(.earlyToken) else { return nil }
    try write { _, rows in
      var zone = try self.zone(rows)
      zone.token = page.syncToken
      try rows.put(zone)
    }
    heldPage = page
    return .done(StepFacts(hasMore: page.isMoreComing))
  }

  /// Waits no more for a file.
  func sabotage(forgetting row: AwaitedFileRow) throws {
    try write { _, rows in try rows.forgetAwaitedFile(row.record, row.field) }
  }

  /// Applies the page that was kept.
  func sabotageStep(_ now: Int64) throws {
    guard let page = heldPage else { return }
    heldPage = nil
    _ = try apply(page, now)
  }
}
