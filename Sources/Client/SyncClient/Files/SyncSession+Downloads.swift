import Glibc
import ObjectStore
import RecordWire
import SyncCore

// Files come after the pages that name them: a page is applied with its token, the files wait in a table
// beside it, and each appears in its object in a transaction of its own.
extension SyncSession {
  /// What is fetched.
  enum Fetch {
    /// The addresses of some files, by the names of their records.
    case places([String], rows: [AwaitedFileRow])
    /// A file, into another one where the store has a place for it.
    case file(AwaitedFileRow, into: String?)
  }

  func beginDownload(_ now: Int64) throws -> Work {
    fetch = nil
    let ready = try read { try $0.awaitedFiles(dueAt: now, hasPlace: true, limit: 1) }
    if let row = ready.first { return .call(fetchFile(row)) }
    let lost = try read {
      try $0.awaitedFiles(dueAt: now, hasPlace: false, limit: FileLimits.lookUpsMax)
    }
    return lost.isEmpty ? .done(.done(StepFacts())) : try fetchPlaces(of: lost)
  }

  private func fetchFile(_ row: AwaitedFileRow) -> SyncCall {
    // Some servers leave a place for the name under which a browser would keep the file.
    let url = (row.url ?? "").replacing("${f}", with: "file")
    var call = SyncCall("assets/file", in: .address(url), method: .get)
    call.replyFile = downloadPath
    let most = call.replyFile == nil ? FileLimits.inMemoryBytesMax : .max
    call.replyBytesMax = row.asset.size.map { Int(clamping: min($0, most)) }
    fetch = .file(row, into: call.replyFile)
    return call
  }

  /// Where a file is written to that is fetched; nil for a store that is in memory itself.
  ///
  /// There is one, beside the store: one session at a time works on it.
  private var downloadPath: String? {
    if case .file(let path) = store.location { path + "-sync.download" } else { nil }
  }

  private func fetchPlaces(of waiting: [AwaitedFileRow]) throws -> Work {
    var names: [String] = []
    let zone = try read { rows in
      for row in waiting {
        guard let record = try rows.record(number: row.record), !names.contains(record.name)
        else { continue }
        names.append(record.name)
      }
      return try self.zone(rows)
    }
    guard !names.isEmpty else {
      try write { _, rows in
        for row in waiting { try rows.forgetAwaitedFile(row.record, row.field) }
      }
      return .done(.done(StepFacts(hasMore: true)))
    }
    fetch = .places(names, rows: waiting)
    let request = LookupRequest(
      records: names.map { LookupRequest.Item(recordName: $0) }, zone: zone.identity)
    return .call(SyncCall("records/lookup", in: .database(.private), body: try request.json()))
  }

  func finishDownload(
    _ reply: Result<SyncReply, TransportFailure>, _ now: Int64
  ) throws -> StepResult {
    guard let fetch else { return .done(StepFacts()) }
    self.fetch = nil
    switch (fetch, reply) {
    case (.places, .failure(let failure)): return .unanswered("\(failure)")
    case (.places(let names, let rows), .success(let reply)):
      return try takePlaces(reply, names, rows, now)
    case (.file(let row, let path), .failure(let failure)):
      if let path { unlink(path) }
      return try noteFailure(of: row, .unfetched("\(failure)"), now)
    case (.file(let row, let path), .success(let reply)):
      defer { if let path { unlink(path) } }
      return try take(reply, of: row, path, now)
    }
  }
}

// The addresses.
extension SyncSession {
  private func takePlaces(
    _ reply: SyncReply, _ names: [String], _ waiting: [AwaitedFileRow], _ now: Int64
  ) throws -> StepResult {
    if let failure = reply.failure {
      let consequence = RequestConsequence(failure)
      return consequence == .zoneGone ? try takeZoneGone() : .failed(consequence)
    }
    let (tally, _) = try takeLookedUp(reply.body, names, now) { rows, record in
      guard let row = try rows.record(named: record.recordName ?? "", zone: zone(rows).number)
      else { return }
      try rows.notePlaces(record.allFields(), of: row.number)
    }
    // Whose record tells no address is asked about again later.
    for row in waiting {
      let left = try read { try $0.awaitedFiles(of: row.record).first { $0.field == row.field } }
      guard let left, left.url == nil, left.asset == row.asset else { continue }
      if try forgetLostFile(left, now) { continue }
      _ = try noteFailure(
        of: left, .unfetched("the server says not where the file is"), now, isFinal: true)
    }
    return .done(StepFacts(hasMore: true, tally: tally))
  }

  /// Waits no more for the file of a record that the server has lost, and that is kept here only; false for
  /// another one.
  ///
  /// Who has the file may send the record again: then the file is news. One that stands in for a small value would
  /// be none, and is waited for.
  private func forgetLostFile(_ row: AwaitedFileRow, _ now: Int64) throws -> Bool {
    if row.plainField != nil { return false }
    let told = try write { _, rows -> SyncReport? in
      guard let base = try rows.base(of: row.record), base.tag == nil,
        let record = try rows.record(number: row.record)
      else { return nil }
      try rows.forgetAwaitedFile(row.record, row.field)
      let told = SyncReport.fileMissing(
        record: record.name, field: row.field,
        reason: "the server has lost the record before the file was fetched")
      try rows.log([told], at: now)
      return told
    }
    if let told { report(told) }
    return told != nil
  }
}

extension SyncRows {
  /// Notes where the files are that a record's object waits for, as the server has told it just now.
  func notePlaces(_ fields: RecordFields, of record: Int64) throws {
    for var awaited in try awaitedFiles(of: record) {
      guard case .asset(let asset)? = fields[awaited.field]?.value, let url = asset.downloadURL,
        RecordValue.asset(asset).isSame(as: .asset(awaited.asset))
      else { continue }
      awaited.url = url
      try put(awaited)
    }
  }
}

// The bytes.
extension SyncSession {
  private func take(
    _ reply: SyncReply, of row: AwaitedFileRow, _ path: String?, _ now: Int64
  ) throws -> StepResult {
    if !(200..<300 ~= reply.status) {
      let failure = reply.failure ?? RequestFailure(.tryAgainLater)
      return try take(FileConsequence(failure, status: reply.status), failure, of: row, now)
    }
    let content: FileContent = path.map { .file(path: $0) } ?? .bytes(reply.body)
    guard let digest = try content.digest() else {
      return try noteFailure(of: row, .unfetched("the file that it was written to is gone"), now)
    }
    if let problem = digest.problem(as: row.asset), !sabotage.contains(.uncheckedFile) {
      return try noteFailure(
        of: row, FileProblem(code: SyncFailureCode.fileDamaged, reason: "what came \(problem)"),
        now)
    }
    return try apply(content, digest, to: row, now)
  }

  private func take(
    _ consequence: FileConsequence, _ failure: RequestFailure, of row: AwaitedFileRow,
    _ now: Int64
  ) throws -> StepResult {
    let problem = FileProblem(code: SyncFailureCode.fileMissing, reason: "\(failure)")
    switch consequence {
    case .retry(let seconds):
      return try noteFailure(of: row, .unfetched("\(failure)"), now, retryAfter: seconds)
    case .askAgain, .tooLarge, .quota, .refuse:
      // A new address may help; the same one does not.
      var stale = row
      stale.url = nil
      return try noteFailure(of: stale, problem, now)
    }
  }

  /// Gives the object the file, unless it has another value by now.
  private func apply(
    _ content: FileContent, _ digest: FileDigest, to row: AwaitedFileRow, _ now: Int64
  ) throws -> StepResult {
    var reports: [SyncReport] = []
    var tally = SyncTally()
    try write { transaction, rows in
      try takeIn(rows, try zone(rows), now)
      let left = try rows.awaitedFiles(of: row.record).first { $0.field == row.field }
      guard let left, left.asset == row.asset, let record = try rows.record(number: row.record)
      else { return }
      try rows.forgetAwaitedFile(row.record, row.field)
      guard case .object(let entity, let key) = record.owner,
        let type = objects.objectType(number: entity)
      else { return }
      let writer = ObjectWriter(type, of: objects, transaction)
      guard let set = try writer.setFile(row.file, of: key, to: content, size: digest.size) else {
        return
      }
      for field in set.unfit {
        reports.append(.unfit(record: record.name, field: field.field, reason: "\(field)"))
      }
      // What does not fit leaves the object as it was.
      if set.unfit.isEmpty { try rows.forgetEarlierValue(row.record, row.field) }
      try rows.forgetFile(row.record, row.field)
      try rows.put(
        KnownFileRow(
          record: row.record, field: row.field, digest: digest,
          checksum: row.asset.fileChecksum, storedName: set.storedName))
      tally.downloaded = 1
      try rows.log(reports, at: now)
    }
    for told in reports { report(told) }
    return .done(StepFacts(hasMore: true, tally: tally))
  }

  /// Notes that a file did not come: it is tried again some times in this pass, then with later ones.
  private func noteFailure(
    of row: AwaitedFileRow, _ problem: FileProblem, _ now: Int64, retryAfter: Int64? = nil,
    isFinal: Bool = false
  ) throws -> StepResult {
    if sabotage.contains(.forgottenFile) { try sabotage(forgetting: row) }
    var row = row
    row.attempts += 1
    (row.code, row.reason) = (problem.code, problem.reason)
    let triesNow =
      !isFinal && FileLimits.triesAgain(attempt: row.attempts, retryAfterSeconds: retryAfter)
    row.retry =
      triesNow
      ? 0 : now + FileLimits.wait(attempts: row.attempts, retryAfterSeconds: retryAfter)
    let told = try write { _, rows -> SyncReport? in
      let left = try rows.awaitedFiles(of: row.record).first { $0.field == row.field }
      guard let left, left.asset == row.asset else { return nil }
      try rows.put(row)
      guard !triesNow, let record = try rows.record(number: row.record) else { return nil }
      let told = SyncReport.fileMissing(
        record: record.name, field: row.field, reason: problem.reason)
      try rows.log([told], at: now)
      return told
    }
    if let told { report(told) }
    guard triesNow else { return .done(StepFacts(hasMore: true)) }
    return retryAfter.map { .failed(.retry(afterSeconds: $0)) } ?? .unanswered(problem.reason)
  }
}

extension FileProblem {
  static func unfetched(_ why: String) -> FileProblem {
    FileProblem(code: SyncFailureCode.fileUnfetched, reason: why)
  }
}
