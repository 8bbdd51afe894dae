import DataModel

extension Rule {
  /// Apart from `index-dropped`, because this happens by leaving something out: a system field that a
  /// file does not list loses its indexes.
  static let systemIndexDropped = Rule(
    "system-index-dropped", .additive, .error,
    summary: "A system field keeps the indexes that production has.",
    why:
      "a system field that the file leaves out loses its indexes, and queries of older apps fail",
    fix: "list the system field with the index that it had",
    check: recordFiles { pair in
      pair.droppedIndexes.filter(\.field.isSystem).map { dropped in
        let element = SchemaElement.field(type: dropped.type, name: dropped.field.name)
        return Offence(element, nil, "\(element) lost the index \(dropped.indexes.words)")
      }
    })
}
