extension RecordSchema.FieldType {
  /// Whether a field of this type can be `ENCRYPTED`.
  public var canBeEncrypted: Bool { self != .asset && self != .reference && self != .number }

  /// The indexes that CloudKit gives a field when a save creates it in the development environment.
  package func defaultIndexes(isList: Bool, isEncrypted: Bool) -> RecordSchema.Indexes {
    if isEncrypted { return [] }
    if isList { return self == .string ? [.queryable, .searchable] : [] }
    return Self.scalarIndexes[self] ?? []
  }

  private static let scalarIndexes: [RecordSchema.FieldType: RecordSchema.Indexes] = [
    .string: [.queryable, .searchable, .sortable], .int64: [.queryable, .sortable],
    .double: [.queryable, .sortable], .timestamp: [.queryable, .sortable],
    .bytes: [.queryable, .sortable],
  ]
}

extension RecordSchema.Field {
  /// A field as a save creates it, with the default indexes.
  package static func created(
    _ name: String, _ type: RecordSchema.FieldType, isList: Bool = false, isEncrypted: Bool = false
  ) -> RecordSchema.Field {
    RecordSchema.Field(
      name: name, type: type, isList: isList, isEncrypted: isEncrypted,
      indexes: type.defaultIndexes(isList: isList, isEncrypted: isEncrypted))
  }
}

extension RecordSchema {
  /// The grants that a record type has from the start.
  public static let defaultGrants = [
    Grant(to: "_creator", .write), Grant(to: "_icloud", .create), Grant(to: "_world", .read),
  ]

  /// The type of the records that stand for people, which every container has.
  public static let usersType = RecordType(
    name: "Users", fields: systemFields + [Field(name: "roles", type: .int64, isList: true)],
    grants: [Grant(to: "_creator", .write), Grant(to: "_world", .read)])
}
