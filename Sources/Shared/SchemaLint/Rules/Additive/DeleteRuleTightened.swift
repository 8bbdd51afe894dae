import DataModel

extension Rule {
  static let deleteRuleTightened = Rule(
    "delete-rule-tightened", .additive, .warning,
    sharpens: ["delete-rule-deny"],
    summary: "A deletion takes nothing along, and is not refused, that older apps let be.",
    why: "older and newer apps keep different objects after the same deletion",
    fix: "put the old delete rule back, or delete related objects in code where it is meant",
    check: relationshipPairs { pair, _ in
      guard pair.differs(\.deleteRule), [.cascade, .deny].contains(pair.new.deleteRule) else {
        return nil
      }
      return (
        .deleteRule, "had the delete rule \(pair.old.deleteRule) and has \(pair.new.deleteRule)"
      )
    })
}
