import DataModel

extension Rule {
  static let inverseMissing = Rule(
    "inverse-missing", .validator, [.cloudkit: .error, .contrail: .warning],
    summary: "Every relationship of a synced entity has an inverse.",
    why: "only one end is sent, and the other end is rebuilt from it through the inverse",
    fix: "add a relationship at the other end, and make each the inverse of the other",
    check: relationships(.mirrored) { site in
      site.relationship.inverse == nil ? (.inverse, "has no inverse") : nil
    })
}
