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
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "zoneID": zone = try json.zone("zoneID", limits)
      case "buckets": wantsBuckets = try json.truth("buckets") ?? false
      case "contrailVersionFilter":
        filter = try json.versionFilter("contrailVersionFilter", limits)
      default: break
      }
    }
    self.init(try zone.required("zoneID"), wantsBuckets: wantsBuckets, versionFilter: filter)
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zoneID", ifPresent: zone)
      json.member("buckets", ifTrue: wantsBuckets)
      json.member("contrailVersionFilter", ifPresent: versionFilter)
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
    default: _ = try failure.read(key, &json, limits)
    }
  }

  func state() throws(WireError) -> ZoneDigestState {
    ZoneDigestState(
      zone: try zone.required("zoneID"), syncToken: try syncToken.required("syncToken"),
      count: try count.required("count"), digest: try digest.required("digest"),
      buckets: buckets)
  }
}

extension ZoneDigestState {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zoneID", ifPresent: zone)
      json.member("syncToken", syncToken)
      json.member("count", count)
      json.member("digest", digest.text)
      guard let buckets else { return }
      json.key("buckets")
      json.array { json in
        for bucket in buckets { json.string(bucket.text) }
      }
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
