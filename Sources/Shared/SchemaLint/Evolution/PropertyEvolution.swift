package import DataModel

/// What became of the properties that objects of an older version have, inheritance included.
///
/// The diff lists properties where they are declared. Records and other apps know only which
/// properties an object *has*: one that moves to the parent is no loss, and one that a new parent
/// does not provide is.
package struct PropertyEvolution: Sendable {
  /// Stored attributes that objects have in both versions.
  package private(set) var attributes: [PropertyPair<Schema.Attribute>] = []
  /// Stored relationships that objects have in both versions.
  package private(set) var relationships: [PropertyPair<Schema.Relationship>] = []
  /// Attributes that became relationships, and the other way round.
  package private(set) var switched: [PropertySwitch] = []
  /// Stored properties that objects have no longer.
  package private(set) var lost: [PropertyLoss] = []
  /// Stored properties that objects had not before.
  package private(set) var gained: [PropertyGain] = []
  /// The new entity of each old one, by name.
  package private(set) var entities: [String: String]
  /// The new address of each old property.
  package private(set) var addresses: [PropertyAddress: PropertyAddress] = [:]

  private var attributePlaces: [SchemaElement: Int] = [:]
  private var relationshipPlaces: [SchemaElement: Int] = [:]
  private var lossPlaces: [SchemaElement: Int] = [:]
  private var gainPlaces: [SchemaElement: Int] = [:]

  package init(_ old: Schema, _ new: Schema, _ matching: SchemaMatching) {
    entities = Dictionary(
      matching.entities.pairs.map { ($0.old.name, $0.new.name) },
      uniquingKeysWith: { first, _ in first })
    var seen = SeenProperties()
    for pair in matching.entities.pairs where !pair.old.isAbstract {
      compare(pair.old, pair.new, old, new, &seen)
    }
    attributePlaces = Self.places(attributes.map(\.element))
    relationshipPlaces = Self.places(relationships.map(\.element))
    lossPlaces = Self.places(lost.map(\.element))
    gainPlaces = Self.places(gained.map(\.element))
  }

  private static func places(_ elements: [SchemaElement]) -> [SchemaElement: Int] {
    Dictionary(elements.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func compare(
    _ before: Schema.Entity, _ after: Schema.Entity, _ old: Schema, _ new: Schema,
    _ seen: inout SeenProperties
  ) {
    let attributes = Matching(
      byIdentity: old.declaredAttributes(of: before), new.declaredAttributes(of: after))
    let relationships = Matching(
      byIdentity: old.declaredRelationships(of: before), new.declaredRelationships(of: after))
    var step = EntityStep(after: after, entities: entities, schema: new)
    step.add(attributes, isStored: \.isMirrored) { .attribute($0) }
    step.add(relationships, isStored: { !$0.isTransient }) { .relationship($0) }
    step.findSwitches()
    for pair in attributes.pairs { addresses[pair.old.address] = pair.new.address }
    for pair in relationships.pairs { addresses[pair.old.address] = pair.new.address }
    self.attributes += attributes.pairs.compactMap { old, new in
      guard old.part.isMirrored, new.part.isMirrored else { return nil }
      let pair = PropertyPair(.attribute(entity: new.entity, name: new.name), old, new)
      return seen.pairs.insert([old.address, new.address]).inserted ? pair : nil
    }
    self.relationships += relationships.pairs.compactMap { old, new in
      guard !old.part.isTransient, !new.part.isTransient else { return nil }
      let pair = PropertyPair(.relationship(entity: new.entity, name: new.name), old, new)
      return seen.pairs.insert([old.address, new.address]).inserted ? pair : nil
    }
    switched += step.switched.filter { seen.elements.insert($0.element).inserted }
    lost += step.lost.filter { seen.elements.insert($0.element).inserted }
    gained += step.gained.filter { seen.gained.insert($0.element).inserted }
  }
}

extension PropertyEvolution {
  /// The attribute at that address in the new schema, in both versions.
  func attribute(at element: SchemaElement) -> PropertyPair<Schema.Attribute>? {
    attributePlaces[element].map { attributes[$0] }
  }

  /// The relationship at that address in the new schema, in both versions.
  func relationship(at element: SchemaElement) -> PropertyPair<Schema.Relationship>? {
    relationshipPlaces[element].map { relationships[$0] }
  }

  /// What objects lost at that address.
  func loss(at element: SchemaElement) -> PropertyLoss? { lossPlaces[element].map { lost[$0] } }

  /// What objects gained at that address.
  func gain(at element: SchemaElement) -> PropertyGain? { gainPlaces[element].map { gained[$0] } }
}

/// A property in two versions.
package struct PropertyPair<Part: Renamable & Hashable>: Sendable {
  /// Its address in the new schema.
  package let element: SchemaElement
  /// The entity that declares it in the old schema, by its old name.
  package let oldEntity: String
  /// The entity that declares it in the new schema.
  package let newEntity: String
  package let old: Part
  package let new: Part

  fileprivate init(_ element: SchemaElement, _ old: Declared<Part>, _ new: Declared<Part>) {
    self.element = element
    oldEntity = old.entity
    newEntity = new.entity
    self.old = old.part
    self.new = new.part
  }

  /// Its address in the old schema.
  package var oldAddress: PropertyAddress { PropertyAddress(entity: oldEntity, name: old.name) }

  /// Whether a feature differs.
  package func differs(_ feature: (Part) -> some Equatable) -> Bool {
    feature(old) != feature(new)
  }
}

/// An attribute that became a relationship of the same name, or the other way round.
package struct PropertySwitch: Sendable {
  package let element: SchemaElement
  package let old: Property
  package let new: Property
}

/// A property that objects of an entity have no longer.
package struct PropertyLoss: Sendable {
  /// How a property can leave the records.
  package enum Reason: Sendable {
    /// Its entity has it no longer.
    case removed
    /// Its entity may still have it, but these objects do not inherit it any more.
    case notInherited
    /// It is still there, transient or derived, so that records do not hold it any more.
    case unmirrored
  }

  /// Its address, under the entity's new name.
  package let element: SchemaElement
  /// The entity that declared it, by its old name.
  package let oldEntity: String
  package let old: Property
  package let reason: Reason
}

/// A property that objects of an entity had not before.
package struct PropertyGain: Sendable {
  package let element: SchemaElement
  /// The entity that both versions have and that gained it, by its new name.
  package let entity: String
  package let new: Property
}

/// What was noted before: an inherited property is met again at every entity that inherits it.
private struct SeenProperties {
  var pairs: Set<[PropertyAddress]> = []
  var elements: Set<SchemaElement> = []
  var gained: Set<SchemaElement> = []
}

/// The losses, gains and switches of one entity's objects.
private struct EntityStep {
  let after: Schema.Entity
  let entities: [String: String]
  let schema: Schema
  var lost: [PropertyLoss] = []
  var gained: [PropertyGain] = []
  var switched: [PropertySwitch] = []

  mutating func add<Part>(
    _ matching: Matching<Declared<Part>>, isStored: (Part) -> Bool, _ property: (Part) -> Property
  ) {
    for old in matching.removed where isStored(old.part) {
      lost.append(loss(old, property(old.part), .removed))
    }
    for new in matching.added where isStored(new.part) {
      gained.append(gain(new.entity, property(new.part)))
    }
    for pair in matching.pairs where isStored(pair.old.part) != isStored(pair.new.part) {
      if isStored(pair.old.part) {
        lost.append(loss(pair.old, property(pair.old.part), .unmirrored))
      } else {
        gained.append(gain(pair.new.entity, property(pair.new.part)))
      }
    }
  }

  /// A lost attribute and a gained relationship of one name, or the other way round, are one change.
  ///
  /// A to-many has no field, so that an attribute of its name is a new one.
  mutating func findSwitches() {
    for loss in lost where loss.reason != .unmirrored && loss.old.hasFieldOfItsName {
      guard let index = gained.firstIndex(where: { $0.new.name == loss.old.name }) else { continue }
      let gain = gained.remove(at: index)
      switched.append(PropertySwitch(element: gain.element, old: loss.old, new: gain.new))
      lost.removeAll { $0.element == loss.element }
    }
  }

  private func loss<Part>(
    _ old: Declared<Part>, _ property: Property, _ reason: PropertyLoss.Reason
  ) -> PropertyLoss {
    let owner = entities[old.entity].flatMap(schema.entity)
    let isInheritance =
      reason == .removed && owner?.name != after.name
      && owner.map { schema.hasProperty(old.canonicalName, old.name, of: $0) } ?? true
    return PropertyLoss(
      element: property.element(in: isInheritance ? after.name : owner?.name ?? after.name),
      oldEntity: old.entity, old: property, reason: isInheritance ? .notInherited : reason)
  }

  private func gain(_ owner: String, _ property: Property) -> PropertyGain {
    PropertyGain(element: property.element(in: owner), entity: after.name, new: property)
  }
}

extension Schema {
  /// Whether objects of `entity` have a property of the one name or the other.
  fileprivate func hasProperty(_ canonicalName: String, _ name: String, of entity: Entity) -> Bool {
    func matches(_ part: some Renamable) -> Bool {
      part.canonicalName == canonicalName || part.name == name
    }
    return allAttributes(of: entity).contains { matches($0) }
      || allRelationships(of: entity).contains { matches($0) }
  }
}
