import DataModel

extension Rule {
  static let destinationUnknown = Rule(
    "destination-unknown", .validator, .error,
    summary: "Every relationship leads to an entity of the schema.",
    why: "the model cannot be loaded with a name that stands for nothing",
    fix: "correct the destination's name, or add the entity",
    check: relationships(.all) { site in
      site.schema.entity(site.relationship.destination) == nil
        ? (.destination, "leads to \(site.relationship.destination), which does not exist") : nil
    })
}
