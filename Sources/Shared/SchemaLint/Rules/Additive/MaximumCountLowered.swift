import DataModel

extension Rule {
  static let maximumCountLowered = Rule(
    "maximum-count-lowered", .additive, .warning,
    summary: "A to-many relationship goes on taking as many objects as before.",
    why: "objects of apps of the promoted version may hold more, and then fail to be saved again",
    fix: "put the old maximum back, and check the count where code adds objects",
    check: relationshipPairs { pair, _ in
      guard pair.old.isToMany, pair.new.isToMany, pair.new.maximumCount > 0,
        pair.old.maximumCount == 0 || pair.new.maximumCount < pair.old.maximumCount
      else { return nil }
      let before =
        pair.old.maximumCount == 0
        ? "no maximum count" : "the maximum count \(pair.old.maximumCount)"
      return (.maximumCount, "had \(before) and has \(pair.new.maximumCount)")
    })
}
