public import JSONStream

extension RecordZone {
  func writeMembers(to json: inout JSONWriter) {
    json.member("zoneID", ifPresent: zone)
    json.member("syncToken", ifPresent: syncToken)
    json.member("atomic", ifPresent: isAtomic)
    json.member("deleted", ifTrue: isDeleted)
  }
}

extension ZoneResult {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var zone: ZoneIdentity?
    var result = RecordZone(.defaultZone)
    var failure = FailureDraft()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "zoneID": zone = try json.zone("zoneID", limits)
      case "syncToken": result.syncToken = try json.text("syncToken", max: limits.tokenBytesMax)
      case "atomic": result.isAtomic = try json.truth("atomic")
      case "deleted": result.isDeleted = try json.truth("deleted") ?? false
      default: _ = try failure.read(key, &json, limits)
      }
    }
    if let reason = failure.failure {
      self = .failure(ItemFailure(failure.subject(zone: zone), reason))
    } else {
      result.zone = try zone.required("zoneID")
      self = .zone(result)
    }
  }

  /// Writes the entry.
  public func write(to json: inout JSONWriter) {
    switch self {
    case .zone(let zone): json.object { json in zone.writeMembers(to: &json) }
    case .failure(let failure): failure.write(to: &json)
    }
  }
}

extension JSONReader {
  /// Reads the zones of an answer, or null as nil.
  mutating func zones(_ limits: WireLimits) throws -> [ZoneResult]? {
    try list("zones", max: limits.itemsMax) { reader in
      try ZoneResult(reading: &reader, limits)
    }
  }

  /// Reads a zone as requests name it: bare, or as `{"zoneID": …}`, as clients do either.
  fileprivate mutating func namedZone(_ limits: WireLimits) throws -> ZoneIdentity {
    var wrapped: ZoneIdentity?
    var bare = ZoneIdentity(name: "")
    let object = try beginObject()
    while let key = try nextKey(of: object) {
      switch key {
      case "zoneID": wrapped = try zone("zoneID", limits)
      case "zoneName": bare.name = try name("zoneName", limits) ?? ""
      case "ownerRecordName": bare.owner = try name("ownerRecordName", limits)
      case "zoneType":
        bare.kind = try text("zoneType", max: limits.nameBytesMax).map(ZoneKind.init(rawValue:))
      default: break
      }
    }
    if let wrapped { return wrapped }
    guard !bare.name.isEmpty else { throw WireError.missing("zoneName") }
    return bare
  }
}

extension JSONWriter {
  /// Writes the zones of an answer.
  mutating func member(_ key: StaticString, _ zones: [ZoneResult]) {
    member(key, zones) { zone, json in zone.write(to: &json) }
  }
}

extension EmptyRequest: WireRequest {
  /// No body says nothing as well.
  public static var ofNoBody: EmptyRequest? { EmptyRequest() }

  /// Reads an object and ignores what it says.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init()
    let object = try json.beginObject()
    while try json.nextKey(of: object) != nil {}
  }

  /// Writes an empty object.
  public func write(to json: inout JSONWriter) { json.object { _ in } }
}

extension ZoneLookupRequest: WireRequest {
  /// Reads the body of `zones/lookup`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init(
      zones: try json.object(ofList: "zones", max: limits.itemsMax) { reader in
        try reader.namedZone(limits)
      })
  }

  /// Writes the body of `zones/lookup`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zones", zones) { element, json in element.write(to: &json) }
    }
  }
}

extension ZoneModifyRequest: WireRequest {
  /// Reads the body of `zones/modify`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init(
      operations: try json.object(ofList: "operations", max: limits.itemsMax) { reader in
        try Operation(reading: &reader, limits)
      })
  }

  /// Writes the body of `zones/modify`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("operations", operations) { element, json in element.write(to: &json) }
    }
  }
}

extension ZoneModifyRequest.Operation {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var kind: Kind?
    var zone: ZoneIdentity?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "operationType": kind = try json.word("operationType", "create or delete")
      case "zone": zone = try json.optional("zone") { reader in try reader.namedZone(limits) }
      default: break
      }
    }
    self.init(try kind.required("operationType"), try zone.required("zone"))
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("operationType", kind.rawValue)
      json.key("zone")
      json.object { json in json.member("zoneID", ifPresent: zone) }
    }
  }
}

extension ZonesResponse: WireResponse {
  /// Reads the body of an answer with zones.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init(
      zones: try json.object(ofList: "zones", max: limits.itemsMax) { reader in
        try ZoneResult(reading: &reader, limits)
      })
  }

  /// Writes the body of an answer with zones.
  public func write(to json: inout JSONWriter) {
    json.object { json in json.member("zones", zones) }
  }
}
