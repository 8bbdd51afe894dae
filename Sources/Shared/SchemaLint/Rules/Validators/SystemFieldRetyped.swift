import DataModel

extension Rule {
  static let systemFieldRetyped = Rule(
    "system-field-retyped", .validator, .error,
    summary: "System fields are listed with their own types, and no others are made up.",
    why: "the server keeps these fields on every record, and their types are fixed",
    fix: "give the field its own type, or remove the line",
    check: writtenFields { field in
      guard field.isSystem else { return nil }
      guard let system = RecordSchema.systemFields.first(where: { $0.name == field.name }) else {
        return (nil, "is no system field, and only those begin with ___")
      }
      guard field.type != system.type || field.isList || field.isEncrypted else { return nil }
      return (.type, "is a system field of the type \(system.type.rawValue)")
    })
}
