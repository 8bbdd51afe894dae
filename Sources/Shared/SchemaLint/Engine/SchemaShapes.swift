package import DataModel

// The walks over one schema: a rule is only the comparison at the end of one of them. What a rule
// compares is the part in front of it, a site; what it says is a flaw.

/// What is wrong with the part in front of a rule: the feature, where one can be named, and the rest
/// of a sentence that begins with the part's name.
package typealias Flaw = (aspect: Aspect?, message: String)

/// How far a walk goes.
package enum Reach: Sendable {
  /// Every part.
  case all
  /// What a store keeps.
  case stored
  /// What the profile's mirroring looks at, in the entities that are mirrored: Core Data's validator
  /// judges transient properties like all others, ours only what is stored.
  case mirrored
}

extension Reach {
  fileprivate func includesTransient(_ profile: LintProfile) -> Bool {
    self == .all || (self == .mirrored && profile == .cloudkit)
  }
}

/// An entity in front of a rule.
package struct EntitySite: Sendable {
  package let entity: Schema.Entity
  package let schema: Schema
  package let pass: LintPass

  package var element: SchemaElement { .entity(entity.name) }
}

/// An attribute, or a member of a composite type, in front of a rule.
package struct AttributeSite: Sendable {
  package let attribute: Schema.Attribute
  package let element: SchemaElement
  /// The entity that declares it; nil for a member of a composite type.
  package let entity: Schema.Entity?
  package let schema: Schema
  package let pass: LintPass
}

/// A relationship in front of a rule.
package struct RelationshipSite: Sendable {
  package let relationship: Schema.Relationship
  package let entity: Schema.Entity
  package let schema: Schema
  package let pass: LintPass

  package var element: SchemaElement {
    .relationship(entity: entity.name, name: relationship.name)
  }

  /// The relationship at the other end, with the entity that declares it.
  package var inverse: (entity: Schema.Entity, end: Schema.Relationship)? {
    schema.inverse(of: relationship)
  }
}

extension Rule {
  /// A check of every entity.
  package static func entities(
    _ reach: Reach = .all, _ check: @escaping @Sendable (EntitySite) -> [Offence]
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in sites(pass, reach).flatMap(check) }
  }

  /// A check of every entity; nil when it is fine.
  package static func entity(
    _ reach: Reach = .all, _ check: @escaping @Sendable (EntitySite) -> Flaw?
  ) -> @Sendable (LintPass) -> [Offence] {
    entities(reach) { site in
      check(site).map { [Offence(site.element, $0.aspect, "\(site.element) \($0.message)")] } ?? []
    }
  }

  /// A check of every attribute, members of composite types included; nil when it is fine.
  package static func attributes(
    _ reach: Reach = .stored, _ check: @escaping @Sendable (AttributeSite) -> Flaw?
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      let own = sites(pass, reach).flatMap { site in
        site.entity.attributes.map { attribute in
          AttributeSite(
            attribute: attribute,
            element: .attribute(entity: site.entity.name, name: attribute.name),
            entity: site.entity, schema: site.schema, pass: pass)
        }
      }
      return (own + members(pass)).compactMap { site in
        guard site.attribute.isStored || reach.includesTransient(pass.profile),
          let flaw = check(site)
        else { return nil }
        return Offence(site.element, flaw.aspect, "\(site.element) \(flaw.message)")
      }
    }
  }

  /// A check of every relationship; nil when it is fine.
  package static func relationships(
    _ reach: Reach = .stored, _ check: @escaping @Sendable (RelationshipSite) -> Flaw?
  ) -> @Sendable (LintPass) -> [Offence] {
    entities(reach) { site in
      site.entity.relationships.compactMap { relationship in
        let end = RelationshipSite(
          relationship: relationship, entity: site.entity, schema: site.schema, pass: site.pass)
        guard !relationship.isTransient || reach.includesTransient(site.pass.profile),
          let flaw = check(end)
        else { return nil }
        return Offence(end.element, flaw.aspect, "\(end.element) \(flaw.message)")
      }
    }
  }

  private static func sites(_ pass: LintPass, _ reach: Reach) -> [EntitySite] {
    guard let schema = pass.subject.schema else { return [] }
    let mirrored = reach == .mirrored ? schema.mirroredEntityNames : nil
    return schema.entities.filter { mirrored?.contains($0.name) ?? true }
      .map { EntitySite(entity: $0, schema: schema, pass: pass) }
  }

  private static func members(_ pass: LintPass) -> [AttributeSite] {
    guard let schema = pass.subject.schema else { return [] }
    return schema.composites.flatMap { composite in
      composite.attributes.map {
        AttributeSite(
          attribute: $0, element: .member(composite: composite.name, name: $0.name), entity: nil,
          schema: schema, pass: pass)
      }
    }
  }
}

extension Schema {
  /// The entities that mirroring looks at: those of the configurations that say so of themselves,
  /// and all where the model or none of its configurations does.
  package var mirroredEntityNames: Set<String> {
    let mirrored = configurations.filter(\.isUsedWithCloudKit)
    return isUsedWithCloudKit || mirrored.isEmpty
      ? Set(entities.map(\.name)) : Set(mirrored.flatMap(\.entities))
  }
}
