import DataModel
import ObjectStore
import RecordWire
import SyncCore

extension SyncSession {
  func beginPush(_ now: Int64) throws -> Work {
    if readyBatch == nil { try endHeldDeletions(now) }
    uploads.wanted = []
    var hasSettled = false
    batch = try readyBatch ?? nextBatch(beside: nil, now, hasSettled: &hasSettled)
    readyBatch = nil
    if !uploads.wanted.isEmpty { return .done(.done(StepFacts(needsUpload: true))) }
    guard let batch else {
      let isAsking = try !knowsLacks && hasOutbox()
      // What was parked or failed on the way may have hidden what can be sent.
      return .done(.done(StepFacts(hasMore: hasSettled, needsSchema: isAsking)))
    }
    if let unit = batch.splitUnit, !sabotage.contains(.singleOperations) {
      report(.unitSplit(unit: unit, records: batch.items.count))
    }
    return .call(SyncCall("records/modify", in: .database(.private), body: batch.body))
  }

  /// Puts together the batch that is to be sent next, `beside` one that is under way; nil where nothing is
  /// to be sent now, or where `hasSettled` tells that changes were parked or failed and more may follow.
  func nextBatch(
    beside other: PushBatch?, _ now: Int64, hasSettled: inout Bool
  ) throws -> PushBatch? {
    var fates: [ChangeFate] = []
    // Durable before it is sent: a machine that loses its power must not forget the names under which the
    // server knows its objects.
    let batch: PushBatch? = try write(isDurable: true) { _, rows in
      let zone = try self.zone(rows)
      try takeIn(rows, zone, now)
      guard try rows.integer("SELECT 1 FROM contrail_sync_change WHERE state < 2 LIMIT 1") != nil
      else { return nil }
      if !knowsLacks { return nil }
      try rows.probeDueLacks(now: now)
      var builder = PushBuilder(
        rows, objects, store, zone: zone, device: device, now: now,
        size: sabotage.contains(.singleOperations) ? BatchSize(limit: 1) : batchSize,
        lacks: try rows.lacks(now: now), beside: other)
      let batch = try builder.build(
        isBatch: has("batch"), wantsTokens: sabotage.isEmpty && has("pushTokens"))
      (fates, hasSettled) = (builder.settled, builder.hasSettled)
      // Beside another one the next look finds them again.
      if other == nil { uploads.wanted = builder.files.missing }
      if !sabotage.isEmpty { try sabotage(batch, rows, now) }
      try rows.log(fates.map { .fate($0) }, at: now)
      if let batch, let unit = batch.splitUnit {
        try rows.log([.unitSplit(unit: unit, records: batch.items.count)], at: now)
      }
      return batch
    }
    for fate in fates { report(.fate(fate)) }
    return batch
  }

  private func hasOutbox() throws -> Bool {
    try read { try $0.integer("SELECT 1 FROM contrail_sync_change WHERE state < 2 LIMIT 1") != nil }
  }

  func finishPush(_ body: [UInt8], _ now: Int64) throws -> StepResult {
    guard let batch else { return .done(StepFacts()) }
    let response = try RecordsResponse(json: body)
    self.batch = nil
    batchSize.grow()
    try takeInAnswers(now)
    guard sabotage.isEmpty, batch.isTaken(by: response) else {
      try withdrawReadyBatch()
      return try take(response, to: batch, now)
    }
    // What goes next does not depend on what is noted down of this.
    takenBatch = TakenBatch(batch: batch, response: response)
    return .done(StepFacts(hasMore: true, tally: SyncTally(pushed: batch.items.count)))
  }

  /// Takes in an answer.
  func take(
    _ response: RecordsResponse, to batch: PushBatch, _ now: Int64
  ) throws -> StepResult {
    let response = sabotage.isEmpty ? response : try sabotaged(response, to: batch)
    let answer = try write { _, rows in
      try takeIn(rows, try zone(rows), now)
      var answer = PushAnswer(rows, objects, to: batch, now: now)
      try answer.take(response, to: batch)
      try skipEcho(response, rows)
      for lack in answer.lacks {
        try rows.noteLack(
          lack.recordType, lack.field ?? "", "production lacks \(lack)",
          refusedAt: now)
      }
      try rows.log(answer.fates.map { .fate($0) }, at: now)
      return answer
    }
    for fate in answer.fates { report(.fate(fate)) }
    lookUps += answer.lookUps.filter { !lookUps.contains($0) }
    if let failure = answer.signIn { return .failed(RequestConsequence(failure)) }
    if answer.isZoneGone { return try takeZoneGone() }
    if answer.isQuotaExceeded {
      return .done(StepFacts(trouble: .quotaExceeded, tally: answer.tally))
    }
    if let milliseconds = answer.retryAfter, answer.tally.pushed == 0, answer.lookUps.isEmpty,
      answer.lacks.isEmpty
    {
      return .failed(.retry(afterSeconds: milliseconds / 1_000))
    }
    if answer.innocents == batch.items.count { return try takeBlameless(batch, now) }
    return .done(
      StepFacts(hasMore: true, needsLookUp: !lookUps.isEmpty, tally: answer.tally))
  }

  /// A batch in which nobody is to blame, and that would go again as it is: in parts, until one is.
  private func takeBlameless(_ batch: PushBatch, _ now: Int64) throws -> StepResult {
    if batch.items.count > 1 {
      _ = batchSize.halve(sent: batch.items.count)
      return .failed(.split)
    }
    let failure = RequestFailure(
      .tryAgainLater,
      reason: "the server refuses it because of another operation, and there is none")
    return try refuse(batch, now) { _ in failure }
  }

  /// Where nobody has changed the zone between what was read last and what was sent, what comes next is known:
  /// it need not be read.
  private func skipEcho(_ response: RecordsResponse, _ rows: SyncRows) throws {
    var zone = try self.zone(rows)
    guard let before = response.tokenBefore, let after = response.syncToken, zone.refetch == nil,
      zone.token == before
    else { return }
    zone.token = after
    try rows.put(zone)
  }

  /// The request failed as a whole, and so nothing of it arrived, unless the server itself failed.
  func takePush(
    _ failure: RequestFailure, _ consequence: RequestConsequence, _ now: Int64
  ) throws -> StepResult {
    if !sabotage.isEmpty { try sabotage(failure) }
    guard let batch else { return .failed(consequence) }
    self.batch = nil
    // Nobody knows whether it arrived.
    if failure.code == .internalError { return .unanswered("\(failure)") }
    // What it lacks has to be in the batch, or nothing would change by parking it.
    if let lack = SchemaLack(reason: failure.reason),
      batch.items.contains(where: { $0.sends(lack) })
    {
      try takeBack(batch) { rows in
        try rows.noteLack(lack.recordType, lack.field ?? "", failure.reason, refusedAt: now)
      }
      return .done(StepFacts(hasMore: true))
    }
    try takeBack(batch)
    switch consequence {
    case .zoneGone: return try takeZoneGone()
    case .quota:
      // What is deleted makes room, and goes with the next request.
      return try refuse(batch, now) { $0.kind == .delete ? RequestFailure(.atomicError) : failure }
    case .refused, .split, .isUnknown:
      if batch.items.count > 1 {
        _ = batchSize.halve(sent: batch.items.count)
        return .failed(.split)
      }
      // An address that is not there says nothing of a record.
      var own = failure
      if own.code == .notFound { own.code = .badRequest }
      return try refuse(batch, now) { _ in own }
    default: return .failed(consequence)
    }
  }

  func takeBack(
    _ batch: PushBatch, _ also: (SyncRows) throws -> Void = { _ in }
  ) throws {
    try write { _, rows in
      try PushAnswer(rows, objects, to: batch, now: 0).takeBack(batch)
      try also(rows)
    }
  }

  /// A request that is refused as a whole, as if each of its operations was.
  private func refuse(
    _ batch: PushBatch, _ now: Int64, _ failure: (PushItem) -> RequestFailure
  ) throws -> StepResult {
    let failures = batch.items.map { item in
      let failure = failure(item)
      return ItemFailure(recordName: item.record.name, failure.code, reason: failure.reason)
    }
    return try take(RecordsResponse(records: failures.map { .failure($0) }), to: batch, now)
  }
}
