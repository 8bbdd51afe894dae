public import JSONStream

extension LookupRequest: WireRequest {
  /// Reads the body of `records/lookup`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var records: [Item]?
    self.init(records: [])
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "records":
        records = try json.list("records", max: limits.itemsMax) { reader in
          try Item(reading: &reader, limits)
        }
      case "zoneID": zone = try json.zone("zoneID", limits)
      case "desiredKeys": desiredKeys = try json.desiredKeys("desiredKeys", limits)
      case "numbersAsStrings", "numberAsStrings":
        numbersAsStrings = try json.truth("numbersAsStrings") ?? false
      default: break
      }
    }
    self.records = try records.required("records")
  }

  /// Writes the body of `records/lookup`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("records")
      json.array { json in
        for item in records { item.write(to: &json) }
      }
      json.member("zoneID", ifPresent: zone)
      json.member("desiredKeys", ifPresent: desiredKeys)
      json.member("numbersAsStrings", ifTrue: numbersAsStrings)
    }
  }
}

extension LookupRequest.Item {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var recordName: String?
    var desiredKeys: DesiredKeys?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "recordName": recordName = try json.name("recordName", limits)
      case "desiredKeys": desiredKeys = try json.desiredKeys("desiredKeys", limits)
      default: break
      }
    }
    self.init(recordName: try recordName.required("recordName"), desiredKeys: desiredKeys)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("recordName", recordName)
      json.member("desiredKeys", ifPresent: desiredKeys)
    }
  }
}

extension RecordsResponse: WireResponse {
  /// Reads the body of an answer with records.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var records: [RecordResult]?
    self.init(records: [])
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "records": records = try json.records(limits)
      case "continuationMarker":
        continuationMarker = try json.text("continuationMarker", max: limits.tokenBytesMax)
      case "syncToken": syncToken = try json.text("syncToken", max: limits.tokenBytesMax)
      case "contrailTokenBefore":
        tokenBefore = try json.text("contrailTokenBefore", max: limits.tokenBytesMax)
      default: break
      }
    }
    self.records = try records.required("records")
  }

  /// Writes the body of an answer with records.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("records", records)
      json.member("continuationMarker", ifPresent: continuationMarker)
      json.member("syncToken", ifPresent: syncToken)
      json.member("contrailTokenBefore", ifPresent: tokenBefore)
    }
  }
}

extension JSONReader {
  /// Reads the records of an answer, or null as nil.
  mutating func records(_ limits: WireLimits) throws -> [RecordResult]? {
    try list("records", max: limits.itemsMax) { reader in
      try RecordResult(reading: &reader, limits)
    }
  }
}

extension JSONWriter {
  /// Writes the records of an answer.
  mutating func member(_ key: StaticString, _ records: [RecordResult]) {
    self.key(key)
    array { json in
      for record in records { record.write(to: &json) }
    }
  }
}
