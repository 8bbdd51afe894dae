import DataModel

extension Rule {
  static let cascadeUpwards = Rule(
    "cascade-upwards", .pitfall, .warning,
    summary: "No deletion cascades from one of many to what holds them all.",
    why: "deleting a single object deletes its owner, and through it often all of its siblings",
    fix: "use the delete rule nullify here, and cascade at the other end",
    check: relationships { site in
      guard site.relationship.deleteRule == .cascade, !site.relationship.isToMany,
        let (entity, end) = site.inverse, end.isToMany
      else { return nil }
      return (.deleteRule, "cascades to the owner of all \(entity.name).\(end.name)")
    })
}
