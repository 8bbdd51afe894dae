/// The address of one part of a schema; what changes, findings and source positions refer to.
public enum SchemaElement: Hashable, Sendable {
  /// The schema itself.
  case schema
  /// An entity.
  case entity(String)
  /// An entity's own attribute.
  case attribute(entity: String, name: String)
  /// An entity's own relationship.
  case relationship(entity: String, name: String)
  /// A property that is a fetch.
  case fetchedProperty(entity: String, name: String)
  /// An index of an entity.
  case index(entity: String, name: String)
  /// A set of properties whose values no two objects share.
  case uniqueness(entity: String, properties: [String])
  /// A composite type.
  case composite(String)
  /// A member of a composite type.
  case member(composite: String, name: String)
  /// A configuration.
  case configuration(String)
  /// A named fetch request.
  case fetchRequest(String)
  /// A record type.
  case recordType(String)
  /// A field of a record type.
  case field(type: String, name: String)
  /// A custom role.
  case role(String)
  /// What a role may do with a record type.
  case grant(type: String, role: String)
}

extension SchemaElement: CustomStringConvertible {
  /// The address as people write it: `Entity.property`.
  public var description: String {
    switch self {
    case .schema: "schema"
    case .entity(let name), .composite(let name), .recordType(let name): name
    case .configuration(let name): "configuration \(name)"
    case .fetchRequest(let name): "fetch request \(name)"
    case .role(let name): "role \(name)"
    case .attribute(let owner, let name), .relationship(let owner, let name),
      .fetchedProperty(let owner, let name), .member(let owner, let name),
      .field(let owner, let name):
      "\(owner).\(name)"
    case .index(let owner, let name): "\(owner) index \(name)"
    case .uniqueness(let owner, let properties):
      "\(owner) unique (\(properties.joined(separator: ", ")))"
    case .grant(let type, let role): "\(type) grant to \(role)"
    }
  }

  /// What kind of part an address names; the raw value is the kind in words.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case schema, entity, attribute, relationship, index, configuration, field, role, grant
    case fetchedProperty = "fetched property"
    case uniqueness = "uniqueness constraint"
    case composite = "composite type"
    case member = "composite member"
    case fetchRequest = "fetch request"
    case recordType = "record type"
  }

  /// What kind of part it is.
  public var kind: Kind {
    switch self {
    case .schema: .schema
    case .entity: .entity
    case .attribute: .attribute
    case .relationship: .relationship
    case .fetchedProperty: .fetchedProperty
    case .index: .index
    case .uniqueness: .uniqueness
    case .composite: .composite
    case .member: .member
    case .configuration: .configuration
    case .fetchRequest: .fetchRequest
    case .recordType: .recordType
    case .field: .field
    case .role: .role
    case .grant: .grant
    }
  }

  /// What kind of part it is, in words.
  public var kindName: String { kind.rawValue }

  /// The part that this one belongs to; nil for the schema.
  public var owner: SchemaElement? {
    switch self {
    case .schema: nil
    case .entity, .composite, .configuration, .fetchRequest, .recordType, .role: .schema
    case .attribute(let entity, _), .relationship(let entity, _), .fetchedProperty(let entity, _),
      .index(let entity, _), .uniqueness(let entity, _):
      .entity(entity)
    case .member(let composite, _): .composite(composite)
    case .field(let type, _), .grant(let type, _): .recordType(type)
    }
  }

  /// The entity or record type that the part is or belongs to.
  public var ownerName: String? {
    switch self {
    case .entity(let name), .recordType(let name), .composite(let name): name
    case .attribute(let owner, _), .relationship(let owner, _), .fetchedProperty(let owner, _),
      .index(let owner, _), .uniqueness(let owner, _), .member(let owner, _), .field(let owner, _),
      .grant(let owner, _):
      owner
    case .schema, .configuration, .fetchRequest, .role: nil
    }
  }
}
