import DataModel

extension Rule {
  static let validationTightened = Rule(
    "validation-tightened", .additive, .warning,
    summary: "Every value that was valid stays valid.",
    why: "values that apps of the promoted version wrote, and go on writing, fail validation",
    fix: "put the old limit back, and check new values where people enter them",
    check: attributePairs { pair, _ in
      guard !pair.differs(\.type) else { return nil }
      let (before, after) = (pair.old.validation, pair.new.validation)
      let remarks: [Flaw?] = [
        isTighter(before.minimum, after.minimum, >)
          ? (.minimumValue, limit("minimum", before.minimum, after.minimum)) : nil,
        isTighter(before.maximum, after.maximum, <)
          ? (.maximumValue, limit("maximum", before.maximum, after.maximum)) : nil,
        after.pattern != nil && before.pattern != after.pattern
          ? (.pattern, limit("pattern", before.pattern, after.pattern)) : nil,
      ]
      let found = remarks.compactMap { $0 }
      guard let first = found.first else { return nil }
      return (first.aspect, found.map(\.message).joined(separator: ", and "))
    })

  private static func limit(_ name: String, _ before: String?, _ after: String?) -> String {
    "had \(before.map { "the \(name) \($0)" } ?? "no \(name)") and has \(after ?? "none")"
  }

  /// Whether a limit came up or moved inwards; one that is no number counts as tighter when it differs.
  private static func isTighter(
    _ before: String?, _ after: String?, _ isInside: (Double, Double) -> Bool
  ) -> Bool {
    guard let after, before != after else { return false }
    guard let old = before.flatMap(Double.init), let new = Double(after) else { return true }
    return isInside(new, old)
  }
}
