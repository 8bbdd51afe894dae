/// Which entities and properties of two schemas are the same part in two versions.
package struct SchemaMatching: Sendable {
  package let entities: Matching<Schema.Entity>
  package let properties: [EntityPair]
  private let placesOfOld: [String: Int]
  private let placesOfNew: [String: Int]

  /// An entity that both versions have, with the matching of its properties.
  package struct EntityPair: Sendable {
    package var old: Schema.Entity
    package var new: Schema.Entity
    package var attributes: Matching<Schema.Attribute>
    package var relationships: Matching<Schema.Relationship>
  }

  package init(_ old: Schema, _ new: Schema) {
    let entities = Matching(byIdentity: old.entities, new.entities)
    self.entities = entities
    properties = entities.pairs.map { pair in
      EntityPair(
        old: pair.old, new: pair.new,
        attributes: Matching(byIdentity: pair.old.attributes, pair.new.attributes),
        relationships: Matching(byIdentity: pair.old.relationships, pair.new.relationships))
    }
    placesOfOld = Self.places(entities.pairs.map(\.old.name))
    placesOfNew = Self.places(entities.pairs.map(\.new.name))
  }

  private static func places(_ names: [String]) -> [String: Int] {
    Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entity of that name in the old schema, in both versions.
  package func pair(ofOld name: String) -> (old: Schema.Entity, new: Schema.Entity)? {
    placesOfOld[name].map { entities.pairs[$0] }
  }

  /// The entity of that name in the new schema, in both versions.
  package func pair(ofNew name: String) -> (old: Schema.Entity, new: Schema.Entity)? {
    placesOfNew[name].map { entities.pairs[$0] }
  }
}

/// The new names of an old schema's entities and properties, for rewriting references to them.
///
/// A reference that follows a rename is no difference of its own.
struct NewNames {
  private var entities: [String: String] = [:]
  private var properties: [String: [String: String]] = [:]

  init(_ matching: SchemaMatching) {
    let taken = Set(
      matching.entities.pairs.map(\.new.name) + matching.entities.added.map(\.name))
    for pair in matching.entities.pairs { entities[pair.old.name] = pair.new.name }
    for entity in matching.entities.removed where taken.contains(entity.name) {
      entities[entity.name] = Self.marked(entity.name)
    }
    for pair in matching.properties { properties[pair.old.name] = Self.propertyNames(pair) }
  }

  private static func propertyNames(_ pair: SchemaMatching.EntityPair) -> [String: String] {
    var names: [String: String] = [:]
    let taken = Set(pair.new.attributes.map(\.name) + pair.new.relationships.map(\.name))
    let removed = pair.attributes.removed.map(\.name) + pair.relationships.removed.map(\.name)
    for name in removed where taken.contains(name) { names[name] = marked(name) }
    for match in pair.attributes.pairs { names[match.old.name] = match.new.name }
    for match in pair.relationships.pairs { names[match.old.name] = match.new.name }
    return names
  }

  /// A removed part whose name went to another one must not pass for it.
  private static func marked(_ name: String) -> String { "\(name) (removed)" }

  func entity(_ name: String) -> String { entities[name] ?? name }

  /// The new name of a property that `entity` of `old` declares or inherits.
  func property(_ name: String, of entity: Schema.Entity, in old: Schema) -> String {
    for owner in [entity] + old.ancestors(of: entity) {
      if let new = properties[owner.name]?[name] { return new }
    }
    return name
  }
}

extension Schema.Entity {
  /// The entity with every reference rewritten to the names of the new schema.
  func rewritten(_ names: NewNames, in old: Schema) -> Schema.Entity {
    func property(_ name: String) -> String { names.property(name, of: self, in: old) }
    var copy = self
    copy.parent = parent.map(names.entity)
    copy.versionField = versionField.map(property)
    copy.naturalKey = naturalKey.map(property)
    copy.uniquenessConstraints = uniquenessConstraints.map { $0.map(property) }
    copy.indexes = indexes.map { index in
      var index = index
      for position in index.elements.indices where !index.elements[position].isExpression {
        index.elements[position].subject = property(index.elements[position].subject)
      }
      return index
    }
    copy.fetchedProperties = fetchedProperties.map { fetched in
      var fetched = fetched
      fetched.request.entity = names.entity(fetched.request.entity)
      return fetched
    }
    return copy
  }
}

extension Schema.Relationship {
  /// The relationship with its far end rewritten to the names of the new schema.
  func rewritten(_ names: NewNames, in old: Schema) -> Schema.Relationship {
    var copy = self
    copy.destination = names.entity(destination)
    copy.inverseEntity = inverseEntity.map(names.entity)
    if let inverse, let far = old.entity(inverseEntity ?? destination) {
      copy.inverse = names.property(inverse, of: far, in: old)
    }
    return copy
  }
}
