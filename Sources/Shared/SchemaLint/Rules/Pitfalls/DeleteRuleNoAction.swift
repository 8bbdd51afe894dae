import DataModel

extension Rule {
  static let deleteRuleNoAction = Rule(
    "delete-rule-no-action", .pitfall, .warning,
    summary: "No relationship leaves the other side pointing at a deleted object.",
    why: "after a deletion the other side holds a reference to nothing, which no validator reports",
    fix: "use the delete rule nullify or cascade",
    check: relationships { site in
      site.relationship.deleteRule == .noAction
        ? (.deleteRule, "has the delete rule noAction") : nil
    })
}
