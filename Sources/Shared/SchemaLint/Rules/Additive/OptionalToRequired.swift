import DataModel

extension Rule {
  static let optionalToRequired = Rule(
    "optional-to-required", .additive, .warning,
    sharpens: ["attribute-required-without-default", "relationship-required"],
    summary: "A property that may be without a value stays so.",
    why: "objects of apps of the promoted version may have no value there",
    fix: "make the property optional again, or make sure that code takes the default for no value",
    check: either(
      attributePairs { pair, _ in
        guard pair.old.isOptional, !pair.new.isOptional else { return nil }
        let result = pair.new.defaultValue.map { ", so that no value reads as \($0.shown)" }
        return (.isOptional, "was optional and is required\(result ?? " without a default")")
      },
      relationshipPairs { pair, _ in
        guard pair.old.isOptional, pair.new.mustHoldSomething else { return nil }
        return (.isOptional, "was optional and is required")
      }))
}
