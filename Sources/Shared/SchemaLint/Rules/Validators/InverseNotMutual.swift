import DataModel

extension Rule {
  static let inverseNotMutual = Rule(
    "inverse-not-mutual", .validator, .error,
    summary: "Two relationships that are inverse name each other.",
    why: "setting one end would not set the other, so that the two contradict each other",
    fix: "make each relationship the inverse of the other, with the other's entity as destination",
    check: relationships(.all) { site in
      guard let name = site.relationship.inverse,
        let owner = site.schema.entity(
          site.relationship.inverseEntity ?? site.relationship.destination)
      else { return nil }
      guard let (entity, end) = site.inverse else {
        return (.inverse, "has the inverse \(owner.name).\(name), which does not exist")
      }
      let back = site.schema.inverse(of: end)
      guard back?.entity.name != site.entity.name || back?.end.name != site.relationship.name
      else { return nil }
      let other = back.map { "\($0.entity.name).\($0.end.name)" } ?? end.inverse
      let problem = other.map { "whose inverse is \($0)" } ?? "which has no inverse"
      return (.inverse, "has the inverse \(entity.name).\(end.name), \(problem)")
    })
}
