import DataModel
import RecordServer

extension ContainerSchema {
  /// A container whose development holds the types of `text`, which is what stands between DEFINE
  /// SCHEMA and the end of a file.
  static func developing(_ text: String) throws -> ContainerSchema {
    try ContainerSchema().importing(text)
  }

  /// A container that has promoted the types of `text`.
  static func promoted(_ text: String) throws -> ContainerSchema {
    try developing(text).promoting(by: .test).changed()
  }

  /// The container after an import that must not be refused.
  func importing(_ text: String) throws -> ContainerSchema {
    try importing(Array("DEFINE SCHEMA \(text)".utf8), file: "new.ckdb", by: .test).changed()
  }

  /// What an import would do.
  func planImport(_ text: String) -> SchemaPlan {
    planImport(Array("DEFINE SCHEMA \(text)".utf8), file: "new.ckdb")
  }
}

extension SchemaOutcome {
  /// The schema, where nothing was refused.
  func changed() throws -> ContainerSchema {
    if let refusal = plan.refusals.first { throw refusal }
    return schema
  }
}

extension SchemaPlan {
  /// The reasons as lines.
  var reasons: [String] { refusals.map(\.description) }
}

extension AuditMark {
  static let test = AuditMark(by: "tester", at: 1_700_000_000_000)
}

extension SaveCheck {
  /// The reasons' messages; empty for a record that is not refused.
  var messages: [String] {
    if case .refused(let refusals) = self { refusals.map(\.message) } else { [] }
  }
}

extension SaveVerdict {
  /// The reasons' messages; empty for a record that is not refused.
  var messages: [String] {
    if case .refused(let refusals) = self { refusals.map(\.message) } else { [] }
  }

  /// What the save added; nil when it added nothing.
  var addition: SchemaExtension? {
    if case .extended(let addition) = self { addition } else { nil }
  }
}

/// A record with one field.
func record(
  _ type: String, _ field: String, _ element: WireValueType.Element, list: Bool = false,
  encrypted: Bool = false, isPublic: Bool = false
) -> SavedShape {
  SavedShape(
    type: type,
    fields: [.init(field, WireValueType(element, isList: list, isEncrypted: encrypted))],
    isPublic: isPublic)
}
