import DataModel

extension Rule {
  static let minimumCountRaised = Rule(
    "minimum-count-raised", .additive, .warning,
    summary: "A to-many relationship goes on taking as few objects as before.",
    why: "objects of apps of the promoted version may hold fewer, and then fail to be saved again",
    fix: "put the old minimum back, and check the count where code makes objects",
    check: relationshipPairs { pair, _ in
      // To be required is to hold at least one: of that `optional-to-required` speaks.
      guard pair.old.isToMany, pair.new.isToMany, !pair.differs(\.isOptional),
        pair.new.minimumCount > pair.old.minimumCount
      else { return nil }
      return (
        .minimumCount,
        "had the minimum count \(pair.old.minimumCount) and has \(pair.new.minimumCount)"
      )
    })
}
