import DataModel

extension Rule {
  /// CloudKit's validator refuses the rule deny, new or not.
  static let deleteRuleTightened = Rule(
    "delete-rule-tightened", .additive, .warning,
    summary: "A deletion takes nothing along, and is not refused, that older apps let be.",
    why: "older and newer apps keep different objects after the same deletion",
    fix: "put the old delete rule back, or delete related objects in code where it is meant",
    check: relationshipPairs { pair, versions in
      guard pair.differs(\.deleteRule),
        pair.new.deleteRule == .cascade
          || (pair.new.deleteRule == .deny && versions.new.profile == .contrail)
      else { return nil }
      return (
        .deleteRule, "had the delete rule \(pair.old.deleteRule) and has \(pair.new.deleteRule)"
      )
    })
}
