public import JSONStream

extension SchemaCheckRequest: WireRequest {
  /// Reads the body of `schema/check`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var types: [RecordType]?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      guard key == "types" else { continue }
      types = try json.list("types", max: ExtensionLimits.typesMax) { reader in
        try RecordType(reading: &reader, limits)
      }
    }
    self.init(types: try types.required("types"))
  }

  /// Writes the body of `schema/check`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("types")
      json.array { json in
        for type in types { type.write(to: &json) }
      }
    }
  }
}

extension SchemaCheckRequest.RecordType {
  fileprivate init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var name: String?
    var fields: [SchemaCheckRequest.Field]?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "recordType": name = try json.name("recordType", limits)
      case "fields":
        fields = try json.list("fields", max: limits.fieldsMax) { reader in
          try SchemaCheckRequest.Field(reading: &reader, limits)
        }
      default: break
      }
    }
    self.init(try name.required("recordType"), fields: try fields.required("fields"))
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("recordType", name)
      json.key("fields")
      json.array { json in
        for field in fields { field.write(to: &json) }
      }
    }
  }
}

extension SchemaCheckRequest.Field {
  fileprivate init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var name, type: String?
    var isEncrypted = false
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "name": name = try json.name("name", limits)
      case "type": type = try json.name("type", limits)
      case "isEncrypted": isEncrypted = try json.truth("isEncrypted") ?? false
      default: break
      }
    }
    self.init(
      try name.required("name"), type: try type.required("type"), isEncrypted: isEncrypted)
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("name", name)
      json.member("type", type)
      json.member("isEncrypted", ifTrue: isEncrypted)
    }
  }
}

extension SchemaCheckResponse: WireResponse {
  /// Reads the body of an answer to `schema/check`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var version: Int64?
    var lacks: [Lack]?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "version": version = try json.whole("version")
      case "lacks":
        lacks = try json.list("lacks", max: limits.listElementsMax) { reader in
          try Lack(reading: &reader, limits)
        }
      default: break
      }
    }
    self.init(version: try version.required("version"), lacks: try lacks.required("lacks"))
  }

  /// Writes the body of an answer to `schema/check`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("version", version)
      json.key("lacks")
      json.array { json in
        for lack in lacks { lack.write(to: &json) }
      }
    }
  }
}

extension SchemaCheckResponse.Lack {
  fileprivate init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var recordType: String?
    self.init(recordType: "", reason: "")
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "recordType": recordType = try json.name("recordType", limits)
      case "field": field = try json.name("field", limits)
      case "has": has = try json.name("has", limits)
      case "reason": reason = try json.text("reason") ?? ""
      default: break
      }
    }
    self.recordType = try recordType.required("recordType")
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("recordType", recordType)
      json.member("field", ifPresent: field)
      json.member("has", ifPresent: has)
      json.member("reason", reason)
    }
  }
}
