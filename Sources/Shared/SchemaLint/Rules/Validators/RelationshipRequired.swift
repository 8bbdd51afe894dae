import DataModel

extension Rule {
  /// A to-many relationship that is not optional is empty at first, which our own sync can do with.
  static let relationshipRequired = Rule(
    "relationship-required", .validator, [.cloudkit: .error, .contrail: .warning],
    summary: "Every relationship of a synced entity is optional.",
    why: "records arrive in any order, so that an object may be there before what it belongs to",
    fix: "make the relationship optional, and check in code where it must be set",
    check: relationships(.mirrored) { site in
      guard !site.relationship.isOptional else { return nil }
      return site.context.profile == .contrail && site.relationship.isToMany
        ? nil : (.isOptional, "is required")
    })
}
