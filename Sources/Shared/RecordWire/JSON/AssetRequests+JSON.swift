public import JSONStream

extension AssetField {
  /// Reads a field; an upload needs the record's type, and everything else its name.
  init(
    reading json: inout JSONReader, _ limits: WireLimits, isUpload: Bool
  ) throws {
    var fieldName: String?
    self.init(fieldName: "")
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "recordName": recordName = try json.name("recordName", limits)
      case "recordType": recordType = try json.name("recordType", limits)
      case "fieldName": fieldName = try json.name("fieldName", limits)
      default: break
      }
    }
    self.fieldName = try fieldName.required("fieldName")
    if isUpload {
      _ = try recordType.required("recordType")
    } else {
      _ = try recordName.required("recordName")
    }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("recordName", ifPresent: recordName)
      json.member("recordType", ifPresent: recordType)
      json.member("fieldName", fieldName)
    }
  }
}

extension JSONWriter {
  /// Writes fields that hold files.
  fileprivate mutating func member(_ key: StaticString, _ fields: [AssetField]) {
    self.key(key)
    array { json in
      for field in fields { field.write(to: &json) }
    }
  }
}

extension AssetUploadRequest: WireRequest {
  /// Reads the body of `assets/upload`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var tokens: [AssetField]?
    self.init(tokens: [])
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "zoneID": zone = try json.zone("zoneID", limits)
      case "tokens":
        tokens = try json.list("tokens", max: limits.itemsMax) { reader in
          try AssetField(reading: &reader, limits, isUpload: true)
        }
      default: break
      }
    }
    self.tokens = try tokens.required("tokens")
  }

  /// Writes the body of `assets/upload`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zoneID", ifPresent: zone)
      json.member("tokens", tokens)
    }
  }
}

extension AssetUploadResponse: WireResponse {
  /// Reads the body of an answer to `assets/upload`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var tokens: [Entry]?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      guard key == "tokens" else { continue }
      tokens = try json.list("tokens", max: limits.itemsMax) { reader in
        try Entry(reading: &reader, limits)
      }
    }
    self.init(tokens: try tokens.required("tokens"))
  }

  /// Writes the body of an answer to `assets/upload`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("tokens")
      json.array { json in
        for token in tokens { token.write(to: &json) }
      }
    }
  }
}

extension AssetUploadResponse.Entry {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var recordName: String?
    var fieldName: String?
    var url: String?
    var failure = FailureDraft()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "recordName": recordName = try json.name("recordName", limits)
      case "fieldName": fieldName = try json.name("fieldName", limits)
      case "url": url = try json.text("url")
      default: _ = try failure.read(key, &json, limits)
      }
    }
    if let reason = failure.failure {
      self = .failure(ItemFailure(failure.subject(record: recordName), reason))
    } else {
      self = .token(
        AssetUploadResponse.Token(
          recordName: try recordName.required("recordName"),
          fieldName: try fieldName.required("fieldName"), url: try url.required("url")))
    }
  }

  func write(to json: inout JSONWriter) {
    switch self {
    case .token(let token):
      json.object { json in
        json.member("recordName", token.recordName)
        json.member("fieldName", token.fieldName)
        json.member("url", token.url)
      }
    case .failure(let failure): failure.write(to: &json)
    }
  }
}

extension SingleFileResponse: WireResponse {
  /// Reads what the place of an upload answers.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var file: RecordAsset?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      guard key == "singleFile" else { continue }
      file = try json.optional("singleFile") { reader in try RecordAsset(reading: &reader) }
    }
    self.init(file: try file.required("singleFile"))
  }

  /// Writes what the place of an upload answers.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("singleFile")
      file.write(to: &json)
    }
  }
}

extension AssetRereferenceRequest: WireRequest {
  /// Reads the body of `assets/rereference`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var assets: [AssetField]?
    self.init(assets: [])
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "zoneID": zone = try json.zone("zoneID", limits)
      case "assets":
        assets = try json.list("assets", max: limits.itemsMax) { reader in
          try AssetField(reading: &reader, limits, isUpload: false)
        }
      default: break
      }
    }
    self.assets = try assets.required("assets")
  }

  /// Writes the body of `assets/rereference`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zoneID", ifPresent: zone)
      json.member("assets", assets)
    }
  }
}

extension AssetRereferenceResponse: WireResponse {
  /// Reads the body of an answer to `assets/rereference`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var assets: [RecordAsset]?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      guard key == "assets" else { continue }
      assets = try json.list("assets", max: limits.itemsMax) { reader in
        try RecordAsset(reading: &reader)
      }
    }
    self.init(assets: try assets.required("assets"))
  }

  /// Writes the body of an answer to `assets/rereference`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("assets")
      json.array { json in
        for asset in assets { asset.write(to: &json) }
      }
    }
  }
}
