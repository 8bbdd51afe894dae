import DataModel

extension Rule {
  static let relationshipRequired = Rule(
    "relationship-required", .validator, [.cloudkit: .error, .contrail: .warning],
    summary: "Every relationship of a synced entity is optional.",
    why: "records arrive in any order, so that an object may be there before what it belongs to",
    fix: "make the relationship optional, and check in code where it must be set",
    check: relationships(.mirrored) { site in
      site.relationship.isOptional ? nil : (.isOptional, "is required")
    })
}
