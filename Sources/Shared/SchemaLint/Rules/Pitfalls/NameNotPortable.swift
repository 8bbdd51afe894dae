import DataModel

extension Rule {
  static let nameNotPortable = Rule(
    "name-not-portable", .pitfall, .error,
    summary: "Names are an ASCII letter, then letters, digits and _, and at most 255 bytes long.",
    why: "CloudKit refuses other names of record types and fields",
    fix: "rename the part, and keep the old name as its renaming identifier",
    check: { pass in
      let mapped = mappedNames([.nameTooLong, .notAnIdentifier]) { $0.description }
      return pass.subject.schema == nil ? written(pass) : mapped(pass)
    })

  private static let written = writtenTypes { type, _ in
    // System types and fields have names of their own making, which cannot be chosen.
    guard !type.isSystem else { return [] }
    let fields = type.fields.filter { !$0.isSystem && !$0.name.hasPrefix("cloudkit.") }
    let parts =
      [(type.name, SchemaElement.recordType(type.name))]
      + fields.map { ($0.name, .field(type: type.name, name: $0.name)) }
    return parts.filter { !isPortable($0.0) }.map {
      Offence($0.1, nil, "\($0.1) has a name that is no identifier of at most 255 letters")
    }
  }

  private static func isPortable(_ name: String) -> Bool {
    name.isRecordIdentifier && name.utf8.count <= MappedNames.charactersMax
  }
}

extension RecordSchema.RecordType {
  /// Whether the server makes the type itself.
  var isSystem: Bool { name == "Users" || name.hasPrefix("cloudkit.") }
}
