import DataModel

extension Rule {
  static let parentUnknownOrCircular = Rule(
    "parent-unknown-or-circular", .validator, .error,
    summary: "Every chain of parents ends at an entity without one.",
    why: "without its ancestors an entity has no defined properties and no table",
    fix: "correct the parent's name, or clear it",
    check: entity { site in
      guard let parent = site.entity.parent else { return nil }
      guard site.schema.entity(parent) != nil else {
        return (.parent, "has the parent \(parent), which does not exist")
      }
      return isOnCircle(site.entity, in: site.schema)
        ? (.parent, "is its own ancestor, through \(parent)") : nil
    })

  private static func isOnCircle(_ entity: Schema.Entity, in schema: Schema) -> Bool {
    ([entity] + schema.ancestors(of: entity)).last?.parent == entity.name
  }
}
