import JSONStream

extension RecordReference {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var recordName: String?
    var zone: ZoneIdentity?
    var action: Action?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "recordName": recordName = try json.name("recordName", limits)
      case "zoneID": zone = try json.zone("zoneID", limits)
      case "action":
        if try !json.readNull() { action = try json.word("action", "an action of a reference") }
      default: break
      }
    }
    self.init(recordName: try recordName.required("recordName"), zone: zone, action: action)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("recordName", recordName)
      json.member("zoneID", ifPresent: zone)
      json.member("action", ifPresent: action?.rawValue)
    }
  }
}

extension RecordLocation {
  init(reading json: inout JSONReader) throws {
    var latitude: Double?
    var longitude: Double?
    self.init(latitude: 0, longitude: 0)
    func number(_ key: StaticString, _ json: inout JSONReader) throws -> Double? {
      try json.optional(key) { reader in try reader.readDouble() }
    }
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "latitude": latitude = try number("latitude", &json)
      case "longitude": longitude = try number("longitude", &json)
      case "altitude": altitude = try number("altitude", &json)
      case "horizontalAccuracy": horizontalAccuracy = try number("horizontalAccuracy", &json)
      case "verticalAccuracy": verticalAccuracy = try number("verticalAccuracy", &json)
      case "speed": speed = try number("speed", &json)
      case "course": course = try number("course", &json)
      case "timestamp":
        timestamp = try json.optional("timestamp") { reader in try reader.readInt64() }
      default: break
      }
    }
    self.latitude = try latitude.required("latitude")
    self.longitude = try longitude.required("longitude")
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("latitude", latitude)
      json.member("longitude", longitude)
      json.member("altitude", ifPresent: altitude)
      json.member("horizontalAccuracy", ifPresent: horizontalAccuracy)
      json.member("verticalAccuracy", ifPresent: verticalAccuracy)
      json.member("speed", ifPresent: speed)
      json.member("course", ifPresent: course)
      json.member("timestamp", ifPresent: timestamp)
    }
  }
}

extension RecordAsset {
  init(reading json: inout JSONReader) throws {
    self.init()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "fileChecksum": fileChecksum = try json.text("fileChecksum")
      case "size": size = try json.count("size").map(Int64.init)
      case "receipt": receipt = try json.text("receipt")
      case "wrappingKey": wrappingKey = try json.text("wrappingKey")
      case "referenceChecksum": referenceChecksum = try json.text("referenceChecksum")
      case "downloadURL": downloadURL = try json.text("downloadURL")
      default: break
      }
    }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("fileChecksum", ifPresent: fileChecksum)
      json.member("size", ifPresent: size)
      json.member("receipt", ifPresent: receipt)
      json.member("wrappingKey", ifPresent: wrappingKey)
      json.member("referenceChecksum", ifPresent: referenceChecksum)
      json.member("downloadURL", ifPresent: downloadURL)
    }
  }
}
