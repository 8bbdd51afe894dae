import DataModel

extension Rule {
  static let indexOnUnindexable = Rule(
    "index-on-unindexable", .validator, .error,
    summary: "Every field has only indexes that its type can have.",
    why: "the server refuses a schema that wants words of a number, or an order of lists",
    fix: "remove the index from the field",
    check: writtenFields { field in
      let possible = possibleIndexes(of: field)
      let impossible = RecordSchema.Indexes.named
        .filter { field.indexes.contains($0.index) && !possible.contains($0.index) }
      guard let first = impossible.first else { return nil }
      let type = field.isList ? "LIST<\(field.type.rawValue)>" : field.type.rawValue
      return (nil, "is \(first.name), which no \(type) can be")
    })

  /// BYTES stand here since CloudKit itself gives such fields these indexes when it creates them.
  private static let orderable: Set<RecordSchema.FieldType> = [
    .bytes, .double, .int64, .location, .number, .reference, .string, .timestamp,
  ]

  private static func possibleIndexes(of field: RecordSchema.Field) -> RecordSchema.Indexes {
    guard orderable.contains(field.type) else { return [] }
    var possible: RecordSchema.Indexes = field.isList ? .queryable : [.queryable, .sortable]
    if field.type == .string { possible.insert(.searchable) }
    return possible
  }
}
