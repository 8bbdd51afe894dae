import JSONStream

extension ZoneIdentity {
  /// Reads the dictionary of a zone; without a name it is the default zone.
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    self.init(name: Self.defaultName)
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "zoneName": name = try json.name("zoneName", limits) ?? Self.defaultName
      case "ownerRecordName": owner = try json.name("ownerRecordName", limits)
      case "zoneType":
        kind = try json.text("zoneType", max: limits.nameBytesMax).map(ZoneKind.init(rawValue:))
      default: break
      }
    }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zoneName", name)
      json.member("ownerRecordName", ifPresent: owner)
      json.member("zoneType", ifPresent: kind?.rawValue)
    }
  }
}

extension JSONReader {
  /// Reads the dictionary of a zone, or null as nil.
  mutating func zone(_ name: StaticString, _ limits: WireLimits) throws -> ZoneIdentity? {
    try optional(name) { reader in try ZoneIdentity(reading: &reader, limits) }
  }
}

extension RecordLink {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var recordName: String?
    var zone: ZoneIdentity?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "recordName": recordName = try json.name("recordName", limits)
      case "zoneID": zone = try json.zone("zoneID", limits)
      default: break
      }
    }
    self.init(recordName: try recordName.required("recordName"), zone: zone)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("recordName", recordName)
      json.member("zoneID", ifPresent: zone)
    }
  }
}

extension RecordStamp {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var timestamp: Int64?
    self.init(timestamp: 0)
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "timestamp":
        timestamp = try json.optional("timestamp") { reader in try reader.readInt64() }
      case "userRecordName": userRecordName = try json.name("userRecordName", limits)
      case "deviceID": deviceID = try json.text("deviceID", max: limits.nameBytesMax)
      default: break
      }
    }
    self.timestamp = try timestamp.required("timestamp")
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("timestamp", timestamp)
      json.member("userRecordName", ifPresent: userRecordName)
      json.member("deviceID", ifPresent: deviceID)
    }
  }
}
