import DataModel

extension Rule {
  static let nameNotPortable = Rule(
    "name-not-portable", .pitfall, .warning,
    summary: "Names are an ASCII letter, then letters, digits and _, and at most 255 bytes long.",
    why: "CloudKit refuses other names of record types and fields",
    fix: "rename the part, and keep the old name as its renaming identifier",
    check: { pass in
      parts(of: pass).filter { !isPortable($0.name) }.map {
        Offence($0.element, .name, "\($0.element) has a name that is no identifier")
      }
    })

  private static let nameBytesMax = 255

  private static func isPortable(_ name: String) -> Bool {
    guard let first = name.utf8.first, first.isLetter else { return false }
    return name.utf8.count <= nameBytesMax
      && name.utf8.allSatisfy { $0.isLetter || 0x30...0x39 ~= $0 || $0 == 0x5F }
  }

  private static func parts(of pass: LintPass) -> [(name: String, element: SchemaElement)] {
    guard let schema = pass.subject.schema else {
      return pass.subject.records.types.flatMap(parts)
    }
    return schema.entities.flatMap { [($0.name, .entity($0.name))] + $0.properties }
  }

  /// System types and fields have names of their own making, which cannot be chosen.
  private static func parts(
    of type: RecordSchema.RecordType
  ) -> [(name: String, element: SchemaElement)] {
    guard !type.isSystem else { return [] }
    return [(type.name, .recordType(type.name))]
      + type.fields.filter { !$0.isSystem && !$0.name.hasPrefix("cloudkit.") }
      .map { ($0.name, .field(type: type.name, name: $0.name)) }
  }
}

extension RecordSchema.RecordType {
  /// Whether the server makes the type itself.
  var isSystem: Bool { name == "Users" || name.hasPrefix("cloudkit.") }
}

extension UInt8 {
  fileprivate var isLetter: Bool { 0x41...0x5A ~= self || 0x61...0x7A ~= self }
}
