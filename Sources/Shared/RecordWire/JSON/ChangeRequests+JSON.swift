public import JSONStream

extension ChangeOptions {
  /// Reads the value of `key` if it is an option, and says whether it was.
  mutating func read(
    _ key: borrowing JSONText, _ json: inout JSONReader, _ limits: WireLimits
  ) throws -> Bool {
    switch key {
    case "desiredKeys":
      desiredKeys = try json.desiredKeys("desiredKeys", limits)
    case "desiredRecordTypes":
      desiredRecordTypes = try json.desiredKeys("desiredRecordTypes", limits)
    case "resultsLimit":
      resultsLimit = try json.count("resultsLimit")
    case "reverse":
      isReversed = try json.truth("reverse")
    case "numbersAsStrings", "numberAsStrings":
      numbersAsStrings = try json.truth("numbersAsStrings")
    case "contrailPageBytes":
      pageBytes = try json.count("contrailPageBytes")
    case "contrailVersionFilter":
      versionFilter = try json.versionFilter("contrailVersionFilter", limits)
    case "contrailTombstones":
      withTombstones = try json.truth("contrailTombstones")
    default:
      return false
    }
    return true
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("desiredKeys", ifPresent: desiredKeys)
    json.member("desiredRecordTypes", ifPresent: desiredRecordTypes)
    json.member("resultsLimit", ifPresent: resultsLimit)
    json.member("reverse", ifPresent: isReversed)
    json.member("numbersAsStrings", ifPresent: numbersAsStrings)
    json.member("contrailPageBytes", ifPresent: pageBytes)
    json.member("contrailVersionFilter", ifPresent: versionFilter)
    json.member("contrailTombstones", ifPresent: withTombstones)
  }
}

extension RecordChangesRequest: WireRequest {
  /// Reads the body of `records/changes`, or one entry of `changes/zone`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var zone: ZoneIdentity?
    self.init(zone: .defaultZone)
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "zoneID": zone = try json.zone("zoneID", limits)
      case "syncToken": syncToken = try json.text("syncToken", max: limits.tokenBytesMax)
      default: _ = try options.read(key, &json, limits)
      }
    }
    self.zone = try zone.required("zoneID")
  }

  /// Writes the body of `records/changes`, or one entry of `changes/zone`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zoneID", ifPresent: zone)
      json.member("syncToken", ifPresent: syncToken)
      options.writeMembers(to: &json)
    }
  }
}

extension RecordChangesResponse: WireResponse {
  /// Reads the body of an answer to `records/changes`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var draft = PageDraft()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      _ = try draft.read(key, &json, limits)
    }
    self = try draft.page()
  }

  /// Writes the body of an answer to `records/changes`.
  public func write(to json: inout JSONWriter) {
    json.object { json in writeMembers(to: &json) }
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("records", records)
    json.member("syncToken", syncToken)
    json.member("moreComing", isMoreComing)
  }
}

/// A page of changes while its keys are read.
private struct PageDraft {
  var records: [RecordResult]?
  var syncToken: String?
  var isMoreComing = false

  /// Reads the value of `key` if it is one of a page, and says whether it was.
  mutating func read(
    _ key: borrowing JSONText, _ json: inout JSONReader, _ limits: WireLimits
  ) throws -> Bool {
    switch key {
    case "records":
      records = try json.records(limits)
    case "syncToken":
      syncToken = try json.text("syncToken", max: limits.tokenBytesMax)
    case "moreComing":
      isMoreComing = try json.truth("moreComing") ?? false
    default:
      return false
    }
    return true
  }

  func page() throws(WireError) -> RecordChangesResponse {
    RecordChangesResponse(
      records: try records.required("records"), syncToken: try syncToken.required("syncToken"),
      isMoreComing: isMoreComing)
  }
}

extension ZoneChangesRequest: WireRequest {
  /// Reads the body of `changes/zone`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var zones: [RecordChangesRequest]?
    self.init(zones: [])
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      if key == "zones" {
        zones = try json.list("zones", max: limits.itemsMax) { reader in
          try RecordChangesRequest(reading: &reader, limits: limits)
        }
      } else {
        _ = try options.read(key, &json, limits)
      }
    }
    self.zones = try zones.required("zones")
  }

  /// Writes the body of `changes/zone`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zones", zones) { element, json in element.write(to: &json) }
      options.writeMembers(to: &json)
    }
  }
}

extension ZoneChangesResponse: WireResponse {
  /// Reads the body of an answer to `changes/zone`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init(
      zones: try json.object(ofList: "zones", max: limits.itemsMax) { reader in
        try Entry(reading: &reader, limits)
      })
  }

  /// Writes the body of an answer to `changes/zone`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zones", zones) { element, json in element.write(to: &json) }
    }
  }
}

extension ZoneChangesResponse.Entry {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var zone: ZoneIdentity?
    var draft = PageDraft()
    var failure = FailureDraft()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      if key == "zoneID" {
        zone = try json.zone("zoneID", limits)
      } else if try !draft.read(key, &json, limits) {
        _ = try failure.read(key, &json, limits)
      }
    }
    if let reason = failure.failure {
      self = .failure(ItemFailure(failure.subject(zone: zone), reason))
    } else {
      self = .page(try zone.required("zoneID"), try draft.page())
    }
  }

  /// Writes the entry.
  public func write(to json: inout JSONWriter) {
    switch self {
    case .page(let zone, let page):
      json.object { json in
        json.member("zoneID", ifPresent: zone)
        page.writeMembers(to: &json)
      }
    case .failure(let failure): failure.write(to: &json)
    }
  }
}

extension DatabaseChangesRequest: WireRequest {
  /// No body asks from the beginning.
  public static var ofNoBody: DatabaseChangesRequest? { DatabaseChangesRequest() }

  /// Reads the body of `changes/database`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "syncToken": syncToken = try json.text("syncToken", max: limits.tokenBytesMax)
      case "resultsLimit": resultsLimit = try json.count("resultsLimit")
      default: break
      }
    }
  }

  /// Writes the body of `changes/database`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("syncToken", ifPresent: syncToken)
      json.member("resultsLimit", ifPresent: resultsLimit)
    }
  }
}

extension DatabaseChangesResponse: WireResponse {
  /// Reads the body of an answer to `changes/database`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var zones: [ZoneResult]?
    var syncToken: String?
    var isMoreComing = false
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "zones": zones = try json.zones(limits)
      case "syncToken": syncToken = try json.text("syncToken", max: limits.tokenBytesMax)
      case "moreComing": isMoreComing = try json.truth("moreComing") ?? false
      default: break
      }
    }
    self.init(
      zones: try zones.required("zones"), syncToken: try syncToken.required("syncToken"),
      isMoreComing: isMoreComing)
  }

  /// Writes the body of an answer to `changes/database`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zones", zones)
      json.member("syncToken", syncToken)
      json.member("moreComing", isMoreComing)
    }
  }
}
