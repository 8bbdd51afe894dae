import DataModel

extension Rule {
  static let cascadeManyToMany = Rule(
    "cascade-many-to-many", .pitfall, .warning,
    summary: "No deletion cascades to objects that others hold too.",
    why: "deleting one holder takes the objects away from all the others",
    fix: "use the delete rule nullify, and delete in code what nobody holds any longer",
    check: relationships { site in
      guard site.relationship.deleteRule == .cascade, site.relationship.isToMany,
        let (entity, end) = site.inverse, end.isToMany
      else { return nil }
      return (.deleteRule, "cascades to objects that other \(entity.name).\(end.name) share")
    })
}
