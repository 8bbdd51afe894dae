import DataModel

extension Rule {
  static let cascadeBothEnds = Rule(
    "cascade-both-ends", .pitfall, .note,
    summary: "Of two objects that belong together, one owns the other.",
    why: "deleting the part deletes the whole as well, and with it whatever that cascades to",
    fix: "use the delete rule nullify at the part's end",
    check: relationships { site in
      guard site.relationship.deleteRule == .cascade, !site.relationship.isToMany,
        let (entity, end) = site.inverse, end.deleteRule == .cascade, !end.isToMany,
        (site.entity.name, site.relationship.name) <= (entity.name, end.name)
      else { return nil }
      return (.deleteRule, "cascades, and its inverse \(entity.name).\(end.name) does so too")
    })
}
