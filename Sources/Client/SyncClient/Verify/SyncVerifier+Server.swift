import RecordWire
import SyncCore

// The first half: what the server confirmed against what it has.
extension SyncVerifier {
  func digestCall(
    _ change: (inout ZoneDigestRequest.Item) -> Void = { _ in }
  ) throws -> Work {
    var item = ZoneDigestRequest.Item(try session.read(session.zone).identity)
    change(&item)
    report.calls += 1
    return .call(
      SyncCall(
        "zones/digest", in: .databaseExtension(.private),
        body: try ZoneDigestRequest(zones: [item]).json()))
  }

  func takeDigest(_ body: [UInt8], _ now: Int64) throws {
    let zone = try session.read(session.zone)
    switch try ZoneDigestResponse(json: body).zones.first {
    case nil: end(.unreachable("zones/digest answers nothing of the zone"))
    case .failure(let failure): takeZoneFailure(failure.failure, zone)
    case .state(let state):
      report.serverRecords = Int(clamping: state.count)
      if state.syncToken != zone.token { return catchUp() }
      switch phase {
      case .digest: try compareWhole(state, zone, now)
      case .buckets: compareBuckets(state)
      default: try takeRecords(state, zone)
      }
    }
  }

  private func takeZoneFailure(_ failure: RequestFailure, _ zone: ZoneRow) {
    // Before the first pass there is nothing on either side.
    if RequestConsequence(failure) == .zoneGone && !zone.isMade {
      phase = .objects
    } else {
      end(SyncMachine.Outcome(RequestConsequence(failure)))
    }
  }

  private func compareWhole(
    _ state: ZoneDigestState, _ zone: ZoneRow, _ now: Int64
  ) throws {
    try sumUp(zone, now)
    let whole = sums.reduce(into: DigestSum()) { $0 += $1 }
    let isEqual = whole.value == state.digest && Int64(bitPattern: whole.count) == state.count
    phase = isEqual ? .objects : .buckets
  }

  /// Sums up the digests of what was confirmed, and puts the sums right that are kept.
  func sumUp(_ zone: ZoneRow, _ now: Int64) throws {
    sums = try session.read { try $0.digestSums(zone: zone.number) }
    let whole = sums.reduce(into: DigestSum()) { $0 += $1 }
    report.records = Int(clamping: Int64(bitPattern: whole.count))
    guard try session.read({ try !$0.keeps(sums, zone: zone.number) }) else { return }
    report.sumsAgree = false
    guard isRepairing else { return }
    try session.write { _, rows in
      try rows.keep(sums, zone: zone.number)
      try rows.logRepairedSums(at: now)
    }
    report.sumsAgree = true
  }

  private func compareBuckets(_ state: ZoneDigestState) {
    guard let theirs = state.buckets, theirs.count == sums.count else { return readWhole() }
    buckets = Set(sums.indices.filter { sums[$0].value != theirs[$0] })
    // Sums that differ only in how many there are: nobody knows where.
    if buckets.isEmpty { buckets = Set(sums.indices) }
    phase = .records(after: nil)
  }

  private func takeRecords(_ state: ZoneDigestState, _ zone: ZoneRow) throws {
    // An older server takes no notice of the question.
    guard let records = state.records else { return readWhole() }
    for record in records {
      theirs[NameKey(record.recordName)] = RecordMark(tag: record.changeTag, digest: record.digest)
    }
    if let next = state.recordsNext {
      if phase == .records(after: next) {
        return end(.unreachable("\(SyncError.noProgress("zones/digest"))"))
      }
      phase = .records(after: next)
      return
    }
    let ours = try session.read { try $0.marks(zone: zone.number, buckets: buckets) }
    try take(RecordComparison(ours: ours, theirs: theirs))
  }

  /// What differs is looked up, for its fields; what the server lacks cannot be.
  func take(_ comparison: RecordComparison) throws {
    self.comparison = comparison
    let names = comparison.names([.different, .missingHere])
    lookUps = isRepairing ? names : Array(names.prefix(Self.lookUpsMax))
    let listed = Set(lookUps.map(NameKey.init))
    for found in comparison.found
    where found.kind != .missingThere && !listed.contains(NameKey(found.name)) {
      report.add(try difference(found))
    }
    phase = .lookUp
  }

  func difference(_ found: RecordComparison.Found) throws -> SyncVerification.Difference {
    let type = try session.read { rows in
      try rows.record(named: found.name, zone: session.zone(rows).number)?.type
    }
    return SyncVerification.Difference(
      kind: found.kind, recordName: found.name, recordType: type ?? "")
  }
}

extension SyncVerifier {
  func beginPull(_ now: Int64) throws -> Work {
    switch try session.begin(.pull, now: now) {
    case .call(let call):
      report.calls += 1
      return .call(call)
    case .done:
      phase = .objects
      return try begin(now: now)
    }
  }

  func finishPull(_ reply: SyncReply, _ now: Int64) throws {
    switch try session.finish(.pull, .success(reply), now: now) {
    case .done(let facts):
      if let trouble = facts.trouble { return end(.trouble(trouble)) }
      if facts.hasMore { return }
      if report.method == .wholeZone { phase = .zone(token: nil) } else { phase = .digest }
    case .failed(let consequence): end(SyncMachine.Outcome(consequence))
    case .unanswered(let why): end(.unreachable(why))
    case .broken(let why): end(.broken(why))
    }
  }
}
