import DataModel
import ObjectStore
import RecordWire
import SyncCore

extension SyncSession {
  func beginPull() throws -> Work {
    let zone = try readPage == nil ? zoneToPull() : read(zone)
    var options = ChangeOptions()
    if has("pageBytes") { options.pageBytes = pageSize.bytes }
    // What was created, arrived without our knowing, and was deleted elsewhere is not to be created again.
    if zone.refetch != nil, has("tombstones"), try read({ try $0.hasUncertainCreations() }) {
      options.withTombstones = true
    }
    let request = ZoneChangesRequest(zones: [
      RecordChangesRequest(
        zone: zone.identity, syncToken: readPage?.syncToken ?? zone.token, options: options)
    ])
    return .call(SyncCall("changes/zone", in: .database(.private), body: try request.json()))
  }

  func finishPull(_ body: [UInt8], _ now: Int64) throws -> StepResult {
    let response = try ZoneChangesResponse(json: body)
    pageSize.grow()
    try takeInAnswers(now)
    guard let entry = response.zones.first else {
      throw SyncError(
        .badAnswer, "changes/zone", "answers nothing of the zone",
        fix: "see whether something between here and the server changes answers")
    }
    switch entry {
    case .failure(let failure):
      let consequence = try pullConsequence(failure.failure)
      return consequence == .zoneGone ? try takeZoneGone() : .failed(consequence)
    case .page(_, let page):
      if !sabotage.isEmpty, let result = try sabotage(page) { return result }
      try checkProgress(page)
      // The next page can be asked for before this one is applied; in a refetch each may be refused.
      guard try page.isMoreComing && sabotage.isEmpty && read(zone).refetch == nil else {
        return try apply(page, now)
      }
      readPage = page
      return .done(StepFacts(hasMore: true))
    }
  }

  /// Throws where a page leads to itself: it would be read for ever.
  private func checkProgress(_ page: RecordChangesResponse) throws {
    guard try page.isMoreComing && page.syncToken == read(zone).token else { return }
    throw SyncError.noProgress("changes/zone")
  }

  /// What follows from a refusal to tell of changes.
  ///
  /// A server may find a token that it cannot read a bad request: without one it is asked once.
  func pullConsequence(_ failure: RequestFailure) throws -> RequestConsequence {
    if failure.code == .badRequest, try read(zone).token != nil { return .tokenExpired }
    return RequestConsequence(failure)
  }

  /// Applies a page, and with it notes down where the next one begins.
  func apply(_ page: RecordChangesResponse, _ now: Int64) throws -> StepResult {
    var receiver: Receiver?
    var trouble: Trouble?
    try write { transaction, rows in
      var zone = try self.zone(rows)
      trouble = try refetchTrouble(zone, page.syncToken, rows)
      // Nothing of another history is applied before somebody has decided.
      if trouble != nil { return }
      try takeIn(rows, zone, now)
      receiver = try self.receiver(transaction, rows, zone, now)
      for result in page.records {
        switch result {
        case .record(let record): try receiver?.take(record)
        // It has no state to apply, and comes again when it changes; that it is there is known.
        case .failure(let failure): try receiver?.meet(failure)
        }
      }
      zone.token = page.syncToken
      zone.isMade = true
      if !page.isMoreComing, zone.refetch != nil {
        trouble = try receiver?.endRefetch(page.syncToken)
        if trouble == nil { try endRefetch(&zone, rows) } else { zone.token = nil }
      }
      if !page.isMoreComing {
        try receiver?.endPartners()
        try receiver?.endReplacements()
      }
      try rows.put(zone)
      try keep(receiver, rows)
    }
    tell(receiver)
    return .done(
      StepFacts(
        hasMore: page.isMoreComing, needsDownload: try read { try $0.hasAwaitedFiles(dueAt: now) },
        trouble: trouble, tally: receiver?.tally ?? SyncTally()))
  }

  /// Takes history into the outbox, so that what was edited here is known before anything is merged.
  func takeIn(_ rows: SyncRows, _ zone: ZoneRow, _ now: Int64) throws {
    var intake = try intake(rows, zone)
    while try !intake.advanceAll(at: now) {}
    try keep(intake)
  }

  func clock(_ rows: SyncRows) throws -> HybridClock {
    HybridClock(
      last: HybridTime(rawValue: UInt64(bitPattern: try rows.integer(.clock) ?? 0)))
  }

  func receiver(
    _ transaction: WriteTransaction, _ rows: SyncRows, _ zone: ZoneRow, _ now: Int64
  ) throws -> Receiver {
    try Receiver(
      transaction, rows, objects, store, configuration, zone: zone, device: device,
      clock: try clock(rows),
      now: now, sabotage: sabotage)
  }

  func keep(_ receiver: Receiver?, _ rows: SyncRows) throws {
    guard let receiver else { return }
    try rows.set(.clock, Int64(bitPattern: receiver.clock.last.rawValue))
    try rows.log(receiver.reports, at: receiver.now)
  }

  func tell(_ receiver: Receiver?) {
    for told in receiver?.reports ?? [] { report(told) }
  }

  func beginLookUp() throws -> Work {
    guard !lookUps.isEmpty else { return .done(.done(StepFacts())) }
    let zone = try read(zone)
    let names = lookUps.prefix(BatchSize.protocolMax)
    let request = LookupRequest(
      records: names.map { LookupRequest.Item(recordName: $0) }, zone: zone.identity)
    return .call(SyncCall("records/lookup", in: .database(.private), body: try request.json()))
  }

  func finishLookUp(_ body: [UInt8], _ now: Int64) throws -> StepResult {
    let names = Array(lookUps.prefix(BatchSize.protocolMax))
    let (tally, needsPull) = try takeLookedUp(body, names, now) { _, _ in }
    lookUps.removeFirst(names.count)
    return .done(StepFacts(needsLookUp: !lookUps.isEmpty, needsPull: needsPull, tally: tally))
  }

  /// Takes in the answer to a look-up of `names`; `also` is done with each record in the same transaction.
  func takeLookedUp(
    _ body: [UInt8], _ names: [String], _ now: Int64, also: (SyncRows, Record) throws -> Void
  ) throws -> (tally: SyncTally, needsPull: Bool) {
    let response = try RecordsResponse(json: body)
    guard response.records.count == names.count else {
      throw SyncError(
        .badAnswer, "records/lookup",
        "answers \(response.records.count) results for \(names.count) records")
    }
    var receiver: Receiver?
    var needsPull = false
    try write { transaction, rows in
      let zone = try self.zone(rows)
      try takeIn(rows, zone, now)
      receiver = try self.receiver(transaction, rows, zone, now)
      for (name, result) in zip(names, response.records) {
        switch result {
        case .record(let record):
          try receiver?.take(record)
          try also(rows, record)
        case .failure(let failure):
          let mayBeTold = try takeVainLookUp(failure.failure, of: name, &receiver, rows)
          if mayBeTold { needsPull = true }
        }
      }
      try keep(receiver, rows)
    }
    tell(receiver)
    return (receiver?.tally ?? SyncTally(), needsPull)
  }
}
