package import DataModel

// Every rule walks over the same parts, so they are laid out once. A site is an object: a walk then
// counts one reference for each part, and not one for each text and list within it.

/// What all sites of one schema share.
package final class SiteContext: Sendable {
  package let schema: Schema
  package let profile: LintProfile
  /// Value transformers that the user says are registered and reversible; nil when nothing was said.
  package let knownTransformers: Set<String>?

  init(_ schema: Schema, profile: LintProfile, knownTransformers: Set<String>?) {
    self.schema = schema
    self.profile = profile
    self.knownTransformers = knownTransformers
  }
}

/// An entity in front of a rule.
package final class EntitySite: Sendable {
  package let entity: Schema.Entity
  package let context: SiteContext
  /// Whether the mirroring looks at it.
  let isMirrored: Bool

  init(_ entity: Schema.Entity, isMirrored: Bool, _ context: SiteContext) {
    self.entity = entity
    self.isMirrored = isMirrored
    self.context = context
  }

  package var element: SchemaElement { .entity(entity.name) }
  package var schema: Schema { context.schema }
}

/// An attribute, or a member of a composite type, in front of a rule.
package final class AttributeSite: Sendable {
  package let attribute: Schema.Attribute
  package let element: SchemaElement
  /// The entity that declares it; nil for a member of a composite type.
  package let entity: Schema.Entity?
  package let context: SiteContext
  let isMirrored: Bool

  init(
    _ attribute: Schema.Attribute, _ element: SchemaElement, of entity: Schema.Entity?,
    isMirrored: Bool, _ context: SiteContext
  ) {
    self.attribute = attribute
    self.element = element
    self.entity = entity
    self.isMirrored = isMirrored
    self.context = context
  }

  package var schema: Schema { context.schema }
}

/// A relationship in front of a rule.
package final class RelationshipSite: Sendable {
  package let relationship: Schema.Relationship
  package let entity: Schema.Entity
  package let context: SiteContext
  /// The relationship at the other end, with the entity that declares it.
  package let inverse: (entity: Schema.Entity, end: Schema.Relationship)?
  let isMirrored: Bool

  init(
    _ relationship: Schema.Relationship, of entity: Schema.Entity, isMirrored: Bool,
    _ context: SiteContext
  ) {
    self.relationship = relationship
    self.entity = entity
    self.isMirrored = isMirrored
    self.context = context
    inverse = context.schema.inverse(of: relationship)
  }

  package var element: SchemaElement {
    .relationship(entity: entity.name, name: relationship.name)
  }
  package var schema: Schema { context.schema }
}

/// The parts of one schema, laid out for the walks; none where a file holds record types.
package struct SchemaSites: Sendable {
  private var entities: [EntitySite] = []
  private var attributes: [AttributeSite] = []
  private var relationships: [RelationshipSite] = []
  private let profile: LintProfile

  init(_ schema: Schema?, profile: LintProfile, knownTransformers: Set<String>?) {
    self.profile = profile
    guard let schema else { return }
    let context = SiteContext(schema, profile: profile, knownTransformers: knownTransformers)
    let mirrored = schema.mirroredEntityNames
    for entity in schema.entities {
      add(entity, isMirrored: mirrored.contains(entity.name), context)
    }
    for composite in schema.composites {
      attributes += composite.attributes.map {
        AttributeSite(
          $0, .member(composite: composite.name, name: $0.name), of: nil, isMirrored: true, context)
      }
    }
  }

  private mutating func add(_ entity: Schema.Entity, isMirrored: Bool, _ context: SiteContext) {
    entities.append(EntitySite(entity, isMirrored: isMirrored, context))
    attributes += entity.attributes.map {
      AttributeSite(
        $0, .attribute(entity: entity.name, name: $0.name), of: entity, isMirrored: isMirrored,
        context)
    }
    relationships += entity.relationships.map {
      RelationshipSite($0, of: entity, isMirrored: isMirrored, context)
    }
  }

  /// The entities that a walk of that reach comes by; the others are alike.
  func entities(_ reach: Reach) -> [EntitySite] {
    reach == .mirrored ? entities.filter(\.isMirrored) : entities
  }

  func attributes(_ reach: Reach) -> [AttributeSite] {
    let includesTransient = reach.includesTransient(profile)
    return attributes.filter { site in
      (site.isMirrored || reach != .mirrored) && (site.attribute.isStored || includesTransient)
    }
  }

  func relationships(_ reach: Reach) -> [RelationshipSite] {
    let includesTransient = reach.includesTransient(profile)
    return relationships.filter { site in
      (site.isMirrored || reach != .mirrored)
        && (!site.relationship.isTransient || includesTransient)
    }
  }
}
