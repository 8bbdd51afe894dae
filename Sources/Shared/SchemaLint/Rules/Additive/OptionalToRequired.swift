import DataModel

extension Rule {
  /// An attribute without a default is `attribute-required-without-default`'s, and CloudKit's
  /// validator refuses every required relationship.
  static let optionalToRequired = Rule(
    "optional-to-required", .additive, .warning,
    summary: "A property that may be without a value stays so.",
    why: "objects of apps of the promoted version may have no value there",
    fix: "make the property optional again, or make sure that code takes the default for no value",
    check: either(
      attributePairs { pair, _ in
        guard pair.old.isOptional, !pair.new.isOptional, let value = pair.new.defaultValue else {
          return nil
        }
        return (
          .isOptional, "was optional and is required, so that no value reads as \(value.shown)"
        )
      },
      relationshipPairs { pair, versions in
        guard versions.new.profile == .contrail, pair.old.isOptional, !pair.new.isOptional else {
          return nil
        }
        return (.isOptional, "was optional and is required")
      }))
}
