public import JSONStream

extension ZoneDigestRequest: WireRequest {
  /// Reads the body of `zones/digest`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init(
      zones: try json.object(ofList: "zones", max: limits.itemsMax) { reader in
        try Item(reading: &reader, limits)
      })
  }

  /// Writes the body of `zones/digest`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zones", zones) { element, json in element.write(to: &json) }
    }
  }
}

extension ZoneDigestRequest.Item {
  fileprivate init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var zone: ZoneIdentity?
    var wantsBuckets = false
    var filter: VersionFilter?
    var recordsOf: [Int]?
    var recordsAfter: Int?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "zoneID": zone = try json.zone("zoneID", limits)
      case "buckets": wantsBuckets = try json.truth("buckets") ?? false
      case "contrailVersionFilter":
        filter = try json.versionFilter("contrailVersionFilter", limits)
      case "recordsOf":
        recordsOf = try json.list("recordsOf", max: RecordDigest.bucketCount) { reader in
          try Self.bucket(&reader)
        }
      case "recordsAfter": recordsAfter = try json.count("recordsAfter")
      default: break
      }
    }
    self.init(
      try zone.required("zoneID"), wantsBuckets: wantsBuckets, versionFilter: filter,
      recordsOf: recordsOf, recordsAfter: recordsAfter)
  }

  private static func bucket(_ json: inout JSONReader) throws -> Int {
    let number = try json.readInt64()
    guard (0..<Int64(RecordDigest.bucketCount)).contains(number) else {
      throw WireError(
        .wrongShape, expected: "the number of a bucket, below \(RecordDigest.bucketCount)",
        found: "\(number)")
    }
    return Int(number)
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zoneID", ifPresent: zone)
      json.member("buckets", ifTrue: wantsBuckets)
      json.member("contrailVersionFilter", ifPresent: versionFilter)
      if let recordsOf {
        json.key("recordsOf")
        json.array { json in
          for bucket in recordsOf { json.integer(Int64(bucket)) }
        }
      }
      json.member("recordsAfter", ifPresent: recordsAfter)
    }
  }
}

extension ZoneDigestResponse: WireResponse {
  /// Reads the body of an answer to `zones/digest`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init(
      zones: try json.object(ofList: "zones", max: limits.itemsMax) { reader in
        try Entry(reading: &reader, limits)
      })
  }

  /// Writes the body of an answer to `zones/digest`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zones", zones) { element, json in element.write(to: &json) }
    }
  }
}

extension ZoneDigestResponse.Entry {
  fileprivate init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var draft = ZoneDigestDraft()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) { try draft.read(key, &json, limits) }
    if let reason = draft.failure.failure {
      self = .failure(ItemFailure(draft.failure.subject(zone: draft.zone), reason))
    } else {
      self = .state(try draft.state())
    }
  }

  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .state(let state): state.write(to: &json)
    case .failure(let failure): failure.write(to: &json)
    }
  }
}

/// An entry while its keys are read.
private struct ZoneDigestDraft {
  var zone: ZoneIdentity?
  var syncToken: String?
  var count: Int64?
  var digest: Digest128?
  var buckets: [Digest128]?
  var records: [DigestedRecord]?
  var recordsNext: Int?
  var failure = FailureDraft()

  mutating func read(
    _ key: borrowing JSONText, _ json: inout JSONReader, _ limits: WireLimits
  ) throws {
    switch key {
    case "zoneID": zone = try json.zone("zoneID", limits)
    case "syncToken": syncToken = try json.text("syncToken", max: limits.tokenBytesMax)
    case "count": count = try json.whole("count")
    case "digest":
      digest = try json.optional("digest") { reader in try Digest128(reading: &reader) }
    case "buckets":
      buckets = try json.list("buckets", max: RecordDigest.bucketCount) { reader in
        try Digest128(reading: &reader)
      }
    case "records":
      records = try json.list("records", max: limits.itemsMax) { reader in
        try DigestedRecord(reading: &reader, limits)
      }
    case "recordsNext": recordsNext = try json.count("recordsNext")
    default: _ = try failure.read(key, &json, limits)
    }
  }

  func state() throws(WireError) -> ZoneDigestState {
    ZoneDigestState(
      zone: try zone.required("zoneID"), syncToken: try syncToken.required("syncToken"),
      count: try count.required("count"), digest: try digest.required("digest"),
      buckets: buckets, records: records, recordsNext: recordsNext)
  }
}

extension ZoneDigestState {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zoneID", ifPresent: zone)
      json.member("syncToken", syncToken)
      json.member("count", count)
      json.member("digest", digest.text)
      if let buckets {
        json.key("buckets")
        json.array { json in
          for bucket in buckets { json.string(bucket.text) }
        }
      }
      if let records {
        json.member("records", records) { record, json in record.write(to: &json) }
      }
      json.member("recordsNext", ifPresent: recordsNext)
    }
  }
}

extension DigestedRecord {
  fileprivate init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var name: String?
    var tag: String?
    var digest: Digest128?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "recordName": name = try json.name("recordName", limits)
      case "recordChangeTag":
        tag = try json.text("recordChangeTag", max: limits.tokenBytesMax)
      case "digest":
        digest = try json.optional("digest") { reader in try Digest128(reading: &reader) }
      default: break
      }
    }
    self.init(
      recordName: try name.required("recordName"),
      changeTag: ChangeTag(try tag.required("recordChangeTag")),
      digest: try digest.required("digest"))
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("recordName", recordName)
      json.member("recordChangeTag", changeTag.text)
      json.member("digest", digest.text)
    }
  }
}

extension Digest128 {
  fileprivate init(reading json: inout JSONReader) throws {
    let text = try json.readString()
    guard let digest = Digest128(text: text) else {
      throw WireError(
        .wrongShape, expected: "a digest of \(Digest128.digitCount) hexadecimal digits",
        found: "'\(text.prefix(64))'")
    }
    self = digest
  }
}
