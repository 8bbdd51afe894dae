import DataModel

extension Rule {
  static let nullifyRequiredInverse = Rule(
    "nullify-required-inverse", .pitfall, .warning,
    summary: "No delete rule empties a relationship that must not be empty.",
    why: "deleting the object leaves the other end without a value, so that the save fails",
    fix: "use the delete rule cascade, or make the other end optional",
    check: relationships { site in
      guard site.relationship.deleteRule == .nullify, let (entity, end) = site.inverse,
        !end.isToMany, !end.isOptional
      else { return nil }
      return (.deleteRule, "is nullified on deletion, and \(entity.name).\(end.name) is required")
    })
}
