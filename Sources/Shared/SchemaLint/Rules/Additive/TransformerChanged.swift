import DataModel

extension Rule {
  /// A warning, since a model does not tell whether two transformers make the same bytes.
  static let transformerChanged = Rule(
    "transformer-changed", .additive, .warning,
    summary: "A transformable attribute keeps its transformer.",
    why: "bytes that one transformer made may mean nothing to the other",
    fix: "put the old transformer back, and add another attribute for the new one",
    check: attributePairs { pair, _ in
      guard pair.old.type == .transformable, pair.new.type == .transformable,
        pair.differs(\.archiveFormat)
      else { return nil }
      let before =
        pair.old.transformerName.map { "the transformer \($0)" } ?? "no named transformer"
      return (.transformerName, "had \(before) and has \(pair.new.transformerName ?? "none")")
    })
}

extension Schema.Attribute {
  /// The transformer, by one name for all that make keyed archives, as the default one does: the
  /// secure one reads what the others wrote.
  fileprivate var archiveFormat: String {
    let keyedArchives = [
      "NSKeyedUnarchiveFromData", "NSUnarchiveFromData", "NSSecureUnarchiveFromData",
      "NSSecureUnarchiveFromDataTransformer",
    ]
    guard let transformerName, !keyedArchives.contains(transformerName) else {
      return "keyed archive"
    }
    return transformerName
  }
}
