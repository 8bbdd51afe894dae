import DataModel

extension Rule {
  static let indexDropped = Rule(
    "index-dropped", .additive, .error,
    summary: "A field keeps the indexes that production has.",
    why: "queries of apps of the promoted version fail without the index",
    fix: "put the index back on the field",
    check: recordFiles { pair in
      pair.droppedIndexes.filter { !$0.field.isSystem }.map { dropped in
        let element = SchemaElement.field(type: dropped.type, name: dropped.field.name)
        return Offence(element, nil, "\(element) lost the index \(dropped.indexes.words)")
      }
    })
}

extension LintPair {
  /// Fields of types in both versions that have fewer indexes than before.
  ///
  /// A system field that the new file does not list loses those that the old one gave it; any other
  /// field that is missing is `field-removed`'s.
  var droppedIndexes: [(type: String, field: RecordSchema.Field, indexes: RecordSchema.Indexes)] {
    new.records.types.flatMap { type in
      (old.records.type(type.name)?.fields ?? []).compactMap { field in
        guard field.isSystem || type.field(field.name) != nil else { return nil }
        let dropped = field.indexes.subtracting(type.field(field.name)?.indexes ?? [])
        return dropped.isEmpty ? nil : (type.name, field, dropped)
      }
    }
  }
}

extension RecordSchema.Indexes {
  /// The indexes' words, joined.
  var words: String {
    Self.named.filter { contains($0.index) }.map(\.name).joined(separator: ", ")
  }
}
