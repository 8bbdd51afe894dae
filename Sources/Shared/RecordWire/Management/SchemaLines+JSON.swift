import JSONStream

extension SchemaChangeLine: SchemaMessagePart {
  init(reading json: inout JSONReader) throws {
    var line, change, part, element, aspect: String?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "line": line = try json.text("line")
      case "change": change = try json.text("change")
      case "part": part = try json.text("part")
      case "element": element = try json.text("element")
      case "aspect": aspect = try json.text("aspect")
      default: break
      }
    }
    self.init(
      line: try line.required("line"), change: try change.required("change"),
      part: try part.required("part"), element: try element.required("element"), aspect: aspect)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("line", line)
      json.member("change", change)
      json.member("part", part)
      json.member("element", element)
      json.member("aspect", ifPresent: aspect)
    }
  }
}

extension SchemaFindingLine: SchemaMessagePart {
  init(reading json: inout JSONReader) throws {
    var rule, severity, subject, message, why, fix, place: String?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "rule": rule = try json.text("rule")
      case "severity": severity = try json.text("severity")
      case "subject": subject = try json.text("subject")
      case "message": message = try json.text("message")
      case "why": why = try json.text("why")
      case "fix": fix = try json.text("fix")
      case "place": place = try json.text("place")
      default: break
      }
    }
    self.init(
      rule: try rule.required("rule"), severity: try severity.required("severity"),
      subject: try subject.required("subject"), message: try message.required("message"),
      why: why ?? "", fix: fix ?? "", place: place)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("rule", rule)
      json.member("severity", severity)
      json.member("subject", subject)
      json.member("message", message)
      json.member("why", why)
      json.member("fix", fix)
      json.member("place", ifPresent: place)
    }
  }
}

extension SchemaRefusalLine: SchemaMessagePart {
  init(reading json: inout JSONReader) throws {
    var code, subject, message, fix, place: String?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "code": code = try json.text("code")
      case "subject": subject = try json.text("subject")
      case "message": message = try json.text("message")
      case "fix": fix = try json.text("fix")
      case "place": place = try json.text("place")
      default: break
      }
    }
    self.init(
      code: try code.required("code"), subject: try subject.required("subject"),
      message: try message.required("message"), fix: fix ?? "", place: place)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("code", code)
      json.member("subject", subject)
      json.member("message", message)
      json.member("fix", fix)
      json.member("place", ifPresent: place)
    }
  }
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
