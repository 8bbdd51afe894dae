import ObjectStore
import RecordWire
import SyncCore

// Files go before the records that have them: places for them are asked for, the bytes are sent one file
// at a time, and what the server answers is kept in the store before anything else is done.
extension SyncSession {
  func beginUpload(_ now: Int64) throws -> Work {
    while let upload = uploads.wanted.first {
      guard let place = uploads.places[upload.key], place.expires > now else {
        return try askForPlaces(now)
      }
      if let most = capabilities?.assetBytesMax, upload.digest.size > Int64(most) {
        try fail(upload, .tooLarge(upload.digest.size, most: most), now)
        continue
      }
      guard let content = try content(of: upload) else {
        try fail(upload, .gone, now)
        continue
      }
      if let call = call(upload, content, place) {
        uploads.exchange = .file(upload)
        return .call(call)
      }
      // It is another value by now: the push finds out which.
      uploads.drop(upload)
    }
    return .done(.done(StepFacts()))
  }

  private func askForPlaces(_ now: Int64) throws -> Work {
    let asked = Array(
      uploads.wanted.filter { (uploads.places[$0.key]?.expires ?? 0) <= now }
        .prefix(uploads.placesMax))
    let request = AssetUploadRequest(
      tokens: asked.map {
        AssetField(
          recordName: $0.record.name, recordType: $0.record.type, fieldName: $0.file.field)
      }, zone: try read(zone).identity)
    uploads.exchange = .places(asked)
    return .call(SyncCall("assets/upload", in: .database(.private), body: try request.json()))
  }

  private func content(of upload: WantedUpload) throws -> FileContent? {
    try read { rows in
      try LocalRecords(rows, objects, files: store).content(of: upload.file, upload.object, store)
    }
  }

  /// The request that sends a file; nil where the object has another value by now.
  private func call(
    _ upload: WantedUpload, _ content: FileContent, _ place: UploadQueue.Place
  ) -> SyncCall? {
    var call = SyncCall("assets/place", in: .address(place.url))
    switch content {
    case .file(let path): call.bodyFile = path
    case .bytes(let bytes):
      guard FileDigest(of: bytes) == upload.digest else { return nil }
      call.body = bytes
    }
    return call
  }

  func finishUpload(
    _ reply: Result<SyncReply, TransportFailure>, _ now: Int64
  ) throws -> StepResult {
    guard let exchange = uploads.exchange else { return .done(StepFacts()) }
    uploads.exchange = nil
    switch (exchange, reply) {
    case (.places, .failure(let failure)): return .unanswered("\(failure)")
    case (.places(let asked), .success(let reply)): return try takePlaces(reply, asked, now)
    case (.file(let upload), .failure(let failure)):
      return try tryLater(upload, "\(failure)", retryAfter: nil, now)
    case (.file(let upload), .success(let reply)): return try take(reply, to: upload, now)
    }
  }

  private var uploadFacts: StepFacts { StepFacts(hasMore: !uploads.wanted.isEmpty) }
}

// The places.
extension SyncSession {
  private func takePlaces(
    _ reply: SyncReply, _ asked: [WantedUpload], _ now: Int64
  ) throws -> StepResult {
    if let failure = reply.failure { return try takeRefusal(failure, asked, now) }
    let response = try AssetUploadResponse(json: reply.body)
    guard response.tokens.count == asked.count else {
      throw SyncError(
        .badAnswer, "assets/upload",
        "answers \(response.tokens.count) places for \(asked.count) files",
        fix: "see whether something between here and the server changes answers")
    }
    var facts = StepFacts()
    for (upload, entry) in zip(asked, response.tokens) {
      switch entry {
      case .token(let token):
        uploads.places[upload.key] = UploadQueue.Place(
          url: token.url, expires: now + FileLimits.placeLife)
      case .failure(let failure):
        if let result = try refuse(upload, failure.failure, &facts, now) { return result }
      }
    }
    facts.hasMore = !uploads.wanted.isEmpty
    return .done(facts)
  }

  /// The server refuses to say where the files may go.
  private func takeRefusal(
    _ failure: RequestFailure, _ asked: [WantedUpload], _ now: Int64
  ) throws -> StepResult {
    let consequence = RequestConsequence(failure)
    switch consequence {
    case .zoneGone: return try takeZoneGone()
    case .refused, .isUnknown, .split:
      if asked.count > 1 {
        uploads.placesMax = 1
        return .failed(.split)
      }
    case .quota: break
    case .retry, .tokenExpired, .signIn: return .failed(consequence)
    }
    var facts = StepFacts()
    for upload in asked {
      if let result = try refuse(upload, failure, &facts, now) { return result }
    }
    facts.hasMore = !uploads.wanted.isEmpty
    return .done(facts)
  }

  /// There is no place for a file: what the record's failure would mean, it means.
  private func refuse(
    _ upload: WantedUpload, _ failure: RequestFailure, _ facts: inout StepFacts, _ now: Int64
  ) throws -> StepResult? {
    switch ItemConsequence(failure, isDeletion: false) {
    case .park(let lack):
      // What it lacks has to be this field, or nothing would change by parking it.
      guard lack.recordType.isSameName(upload.record.type),
        lack.field?.isSameName(upload.file.field) ?? true
      else {
        try fail(upload, FileProblem(failure), now)
        break
      }
      try write { _, rows in
        try rows.noteLack(
          lack.recordType, lack.field ?? "", "production lacks \(lack)", refusedAt: now)
      }
      uploads.drop(upload)
    case .zoneGone: return try takeZoneGone()
    case .signIn: return .failed(RequestConsequence(failure))
    case .quota:
      facts.trouble = .quotaExceeded
      try fail(upload, FileProblem(failure), now)
    case .wait, .isInnocent, .lookUp, .isDone:
      try postpone(
        upload, FileProblem(failure), retryAfter: failure.retryAfter, attempts: 1, now)
    case .fail: try fail(upload, FileProblem(failure), now)
    }
    return nil
  }
}

// The bytes.
extension SyncSession {
  private func take(
    _ reply: SyncReply, to upload: WantedUpload, _ now: Int64
  ) throws -> StepResult {
    if let failure = reply.failure {
      return try take(FileConsequence(failure, status: reply.status), failure, of: upload, now)
    }
    guard let asset = try? SingleFileResponse(json: reply.body).file, let receipt = asset.receipt,
      !receipt.isEmpty
    else { return try tryLater(upload, "the answer to an upload has no receipt", now) }
    if let problem = upload.digest.problem(as: asset) {
      return try tryLater(upload, "what arrived \(problem)", now)
    }
    try write { _, rows in
      try rows.put(
        KnownFileRow(
          record: upload.record.number, field: upload.file.field, digest: upload.digest,
          checksum: asset.fileChecksum, receipt: asset, received: now,
          storedName: upload.file.storedName))
    }
    uploads.attempts[upload.key] = nil
    uploads.drop(upload)
    var facts = uploadFacts
    facts.tally.uploaded = 1
    return .done(facts)
  }

  private func take(
    _ consequence: FileConsequence, _ failure: RequestFailure, of upload: WantedUpload,
    _ now: Int64
  ) throws -> StepResult {
    switch consequence {
    case .askAgain:
      uploads.places[upload.key] = nil
      return try tryLater(upload, "\(failure)", now)
    case .retry(let seconds):
      return try tryLater(upload, "\(failure)", retryAfter: seconds, now)
    case .tooLarge: try fail(upload, .tooLarge(upload.digest.size, most: nil), now)
    case .refuse: try fail(upload, FileProblem(failure), now)
    case .quota:
      try fail(upload, FileProblem(failure), now)
      return .done(
        StepFacts(hasMore: !uploads.wanted.isEmpty, trouble: .quotaExceeded))
    }
    return .done(uploadFacts)
  }

  /// Tries a file again, some times in this pass, then with a later one: other records need not wait.
  private func tryLater(
    _ upload: WantedUpload, _ why: String, retryAfter: Int64? = nil, _ now: Int64
  ) throws -> StepResult {
    let attempts = (uploads.attempts[upload.key] ?? 0) + 1
    uploads.attempts[upload.key] = attempts
    if FileLimits.triesAgain(attempt: attempts, retryAfterSeconds: retryAfter) {
      return retryAfter.map { .failed(.retry(afterSeconds: $0)) } ?? .unanswered(why)
    }
    try postpone(
      upload, FileProblem(code: SyncFailureCode.fileUnsent, reason: why), retryAfter: retryAfter,
      attempts: attempts, now)
    return .done(uploadFacts)
  }
}

/// Why a file cannot be sent or fetched.
struct FileProblem: Hashable {
  /// The server's code, or one of `SyncFailureCode`.
  var code: String
  var reason: String
}

extension FileProblem {
  init(_ failure: RequestFailure) {
    self.init(code: failure.code.rawValue, reason: failure.reason)
  }

  static let gone = FileProblem(
    code: SyncFailureCode.unrepresentable, reason: "the file with the value is gone")

  static func tooLarge(_ size: Int64, most: Int?) -> FileProblem {
    let limit = most.map { "\($0) bytes at most" } ?? "less"
    return FileProblem(
      code: SyncFailureCode.fileTooLarge, reason: "has \(size) bytes, and the server takes \(limit)"
    )
  }
}

extension SyncSession {
  /// Keeps the change that needs a file as failed.
  private func fail(_ upload: WantedUpload, _ problem: FileProblem, _ now: Int64) throws {
    uploads.drop(record: upload.record.number)
    let reason = "\(upload.file.field): \(problem.reason)"
    let fate = try write { _, rows -> ChangeFate? in
      guard let row = try rows.ownChange(of: upload.record.number) else { return nil }
      let fate = ChangeFate(upload.record, try rows.fail(row, problem.code, reason))
      try rows.log([.fate(fate)], at: now)
      return fate
    }
    if let fate { report(.fate(fate)) }
  }

  /// Puts off the change that needs a file.
  private func postpone(
    _ upload: WantedUpload, _ problem: FileProblem, retryAfter: Int64?, attempts: Int64,
    _ now: Int64
  ) throws {
    uploads.drop(record: upload.record.number)
    try write { _, rows in
      guard var row = try rows.ownChange(of: upload.record.number) else { return }
      row.attempts += 1
      (row.code, row.reason) = (problem.code, "\(upload.file.field): \(problem.reason)")
      row.retry =
        now + FileLimits.wait(attempts: max(attempts, row.attempts), retryAfterSeconds: retryAfter)
      try rows.put(row)
    }
  }
}
