import DataModel

extension Rule {
  static let deleteRuleDeny = Rule(
    "delete-rule-deny", .validator, [.cloudkit: .error, .contrail: .warning],
    summary: "No relationship of a synced entity has the delete rule deny.",
    why: "a deletion that another device has already made cannot be refused here",
    fix: "use the delete rule nullify or cascade, and refuse the deletion in code",
    check: relationships(.mirrored) { site in
      site.relationship.deleteRule == .deny ? (.deleteRule, "has the delete rule deny") : nil
    })
}
