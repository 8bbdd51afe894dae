import DataModel

extension Rule {
  /// CloudKit's validator refuses every ordered relationship, so its mirroring never kept an order.
  static let orderedChanged = Rule(
    "ordered-changed", .additive, .warning, in: [.contrail],
    summary: "An ordered relationship stays ordered, and an unordered one unordered.",
    why: "the order is a field of the records, which only one of the apps fills",
    fix: "put the option back, or add an attribute that the objects are sorted by",
    check: relationshipPairs { pair, _ in
      guard pair.old.isToMany, pair.new.isToMany, pair.differs(\.isOrdered) else { return nil }
      return (
        .isOrdered, pair.new.isOrdered ? "was unordered and is ordered" : "was ordered and is not"
      )
    })
}
