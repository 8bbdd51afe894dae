public import JSONStream

extension SchemaExportResponse: WireResponse {
  /// Reads the body of an answer to `schema/export`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var schema: String?
    var environment: ContainerEnvironment?
    var version: Int64?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "schema": schema = try json.text("schema")
      case "environment": environment = try json.environment("environment")
      case "version": version = try json.whole("version")
      default: break
      }
    }
    self.init(
      schema: try schema.required("schema"), environment: try environment.required("environment"),
      version: try version.required("version"))
  }

  /// Writes the body of an answer to `schema/export`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("schema", schema)
      json.member("environment", environment.rawValue)
      json.member("version", version)
    }
  }
}

extension SchemaDiffResponse: WireResponse {
  /// Reads the body of an answer to `schema/diff`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var from, to: String?
    var version: Int64?
    var changes: [SchemaChangeLine]?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "from": from = try json.text("from")
      case "to": to = try json.text("to")
      case "version": version = try json.whole("version")
      case "changes": changes = try json.parts("changes")
      default: break
      }
    }
    self.init(
      from: try from.required("from"), to: try to.required("to"),
      version: try version.required("version"), changes: try changes.required("changes"))
  }

  /// Writes the body of an answer to `schema/diff`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("from", from)
      json.member("to", to)
      json.member("version", version)
      json.member("changes", parts: changes)
    }
  }
}

extension SchemaPlanResponse: WireResponse {
  /// Reads the body of an answer with a plan, refused or not.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var environment: ContainerEnvironment?
    var versionBefore, version: Int64?
    var draft = FailureDraft()
    self.init(environment: .development, versionBefore: 0, version: 0)
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "environment": environment = try json.environment("environment")
      case "changed": isChanged = try json.truth("changed") ?? false
      case "versionBefore": versionBefore = try json.whole("versionBefore")
      case "version": version = try json.whole("version")
      case "changes": changes = try json.parts("changes")
      case "kept": kept = try json.parts("kept")
      case "discarded": discarded = try json.texts("discarded")
      case "deletesAllRecords":
        deletesAllRecords = try json.truth("deletesAllRecords") ?? false
      case "findings": findings = try json.parts("findings")
      case "accepted": accepted = try json.texts("accepted")
      case "refusals": refusals = try json.parts("refusals")
      default: _ = try draft.read(key, &json, limits)
      }
    }
    self.environment = try environment.required("environment")
    self.versionBefore = try versionBefore.required("versionBefore")
    self.version = try version.required("version")
    failure = draft.failure
  }

  /// Writes the body of an answer with a plan; what was refused is an error of the protocol too.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      if let failure { failure.writeMembers(to: &json) }
      json.member("environment", environment.rawValue)
      json.member("changed", isChanged)
      json.member("versionBefore", versionBefore)
      json.member("version", version)
      json.member("changes", parts: changes)
      json.member("kept", parts: kept)
      json.member("discarded", texts: discarded)
      json.member("deletesAllRecords", deletesAllRecords)
      json.member("findings", parts: findings)
      json.member("accepted", texts: accepted)
      json.member("refusals", parts: refusals)
    }
  }
}

extension SchemaAuditResponse: WireResponse {
  /// Reads the body of an answer to `schema/audit`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var entries: [SchemaAuditLine]?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      guard key == "entries" else { continue }
      entries = try json.parts("entries")
    }
    self.init(entries: try entries.required("entries"))
  }

  /// Writes the body of an answer to `schema/audit`.
  public func write(to json: inout JSONWriter) {
    json.object { json in json.member("entries", parts: entries) }
  }
}
