import DataModel

extension Rule {
  static let nameNotPortable = Rule(
    "name-not-portable", .pitfall, .error,
    summary: "Names are an ASCII letter, then letters, digits and _, and at most 255 bytes long.",
    why: "CloudKit refuses other names of record types and fields",
    fix: "rename the part, and keep the old name as its renaming identifier",
    check: { pass in
      pass.subject.schema == nil ? written(pass) : mapped(pass)
    })

  /// A name that one part gives to several fields is one offence.
  private static let mapped = mappedNames([.nameTooLong, .notAnIdentifier]) { collision, part in
    "\(part) has a name that \(problem(with: collision.kind))"
  }

  private static let written = writtenTypes { type, _ in
    // System types and fields have names of their own making, which cannot be chosen.
    guard !type.isSystem else { return [] }
    let fields = type.fields.filter { !$0.isSystem && !$0.name.hasPrefix("cloudkit.") }
    let parts =
      [(type.name, SchemaElement.recordType(type.name))]
      + fields.map { ($0.name, .field(type: type.name, name: $0.name)) }
    return parts.compactMap { name, element in
      kind(of: name).map {
        Offence(element, nil, "\(element) has a name that \(problem(with: $0))")
      }
    }
  }

  private static func kind(of name: String) -> RecordMapping.Collision.Kind? {
    if name.utf8.count > MappedNames.charactersMax { return .nameTooLong }
    return name.isRecordIdentifier ? nil : .notAnIdentifier
  }

  private static func problem(with kind: RecordMapping.Collision.Kind) -> String {
    kind == .nameTooLong
      ? "is longer than \(MappedNames.charactersMax) characters"
      : "is not a letter followed by letters, digits and underscores"
  }
}

extension RecordSchema.RecordType {
  /// Whether the server makes the type itself.
  var isSystem: Bool { name == "Users" || name.hasPrefix("cloudkit.") }
}
