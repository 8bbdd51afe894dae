public import JSONStream

extension SchemaTextRequest: WireRequest {
  /// Reads the body of `schema/validate` and `schema/import`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var schema: String?
    var file: String?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "schema": schema = try json.text("schema")
      case "file": file = try json.text("file", max: ManagementLimits.fileNameBytesMax)
      default: break
      }
    }
    self.init(schema: try schema.required("schema"), file: file ?? Self.defaultFile)
  }

  /// Writes the body of `schema/validate` and `schema/import`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("schema", schema)
      json.member("file", file)
    }
  }
}

extension SchemaDiffRequest: WireRequest {
  /// What is asked without any body.
  public static var ofNoBody: SchemaDiffRequest? { SchemaDiffRequest() }

  /// Reads the body of `schema/diff`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "from": from = try json.environment("from") ?? from
      case "to": to = try json.environment("to") ?? to
      case "schema": schema = try json.text("schema")
      case "file":
        file = try json.text("file", max: ManagementLimits.fileNameBytesMax) ?? file
      default: break
      }
    }
  }

  /// Writes the body of `schema/diff`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("from", from.rawValue)
      if let schema {
        json.member("schema", schema)
        json.member("file", file)
      } else {
        json.member("to", to.rawValue)
      }
    }
  }
}

extension SchemaPromoteRequest: WireRequest {
  /// Reads the body of `schema/promote`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "dryRun": isDryRun = try json.truth("dryRun") ?? false
      case "accept":
        accept =
          try json.list("accept", max: ManagementLimits.rulesMax) { reader in
            try reader.name("", limits).required("rule")
          } ?? []
      default: break
      }
    }
  }

  /// Writes the body of `schema/promote`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("dryRun", isDryRun)
      json.member("accept", texts: accept)
    }
  }
}

extension SchemaResetRequest: WireRequest {
  /// Reads the body of `schema/reset`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "confirm": confirm = try json.name("confirm", limits)
      case "dryRun": isDryRun = try json.truth("dryRun") ?? false
      default: break
      }
    }
  }

  /// Writes the body of `schema/reset`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("confirm", ifPresent: confirm)
      json.member("dryRun", ifTrue: isDryRun)
    }
  }
}

extension JSONReader {
  /// Reads the name of an environment, or null as nil.
  mutating func environment(_ name: StaticString) throws -> ContainerEnvironment? {
    if try readNull() { return nil }
    let word: ContainerEnvironment = try word(name, "'development' or 'production'")
    return word
  }

  /// Reads a list of texts, or null as none.
  mutating func texts(_ name: StaticString) throws -> [String] {
    try list(name, max: ManagementLimits.partsMax) { reader in try reader.readString() } ?? []
  }

  /// Reads a list of messages, or null as none.
  mutating func parts<Part: SchemaMessagePart>(_ name: StaticString) throws -> [Part] {
    try list(name, max: ManagementLimits.partsMax) { reader in
      try Part(reading: &reader)
    } ?? []
  }
}

extension JSONWriter {
  mutating func member(_ key: StaticString, texts: [String]) {
    self.key(key)
    array { json in
      for text in texts { json.string(text) }
    }
  }

  mutating func member<Part: SchemaMessagePart>(_ key: StaticString, parts: [Part]) {
    self.key(key)
    array { json in
      for part in parts { part.write(to: &json) }
    }
  }
}

/// What stands in lists of answers about schemas.
protocol SchemaMessagePart {
  init(reading json: inout JSONReader) throws
  func write(to json: inout JSONWriter)
}
