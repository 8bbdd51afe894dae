import JSONStream

extension SchemaChangeLine: SchemaTextLine {
  static let blank = SchemaChangeLine(line: "", change: "", part: "", element: "")
  static let members: [SchemaLineMember<Self>] = [
    .required("line", \.line), .required("change", \.change), .required("part", \.part),
    .required("element", \.element), .optional("aspect", \.aspect),
  ]
}

extension SchemaFindingLine: SchemaTextLine {
  static let blank = SchemaFindingLine(
    rule: "", severity: "", subject: "", message: "", why: "", fix: "")
  static let members: [SchemaLineMember<Self>] = [
    .required("rule", \.rule), .required("severity", \.severity),
    .required("subject", \.subject), .required("message", \.message), .text("why", \.why),
    .text("fix", \.fix), .optional("place", \.place),
  ]
}

extension SchemaRefusalLine: SchemaTextLine {
  static let blank = SchemaRefusalLine(code: "", subject: "", message: "", fix: "")
  static let members: [SchemaLineMember<Self>] = [
    .required("code", \.code), .required("subject", \.subject), .required("message", \.message),
    .text("fix", \.fix), .optional("place", \.place),
  ]
}

extension SchemaAuditLine: SchemaMessagePart {
  init(reading json: inout JSONReader) throws {
    var number, timestamp, version: Int64?
    var act, name: String?
    var changes: [String] = []
    var accepted: [String] = []
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "number": number = try json.whole("number")
      case "act": act = try json.text("act")
      case "name": name = try json.text("name")
      case "timestamp": timestamp = try json.whole("timestamp")
      case "version": version = try json.whole("version")
      case "changes": changes = try json.texts("changes")
      case "accepted": accepted = try json.texts("accepted")
      default: break
      }
    }
    self.init(
      number: try number.required("number"), act: try act.required("act"),
      name: try name.required("name"), timestamp: try timestamp.required("timestamp"),
      version: try version.required("version"), changes: changes, accepted: accepted)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("number", number)
      json.member("act", act)
      json.member("name", name)
      json.member("timestamp", timestamp)
      json.member("version", version)
      json.member("changes", texts: changes)
      json.member("accepted", texts: accepted)
    }
  }
}

extension JSONReader {
  /// Reads a whole number, or null as nil.
  mutating func whole(_ name: StaticString) throws -> Int64? {
    try optional(name) { reader in try reader.readInt64() }
  }
}
