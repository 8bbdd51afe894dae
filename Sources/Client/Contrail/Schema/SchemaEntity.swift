import DataModel
import Foundation

extension Schema {
  /// A kind of model.
  public final class Entity: Codable, Hashable, Sendable {
    /// The entity's name: its class's.
    public let name: String
    /// The entity that this one inherits from.
    public let superentityName: String?
    /// The names of the entities that inherit from this one.
    public let subentityNames: [String]
    /// The attributes, inherited ones among them.
    public let attributes: Set<Attribute>
    /// The relationships, inherited ones among them.
    public let relationships: Set<Relationship>
    /// The names of what the entity declares itself.
    let ownNames: Set<String>
    /// Sets of properties that are unique together.
    public let uniquenessConstraints: [[String]]
    /// Sets of properties that are indexed together.
    public let indices: [[String]]
    let family: Family

    /// The whole schema's entities, to find others in.
    struct Family: Sendable {
      var stored: DataModel.Schema
      var plans: [String: ModelPlan]
    }

    init(
      _ entity: DataModel.Schema.Entity, of schema: DataModel.Schema, _ plans: [String: ModelPlan]
    ) {
      name = entity.name
      superentityName = entity.parent
      subentityNames = schema.entities.filter { $0.parent == entity.name }.map(\.name)
      let known = plans[entity.name]?.properties
      attributes = Set(
        schema.allAttributes(of: entity).map {
          Attribute.made($0, known?.property($0.name), schema)
        })
      relationships = Set(
        schema.allRelationships(of: entity).map {
          Relationship($0, known?.property($0.name))
        })
      ownNames = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
      uniquenessConstraints = entity.uniquenessConstraints
      indices = entity.indexes.map { $0.elements.map(\.subject) }
      family = Family(stored: schema, plans: plans)
    }

    /// The entity that this one inherits from.
    public var superentity: Entity? { superentityName.flatMap(entity) }
    /// The entities that inherit from this one.
    public var subentities: Set<Entity> { Set(subentityNames.compactMap(entity)) }

    private func entity(_ name: String) -> Entity? {
      family.stored.entity(name).map { Entity($0, of: family.stored, family.plans) }
    }

    /// The attributes and relationships, sorted by name.
    public var properties: [any SchemaProperty] {
      let all = attributes.map { $0 as any SchemaProperty } + relationships.map { $0 }
      return all.sorted { $0.name.precedesInBytes($1.name) }
    }
    /// What the entity declares itself.
    public var storedProperties: [any SchemaProperty] {
      properties.filter { ownNames.contains($0.name) }
    }
    /// What it inherits.
    public var inheritedProperties: [any SchemaProperty] {
      properties.filter { !ownNames.contains($0.name) }
    }
    /// The attributes by their names.
    public var attributesByName: [String: Attribute] {
      Dictionary(attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    /// The relationships by their names.
    public var relationshipsByName: [String: Relationship] {
      Dictionary(relationships.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    /// The attributes and relationships by their names.
    public var propertiesByName: [String: any SchemaProperty] {
      Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// What the entity declares itself, by the names.
    public var storedPropertiesByName: [String: any SchemaProperty] {
      propertiesByName.filter { ownNames.contains($0.key) }
    }
    /// What it inherits, by the names.
    public var inheritedPropertiesByName: [String: any SchemaProperty] {
      propertiesByName.filter { !ownNames.contains($0.key) }
    }

    /// Whether both say the same.
    public static func == (first: Entity, second: Entity) -> Bool {
      first.name == second.name && first.superentityName == second.superentityName
        && first.attributes == second.attributes && first.relationships == second.relationships
        && first.uniquenessConstraints == second.uniquenessConstraints
        && first.indices == second.indices
    }

    /// Feeds what tells entities apart into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Writes the text of a schema with the entity and what it needs.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(name, forKey: .name)
      try values.encode(Schema(family.stored, version: Version(1, 0, 0)), forKey: .schema)
    }

    private enum CodingKeys: String, CodingKey {
      case name, schema
    }

    /// Reads what `encode` wrote.
    public convenience init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let name = try values.decode(String.self, forKey: .name)
      let schema = try values.decode(Schema.self, forKey: .schema)
      guard let entity = schema.stored.entity(name) else {
        throw DecodingError.dataCorruptedError(
          forKey: .name, in: values, debugDescription: "the schema has no entity \(name)")
      }
      self.init(entity, of: schema.stored, [:])
    }
  }
}

extension Schema.Attribute {
  /// An attribute of a schema, which is a `CompositeAttribute` where it is made of several values.
  fileprivate static func made(
    _ stored: DataModel.Schema.Attribute, _ known: KnownProperty?, _ schema: DataModel.Schema
  ) -> Schema.Attribute {
    let whole = Schema.Attribute(stored, known)
    guard stored.type == .composite else { return whole }
    return Schema.CompositeAttribute(whole, members(of: stored, known?.shape, schema))
  }

  private static func members(
    of stored: DataModel.Schema.Attribute, _ shape: CompositeShape?, _ schema: DataModel.Schema
  ) -> [Schema.Attribute] {
    let composite = stored.compositeName.flatMap(schema.composite)
    return (composite?.attributes ?? []).map { member in
      let known = shape?.members.first { $0.name == member.name }
      let whole = Schema.Attribute(
        name: member.name, originalName: member.renamingIdentifier, options: [],
        valueType: known?.type ?? Any.self, defaultValue: nil, isOptional: member.isOptional,
        hashModifier: member.hashModifier, attributeType: member.type)
      guard member.type == .composite else { return whole }
      return Schema.CompositeAttribute(whole, members(of: member, known?.inner, schema))
    }
  }

  private convenience init(_ stored: DataModel.Schema.Attribute, _ known: KnownProperty?) {
    self.init(
      name: stored.name, originalName: stored.renamingIdentifier,
      options: known?.attribute?.options ?? [],
      valueType: known.map { type(of: $0.keypath).valueType } ?? Any.self,
      defaultValue: known?.defaultValue, isOptional: stored.isOptional,
      hashModifier: stored.hashModifier, attributeType: stored.type)
  }
}

extension Schema.Relationship {
  convenience init(_ stored: DataModel.Schema.Relationship, _ known: KnownProperty?) {
    self.init(
      name: stored.name, originalName: stored.renamingIdentifier, keypath: known?.keypath,
      options: known?.relationship?.options ?? [],
      valueType: known.map { type(of: $0.keypath).valueType } ?? Any.self,
      destination: stored.destination,
      deleteRule: DeleteRule(rawValue: stored.deleteRule.rawValue)
        ?? .nullify, inverseName: stored.inverse,
      inverseKeyPath: known?.relationship?.inverseKeyPath,
      minimumModelCount: stored.minimumCount, maximumModelCount: stored.maximumCount,
      hashModifier: stored.hashModifier, isOptional: stored.isOptional,
      isToOne: !stored.isToMany)
  }
}
