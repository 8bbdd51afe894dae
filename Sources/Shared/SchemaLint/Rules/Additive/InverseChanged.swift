import DataModel

extension Rule {
  /// Gaining an inverse is fine, and losing it altogether is for the rules about the schema in hand.
  static let inverseChanged = Rule(
    "inverse-changed", .additive, .warning,
    summary: "A relationship keeps its inverse.",
    why: "older apps go on showing the same objects under the old inverse",
    fix: "put the old inverse back, and add another pair of relationships for the new one",
    check: relationshipPairs { pair, versions in
      guard let (before, after) = versions.changedInverse(pair.old, pair.new),
        !versions.isToldAtInverse(after, than: pair.element)
      else { return nil }
      return (
        .inverse,
        "had the inverse \(before.entity).\(before.name) and has \(after.entity).\(after.name)"
      )
    })
}

extension LintPair {
  /// The old inverse and another new one, when the new schema still has the old one.
  fileprivate func changedInverse(
    _ before: Schema.Relationship, _ after: Schema.Relationship
  ) -> (PropertyAddress, PropertyAddress)? {
    guard let old = oldInverse(of: before), let new = newInverse(of: after),
      // An inverse that is gone is `field-removed`'s.
      let heir = evolution?.addresses[old], heir != new
    else { return nil }
    return (old, new)
  }

  /// Whether the new inverse changed its inverse as well, and is told in place of this end.
  fileprivate func isToldAtInverse(_ inverse: PropertyAddress, than element: SchemaElement) -> Bool
  {
    guard case .relationship(let entity, let name) = element,
      let far = evolution?.relationships.first(where: {
        $0.element == .relationship(entity: inverse.entity, name: inverse.name)
      }), changedInverse(far.old, far.new) != nil
    else { return false }
    return inverse < PropertyAddress(entity: entity, name: name)
  }
}
