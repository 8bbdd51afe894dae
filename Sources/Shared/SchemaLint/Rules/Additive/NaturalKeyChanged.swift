import DataModel

extension Rule {
  static let naturalKeyChanged = Rule(
    "natural-key-changed", .additive, .warning, sharpens: ["natural-key-invalid"],
    summary: "An entity keeps its natural key.",
    why: "older and newer apps take different objects for duplicates of each other, and merge them",
    fix: "put the old key back, or merge duplicates in code",
    check: entityChanges(.naturalKey) { entity, pair in
      // A key that nobody had yet merges nothing in older apps; one that lost a property is told there.
      guard !entity.old.naturalKey.isEmpty, !pair.hasLostKey(entity.old) else { return nil }
      return "had the natural key \(entity.before) and has \(entity.after)"
    })
}

extension LintPair {
  fileprivate func hasLostKey(_ entity: Schema.Entity) -> Bool {
    evolution?.lost.contains {
      $0.oldEntity == entity.name && entity.naturalKey.contains($0.old.name)
    } == true
  }
}
