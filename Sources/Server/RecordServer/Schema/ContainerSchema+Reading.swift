import DataModel
import JSONStream
import SchemaFormats

extension ContainerSchema {
  /// Reads the stored form strictly, and holds it to the rules of every container's schema.
  ///
  /// A form that a newer release wrote is refused before anything else of it is looked at.
  package init(stored bytes: [UInt8]) throws(SchemaRefusal) {
    let root: JSONValue
    do throws(JSONError) {
      let limits = JSONLimits(textBytesMax: SchemaLimits.storedBytesMax)
      root = try JSONValue(reading: bytes, limits: limits)
    } catch {
      throw Self.unreadable(error)
    }
    if let newer = Self.newerFormat(of: root) { throw newer }
    do throws(JSONError) {
      self = try Self.read(root)
    } catch {
      throw Self.unreadable(error)
    }
    if let flaw = flaws.first { throw flaw }
  }

  private static func newerFormat(of root: JSONValue) -> SchemaRefusal? {
    guard let format = root[Keys.format]?.integer, format > formatVersion else { return nil }
    return SchemaRefusal(
      .newerFormat, .schema,
      "the stored schema of the container has the format \(format), and this release reads "
        + "\(formatVersion)",
      fix: "use the release that wrote it, or a newer one")
  }

  private static func unreadable(_ error: JSONError) -> SchemaRefusal {
    SchemaRefusal(
      .inconsistent, .schema,
      "the stored schema of the container cannot be read: expected \(error.expected), found "
        + error.found,
      fix: "restore the container's schema from a backup", place: "\(error.position)")
  }

  private static func read(_ root: JSONValue) throws(JSONError) -> ContainerSchema {
    try root.requireKeys(Keys.all)
    let format = try root.require(Keys.format)
    guard try format.requireInteger() == formatVersion else {
      throw format.refusal(expected: "\(formatVersion)", found: "another number")
    }
    var schema = ContainerSchema()
    schema.version = try root.require(Keys.version).requireInteger()
    schema.development = try records(root.require(Keys.development), .development)
    schema.production = try records(root.require(Keys.production), .production)
    schema.promoted = try PromotionLedger(root.require(Keys.promoted))
    for entry in try root.require(Keys.audit).requireElements() {
      schema.audit.append(try AuditEntry(entry))
    }
    return schema
  }

  private static func records(
    _ value: JSONValue, _ environment: SchemaEnvironment
  ) throws(JSONError) -> RecordSchema {
    let label = environment.rawValue
    let bytes = try value.bytes()
    do throws(SchemaFormatError) {
      let document = try ContrailJSON.read(bytes, file: label, label: label)
      if case .records(let schema) = document.content { return schema }
    } catch {
      throw value.refusal(expected: error.expected, found: "\(error.found) at \(error.location)")
    }
    throw value.refusal(expected: "a schema of records", found: "one of objects")
  }
}

extension PromotionLedger {
  fileprivate init(_ value: JSONValue) throws(JSONError) {
    var types: [String: [String: FieldShape]] = [:]
    for type in try value.requireMembers() {
      var fields: [String: FieldShape] = [:]
      for field in try type.value.requireMembers() {
        let text = try field.value.requireString()
        guard let shape = FieldShape(text) else {
          throw field.value.refusal(
            expected: "a field's type in the schema language", found: "'\(text.shownName)'")
        }
        fields[field.key] = shape
      }
      types[type.key] = fields
    }
    self.init(types: types)
  }
}

extension AuditEntry {
  fileprivate init(_ value: JSONValue) throws(JSONError) {
    try value.requireKeys(Keys.all)
    let word = try value.require(Keys.act)
    guard let act = Act(rawValue: try word.requireString()) else {
      throw word.refusal(
        expected: Act.allCases.map(\.rawValue).joined(separator: ", "), found: "another word")
    }
    self.init(
      number: try value.require(Keys.number).requireInteger(), act: act,
      mark: AuditMark(
        by: try value.require(Keys.name).requireString(),
        at: try value.require(Keys.milliseconds).requireInteger()),
      version: try value.require(Keys.version).requireInteger(),
      changes: try value.require(Keys.changes).requireStrings(),
      accepted: try value.require(Keys.accepted).requireStrings())
  }
}

extension JSONValue {
  /// Refuses a member with any other key.
  fileprivate func requireKeys(_ keys: [String]) throws(JSONError) {
    for member in try requireMembers() where !keys.contains(member.key) {
      throw member.value.refusal(
        expected: "one of the keys \(keys.joined(separator: ", "))",
        found: "'\(member.key.shownName)'")
    }
  }

  fileprivate func requireStrings() throws(JSONError) -> [String] {
    var strings: [String] = []
    for element in try requireElements() { strings.append(try element.requireString()) }
    return strings
  }
}
