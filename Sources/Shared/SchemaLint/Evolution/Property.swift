package import DataModel

/// An attribute or a relationship with the entity that declares it.
package struct Declared<Part: Renamable & Hashable>: Hashable, Sendable, Renamable {
  /// The declaring entity's name.
  package var entity: String
  /// The property.
  package var part: Part

  package var name: String {
    get { part.name }
    set { part.name = newValue }
  }
  package var renamingIdentifier: String? {
    get { part.renamingIdentifier }
    set { part.renamingIdentifier = newValue }
  }

  /// Where the property is declared, without what it is.
  package var address: PropertyAddress { PropertyAddress(entity: entity, name: part.name) }
}

/// A property's name and its entity's.
package struct PropertyAddress: Hashable, Sendable, Comparable {
  package var entity: String
  package var name: String

  package static func < (left: PropertyAddress, right: PropertyAddress) -> Bool {
    (left.entity, left.name) < (right.entity, right.name)
  }
}

/// A property that can hold something: a value, or other objects.
package enum Property: Hashable, Sendable {
  case attribute(Schema.Attribute)
  case relationship(Schema.Relationship)

  /// The property's name.
  package var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }

  /// The property's address within `entity`.
  package func element(in entity: String) -> SchemaElement {
    switch self {
    case .attribute(let attribute): .attribute(entity: entity, name: attribute.name)
    case .relationship(let relationship): .relationship(entity: entity, name: relationship.name)
    }
  }

  /// Whether an object's record has a field of the property's name.
  var hasFieldOfItsName: Bool {
    switch self {
    case .attribute(let attribute): attribute.isMirrored
    case .relationship(let relationship): !relationship.isToMany && !relationship.isTransient
    }
  }

  /// What the property is, with its article: "a string attribute".
  package var kindInWords: String {
    switch self {
    case .attribute(let attribute): "\(attribute.type.rawValue.article) \(attribute.type) attribute"
    case .relationship(let relationship):
      "a \(relationship.cardinalityInWords) relationship to \(relationship.destination)"
    }
  }
}

extension Schema.Relationship {
  /// Whether an object cannot do without.
  ///
  /// An empty to-many is valid, required or not, unless it has a minimum count.
  var mustHoldSomething: Bool { !isOptional && (!isToMany || minimumCount > 0) }

  /// `to-one` or `to-many`.
  package var cardinalityInWords: String { isToMany ? "to-many" : "to-one" }
}

extension Schema {
  /// The schema without the entities that are not mirrored: production knows nothing of them.
  var mirroredPart: Schema {
    let names = mirroredEntityNames
    guard names.count < entities.count else { return self }
    var part = self
    part.entities = entities.filter { names.contains($0.name) }
    return part
  }

  /// The attributes that objects of `entity` have, nearest first, with the entities that declare them.
  func declaredAttributes(of entity: Entity) -> [Declared<Attribute>] {
    ([entity] + ancestors(of: entity)).flatMap { owner in
      owner.attributes.map { Declared(entity: owner.name, part: $0) }
    }
  }

  /// The relationships that objects of `entity` have, nearest first, with the entities that declare
  /// them.
  func declaredRelationships(of entity: Entity) -> [Declared<Relationship>] {
    ([entity] + ancestors(of: entity)).flatMap { owner in
      owner.relationships.map { Declared(entity: owner.name, part: $0) }
    }
  }

}

extension Schema.Attribute {
  /// Whether records hold its values: a derived one is computed on each device.
  package var isMirrored: Bool { isStored && derivation == nil }
}

extension LintSubject {
  /// Whether records hold anything of the relationship.
  ///
  /// Its objects point back at a to-many, so that only many-to-many links are held by themselves
  /// (Apple, "Reading CloudKit Records for Core Data"). The native mapping also has links for a
  /// to-many without an inverse.
  package func isInRecords(_ relationship: Schema.Relationship) -> Bool {
    guard let schema, !relationship.isTransient else { return false }
    return !relationship.isToMany || schema.isManyToMany(relationship)
      || (profile == .contrail && schema.inverse(of: relationship) == nil)
  }

  /// Whether records hold anything of the property.
  package func isInRecords(_ property: Property) -> Bool {
    switch property {
    case .attribute(let attribute): attribute.isMirrored
    case .relationship(let relationship): isInRecords(relationship)
    }
  }
}

extension String {
  /// The indefinite article that the word takes.
  package var article: String { first.map { "aeio".contains($0) } == true ? "an" : "a" }
}
