import DataModel

/// Writes a schema in the layout of CloudKit's own export: parts by the bytes of their names, the
/// types of a record type's fields in one column, quotes only where a name needs them.
struct CKDBWriter {
  private(set) var text = "DEFINE SCHEMA\n"

  mutating func write(_ schema: RecordSchema) throws(UnwritableSchema) {
    if !schema.roles.isEmpty { text += "\n" }
    var previous: String?
    for role in schema.roles {
      try check(name: role, of: .role(role), after: &previous)
      text += "    CREATE ROLE \(printed(role));\n"
    }
    previous = nil
    for type in schema.types {
      try check(name: type.name, of: .recordType(type.name), after: &previous)
      try write(type)
    }
  }

  private mutating func write(_ type: RecordSchema.RecordType) throws(UnwritableSchema) {
    let width = type.fields.map { printed($0.name).utf8.count }.max() ?? 0
    var members: [String] = []
    var previous: String?
    for field in type.fields {
      let element = SchemaElement.field(type: type.name, name: field.name)
      try check(name: field.name, of: element, after: &previous)
      try check(field, at: element)
      let name = printed(field.name)
      let padding = String(repeating: " ", count: width - name.utf8.count + 1)
      members.append(name + padding + typeAndIndexes(of: field))
    }
    previous = nil
    for grant in type.grants {
      let element = SchemaElement.grant(type: type.name, role: grant.role)
      try check(name: grant.role, of: element, after: &previous)
      members.append(try line(for: grant, at: element))
    }
    guard !members.isEmpty else {
      throw Self.refusal(
        of: .recordType(type.name), "it has neither fields nor grants")
    }
    text += "\n    RECORD TYPE \(printed(type.name)) (\n"
    text += members.map { "        " + $0 }.joined(separator: ",\n")
    text += "\n    );\n"
  }

  private func typeAndIndexes(of field: RecordSchema.Field) -> String {
    var type = (field.isEncrypted ? "ENCRYPTED " : "") + field.type.rawValue
    if let preferred = field.preferredNumber { type += " PREFERRED AS \(preferred.rawValue)" }
    if field.isList { type = "LIST<\(type)>" }
    let indexes = CKDBWords.indexes.filter { field.indexes.contains($0.index) }
    return ([type] + indexes.map(\.word)).joined(separator: " ")
  }

  private func line(
    for grant: RecordSchema.Grant, at element: SchemaElement
  ) throws(UnwritableSchema) -> String {
    let words = CKDBWords.permissions.filter { grant.permissions.contains($0.permission) }
    guard !words.isEmpty else {
      throw Self.refusal(of: element, "it grants nothing")
    }
    return "GRANT \(words.map(\.word).joined(separator: ", ")) TO \(printed(grant.role))"
  }

  private func printed(_ name: String) -> String { CKDBWords.isBare(name) ? name : "\"\(name)\"" }
}

extension CKDBWriter {
  private static func refusal(of element: SchemaElement, _ reason: String) -> UnwritableSchema {
    UnwritableSchema(element: element, format: ".ckdb", reason: reason)
  }

  /// Refuses a name that no file can hold, and one that the part before it has already: the parts
  /// are sorted, so equal names are neighbours.
  private func check(
    name: String, of element: SchemaElement, after previous: inout String?
  ) throws(UnwritableSchema) {
    if let reason = CKDBWords.problem(withName: name) {
      throw Self.refusal(of: element, reason)
    }
    guard name != previous else {
      throw Self.refusal(of: element, "there is another of the same name")
    }
    previous = name
  }

  private func check(
    _ field: RecordSchema.Field, at element: SchemaElement
  ) throws(UnwritableSchema) {
    if field.isEncrypted, !field.type.canBeEncrypted {
      throw Self.refusal(
        of: element, "a field of type \(field.type.rawValue) cannot be encrypted")
    }
    guard let preferred = field.preferredNumber else { return }
    guard field.type == .number, CKDBWords.preferable.contains(preferred) else {
      throw Self.refusal(
        of: element,
        "a field of type \(field.type.rawValue) cannot prefer to be \(preferred.rawValue)")
    }
  }
}
