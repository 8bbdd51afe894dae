import DataModel
import JSONStream
import SchemaFormats

extension ContainerSchema {
  /// The version of the stored form that is written, and the only one that is read.
  package static let formatVersion: Int64 = 1

  /// The stored form: one JSON text, the same for the same schema.
  ///
  /// Record schemas stand in it as Contrail JSON. What our operations make can always be written; the
  /// error names the part that cannot.
  package func stored() throws(SchemaRefusal) -> [UInt8] {
    do {
      let root = JSONValue(
        .object([
          JSONMember(Keys.format, JSONValue(.number(.integer(Self.formatVersion)))),
          JSONMember(Keys.version, JSONValue(.number(.integer(version)))),
          JSONMember(Keys.development, try Self.tree(of: development)),
          JSONMember(Keys.production, try Self.tree(of: production)),
          JSONMember(Keys.promoted, promoted.tree),
          JSONMember(Keys.audit, JSONValue(.array(audit.map(\.tree)))),
        ]))
      return try root.bytes()
    } catch {
      throw SchemaRefusal(
        .inconsistent, .schema, "the container's schema cannot be stored: \(error)",
        fix: "undo the last change of the schema")
    }
  }

  private static func tree(of schema: RecordSchema) throws -> JSONValue {
    try JSONValue(reading: try ContrailJSON.text(of: schema))
  }

  /// The keys of the stored form.
  enum Keys {
    static let format = "containerSchema"
    static let version = "version"
    static let development = "development"
    static let production = "production"
    static let promoted = "promoted"
    static let audit = "audit"
    static let all = [format, version, development, production, promoted, audit]
  }
}

extension PromotionLedger {
  fileprivate var tree: JSONValue {
    func object<Part>(_ parts: [String: Part], _ tree: (Part) -> JSONValue) -> JSONValue {
      JSONValue(
        .object(
          parts.sorted { $0.key.precedesInBytes($1.key) }
            .map { JSONMember($0.key, tree($0.value)) }))
    }
    return object(types) { fields in object(fields) { JSONValue(.string($0.description)) } }
  }
}

extension AuditEntry {
  /// The keys of an entry.
  enum Keys {
    static let number = "number"
    static let act = "act"
    static let name = "by"
    static let milliseconds = "at"
    static let version = "version"
    static let changes = "changes"
    static let accepted = "accepted"
    static let all = [number, act, name, milliseconds, version, changes, accepted]
  }

  fileprivate var tree: JSONValue {
    func number(_ value: Int64) -> JSONValue { JSONValue(.number(.integer(value))) }
    func texts(_ values: [String]) -> JSONValue {
      JSONValue(.array(values.map { JSONValue(.string($0)) }))
    }
    return JSONValue(
      .object([
        JSONMember(Keys.number, number(self.number)),
        JSONMember(Keys.act, JSONValue(.string(act.rawValue))),
        JSONMember(Keys.name, JSONValue(.string(mark.name))),
        JSONMember(Keys.milliseconds, number(mark.milliseconds)),
        JSONMember(Keys.version, number(version)), JSONMember(Keys.changes, texts(changes)),
        JSONMember(Keys.accepted, texts(accepted)),
      ]))
  }
}
