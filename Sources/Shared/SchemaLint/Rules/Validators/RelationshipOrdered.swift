import DataModel

extension Rule {
  /// Contrail's own mapping sends the order as sparse keys.
  static let relationshipOrdered = Rule(
    "relationship-ordered", .validator, .error, in: [.cloudkit],
    summary: "No relationship that CloudKit mirrors is ordered.",
    why: "the mirroring has no place for an order, and refuses to load the store",
    fix: "clear ordered, and add an integer attribute to the other end to sort by",
    check: relationships(.mirrored) { site in
      site.relationship.isOrdered ? (.isOrdered, "is ordered") : nil
    })
}
