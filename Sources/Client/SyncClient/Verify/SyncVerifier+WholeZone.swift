import RecordWire
import SyncCore

// Without digests: every record is read, and nothing of it applied.
extension SyncVerifier {
  func zoneCall(_ token: String?, _ now: Int64) throws -> Work {
    let zone = try session.read(session.zone)
    // Nothing is to be compared before the first pull.
    if zone.token == nil && token == nil && theirs.isEmpty && !zone.isMade {
      phase = .objects
      return try begin(now: now)
    }
    var options = ChangeOptions()
    if session.has("pageBytes") { options.pageBytes = PageSize.bytesMax }
    report.calls += 1
    let request = ZoneChangesRequest(zones: [
      RecordChangesRequest(zone: zone.identity, syncToken: token, options: options)
    ])
    return .call(SyncCall("changes/zone", in: .database(.private), body: try request.json()))
  }

  func takePage(_ body: [UInt8], _ now: Int64) throws {
    switch try ZoneChangesResponse(json: body).zones.first {
    case nil: end(.unreachable("changes/zone answers nothing of the zone"))
    case .failure(let failure): end(SyncMachine.Outcome(RequestConsequence(failure.failure)))
    case .page(_, let page):
      for case .record(let record) in page.records { try note(record) }
      if page.isMoreComing {
        if phase == .zone(token: page.syncToken) {
          // A page that leads to itself would be read for ever.
          return end(.unreachable("\(SyncError.noProgress("changes/zone"))"))
        }
        phase = .zone(token: page.syncToken)
      } else {
        try compareAll(upTo: page.syncToken, now)
      }
    }
  }

  private func note(_ record: Record) throws {
    guard let name = record.recordName else { return }
    if record.isDeleted || record.hasLeft {
      theirs[NameKey(name)] = nil
      return
    }
    let digest = try RecordDigest.of(
      name: name, type: record.recordType ?? "", fields: try record.allFields())
    theirs[NameKey(name)] = RecordMark(tag: record.changeTag, digest: digest.value)
  }

  /// Compares all; where the server's token does not tell that its moment is ours, only what was found
  /// twice is certain, with what happened in between read and applied.
  private func compareAll(upTo token: String, _ now: Int64) throws {
    let zone = try session.read(session.zone)
    try sumUp(zone, now)
    report.serverRecords = theirs.count
    let all = Set(0..<RecordDigest.bucketCount)
    let ours = try session.read { try $0.marks(zone: zone.number, buckets: all) }
    let found = RecordComparison(ours: ours, theirs: theirs)
    let isCertain =
      token == zone.token || found.found.isEmpty || found == lastComparison
    if isCertain { return try take(found) }
    lastComparison = found
    catchUp()
  }
}
