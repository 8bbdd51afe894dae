import DataModel

extension Rule {
  static let requiredRelationshipAdded = Rule(
    "required-relationship-added", .additive, .error, sharpens: ["relationship-required"],
    summary: "A new relationship of an entity that production has is optional.",
    why: "objects of apps of the promoted version have nothing there, and never will",
    fix: "make the relationship optional",
    check: versions { pair in
      (pair.evolution?.gained ?? []).compactMap { gain in
        guard case .relationship(let relationship) = gain.new, relationship.mustHoldSomething else {
          return nil
        }
        return Offence(
          gain.element, .isOptional,
          "\(gain.element) is new and required, and \(gain.entity) has objects without it")
      }
    })
}
