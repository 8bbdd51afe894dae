import DataModel

extension Rule {
  static let abstractEntityWithoutChildren = Rule(
    "abstract-entity-without-children", .pitfall, .warning,
    summary: "Every abstract entity has a descendant that is not abstract.",
    why: "no object of it can ever be stored",
    fix: "clear abstract, add a child, or remove the entity",
    check: entity { site in
      guard site.entity.isAbstract,
        !site.schema.descendants(of: site.entity.name).contains(where: { !$0.isAbstract })
      else { return nil }
      return (.isAbstract, "is abstract, and nothing that can be stored inherits from it")
    })
}
