import DataModel

extension Rule {
  static let transformerChanged = Rule(
    "transformer-changed", .additive, .error,
    summary: "A transformable attribute keeps its transformer.",
    why: "bytes that one transformer made mean nothing to the other",
    fix: "put the old transformer back, and add another attribute for the new one",
    check: attributePairs { pair, _ in
      guard pair.old.type == .transformable, pair.new.type == .transformable,
        pair.differs(\.transformerName)
      else { return nil }
      let before =
        pair.old.transformerName.map { "the transformer \($0)" } ?? "no named transformer"
      return (.transformerName, "had \(before) and has \(pair.new.transformerName ?? "none")")
    })
}
