import DataModel

extension Rule {
  /// The default of an optional attribute is only what new objects begin with, and no record lacks
  /// the field because of it.
  static let defaultChanged = Rule(
    "default-changed", .additive, .note,
    summary: "The default that stands in for a missing field stays the same.",
    why: "a record without the field reads one way in older apps and another way in newer ones",
    fix: "put the old default back, and set the new value where code makes objects",
    check: attributePairs { pair, _ in
      guard !pair.old.isOptional, !pair.new.isOptional, !pair.differs(\.type),
        let before = pair.old.defaultValue, let after = pair.new.defaultValue, before != after
      else { return nil }
      return (.defaultValue, "had the default \(before.shown) and has \(after.shown)")
    })
}
