/// Walks a schema's entities and puts together the records that hold their objects.
struct RecordMapper {
  /// What wants a field: a property, or a member at some depth within one.
  struct Claim: Hashable {
    var property: SchemaElement
    var path: [String] = []
  }

  let schema: Schema
  let profile: MappingProfile
  var draft = RecordDraft()
  private var entities: [String: MappedEntity] = [:]
  private var unmapped: [SchemaElement] = []
  private var unmappedOnce: Set<SchemaElement> = []
  /// The record types that entities hold, by entity; none for an entity that came second.
  private var types: [String: String] = [:]
  /// The type whose fields are claimed now, and who has which of them in the entity at hand.
  private var type: String?
  private var claims: [String: Claim] = [:]

  init(_ schema: Schema, _ profile: MappingProfile) {
    self.schema = schema
    self.profile = profile
  }

  var mapping: RecordMapping {
    RecordMapping(
      profile: profile, schema: draft.schema, origins: draft.origins, entities: entities,
      collisions: draft.collisions, unmapped: unmapped)
  }

  /// Takes the record type of an entity; in Core Data's layout a whole family of entities shares
  /// that of its root.
  mutating func claimType(of entity: Schema.Entity) {
    let type = MappedNames.recordType(of: entity, in: schema, profile)
    let family = profile == .native ? entity : schema.root(of: entity)
    guard draft.claim(type: type, for: .entity(family.name)) else { return }
    types[entity.name] = type
    for field in profile.reservedFields { draft.reserve(field, in: type) }
  }

  mutating func map(_ entity: Schema.Entity) {
    type = types[entity.name]
    claims = [:]
    var properties: [String: MappedProperty] = [:]
    // From the root down, so that of two properties of one name the inherited one comes first.
    for owner in schema.ancestors(of: entity).reversed() + [entity] {
      for attribute in owner.attributes where attribute.isStored && attribute.derivation == nil {
        properties[attribute.name] = map(attribute, of: owner.name)
      }
      for relationship in owner.relationships where !relationship.isTransient {
        properties[relationship.name] = map(relationship, of: owner.name)
      }
    }
    entities[entity.name] = MappedEntity(
      entity: entity.name, recordType: MappedNames.recordType(of: entity, in: schema, profile),
      entityNameField: profile == .coreData ? MappedNames.entityName : nil,
      clocksField: profile == .native ? MappedNames.clocks : nil, properties: properties)
  }
}

extension RecordMapper {
  /// Takes a field of the entity at hand; two properties of one object cannot have the same.
  mutating func claim(_ field: RecordSchema.Field, for claim: Claim) {
    guard let type else { return }
    if profile == .coreData, field.name.hasSuffix(MappedNames.assetSuffix), field.type != .asset {
      // Readers of this layout take every field of such a name for another field's twin.
      draft.report(.reserved, .field(type: type, name: field.name), [claim.property])
    }
    if let holder = claims[field.name], holder != claim {
      return draft.report(
        .claimedTwice, .field(type: type, name: field.name), [holder.property, claim.property])
    }
    claims[field.name] = claim
    draft.claim(field, in: type, for: claim.property)
  }

  /// Notes a property that no record can hold.
  mutating func leaveOut(_ property: SchemaElement) {
    if unmappedOnce.insert(property).inserted { unmapped.append(property) }
  }
}

extension MappingProfile {
  /// The fields that every record of an entity has beside those of its properties.
  fileprivate var reservedFields: [RecordSchema.Field] {
    switch self {
    case .native: [.created(MappedNames.clocks, .bytes)]
    case .coreData:
      [
        .created(MappedNames.entityName, .string), .created(MappedNames.moveReceipt, .bytes),
        .created(MappedNames.moveReceipt + MappedNames.assetSuffix, .asset),
      ]
    }
  }
}
