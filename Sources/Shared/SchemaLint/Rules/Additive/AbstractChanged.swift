import DataModel

extension Rule {
  static let abstractChanged = Rule(
    "abstract-changed", .additive, .error,
    summary: "An entity that has objects does not become abstract.",
    why: "its records are there, and older apps make new ones, which no object can stand for",
    fix: "leave the entity concrete, and give it an abstract parent",
    check: entityChanges(.isAbstract) { entity, _ in
      entity.new.isAbstract ? "had objects and is abstract, but its records stay" : nil
    })
}
