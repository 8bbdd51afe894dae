package import DataModel

/// An attribute that has a value of its own: one of an entity, or a member of a composite attribute.
package struct LeafAttribute: Sendable {
  /// The name, or for a member the names on the way to it, "place.street".
  package var path: String
  package var attribute: Schema.Attribute
  /// Whether it, and all that it is a member of, are stored.
  package var isStored: Bool
  /// Whether it, or something that it is a member of, may be without a value.
  package var isOptional: Bool
}

extension Schema {
  /// How deep composite attributes may be nested; deeper members are not kept.
  package static let compositeDepthMax = 16

  /// The attributes with values of their own among `attributes`, members of composites included.
  package func leaves(of attributes: [Attribute]) -> [LeafAttribute] {
    attributes.flatMap { leaves(of: $0, prefix: "", isStored: true, isOptional: false, within: []) }
  }

  private func leaves(
    of attribute: Attribute, prefix: String, isStored: Bool, isOptional: Bool, within: [String]
  ) -> [LeafAttribute] {
    let path = prefix + attribute.name
    let isStored = isStored && attribute.isStored
    let isOptional = isOptional || attribute.isOptional
    guard attribute.type == .composite else {
      return [
        LeafAttribute(
          path: path, attribute: attribute, isStored: isStored, isOptional: isOptional)
      ]
    }
    // A type within itself has no end; the lint says so.
    guard within.count < Self.compositeDepthMax, let name = attribute.compositeName,
      !within.contains(name), let type = composite(name)
    else { return [] }
    return type.attributes.flatMap {
      leaves(
        of: $0, prefix: path + ".", isStored: isStored, isOptional: isOptional,
        within: within + [name])
    }
  }
}

/// Which rows hold the keys of a relationship.
package enum RelationshipPlace: Hashable, Sendable {
  /// The object's own; with the place among the other side's objects where that side has an order.
  case ownColumn(hasOrder: Bool)
  /// The related objects', in the column of the inverse.
  case farColumn
  /// A table of pairs that is named after this relationship.
  case ownTable
  /// The table of pairs that is named after the inverse.
  case tableOfInverse
}

extension Schema {
  /// Which rows hold the keys of `relationship`, which `entity` declares.
  ///
  /// A to-one holds its own key, but in a one-to-one only the end whose name comes first does. Pairs
  /// have a table where both ends are to-many or a to-many has no inverse.
  package func place(of relationship: Relationship, in entity: Entity) -> RelationshipPlace {
    guard let inverse = mutualInverse(of: relationship, in: entity) else {
      return relationship.isToMany ? .ownTable : .ownColumn(hasOrder: false)
    }
    let isSelf = inverse.entity.name == entity.name && inverse.end.name == relationship.name
    switch (relationship.isToMany, inverse.end.isToMany) {
    case (false, true): return .ownColumn(hasOrder: inverse.end.isOrdered)
    case (true, false): return .farColumn
    case (false, false):
      return isSelf || comesFirst(entity, relationship, inverse)
        ? .ownColumn(hasOrder: false) : .farColumn
    case (true, true):
      return isSelf || comesFirst(entity, relationship, inverse) ? .ownTable : .tableOfInverse
    }
  }

  /// The relationship at the other end, where that end says the same of this one; the lint finds those
  /// that do not.
  package func mutualInverse(of relationship: Relationship, in entity: Entity) -> (
    entity: Entity, end: Relationship
  )? {
    guard let found = inverse(of: relationship), let back = inverse(of: found.end),
      back.entity.name == entity.name, back.end.name == relationship.name
    else { return nil }
    return found
  }

  private func comesFirst(
    _ entity: Entity, _ relationship: Relationship, _ other: (entity: Entity, end: Relationship)
  ) -> Bool {
    entity.name == other.entity.name
      ? relationship.name.precedesInBytes(other.end.name)
      : entity.name.precedesInBytes(other.entity.name)
  }
}
