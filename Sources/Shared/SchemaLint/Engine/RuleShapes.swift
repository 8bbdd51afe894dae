package import DataModel

// The walks that rules share: a rule is only the comparison at the end of one of them.

extension Rule {
  /// A check of every entity.
  package static func entities(
    _ check: @escaping @Sendable (Schema.Entity, Schema) -> [Offence]
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      guard let schema = pass.subject.schema else { return [] }
      return schema.entities.flatMap { check($0, schema) }
    }
  }

  /// A check of every stored attribute, composite members included; nil when it is fine.
  package static func attributes(
    _ check: @escaping @Sendable (Schema.Attribute, Schema) -> (aspect: Aspect?, message: String)?
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      guard let schema = pass.subject.schema else { return [] }
      let own = schema.entities.flatMap { entity in
        entity.attributes.map {
          (SchemaElement.attribute(entity: entity.name, name: $0.name), $0)
        }
      }
      let members = schema.composites.flatMap { composite in
        composite.attributes.map {
          (SchemaElement.member(composite: composite.name, name: $0.name), $0)
        }
      }
      return (own + members).compactMap { element, attribute in
        guard attribute.isStored, let (aspect, message) = check(attribute, schema) else {
          return nil
        }
        return Offence(element, aspect, "\(element) \(message)")
      }
    }
  }

  /// A check of every stored relationship; nil when it is fine.
  ///
  /// The message goes on after the relationship's address.
  package static func relationships(
    _ check:
      @escaping @Sendable (Schema.Relationship, Schema.Entity, Schema) -> (
        aspect: Aspect?, message: String
      )?
  ) -> @Sendable (LintPass) -> [Offence] {
    entities { entity, schema in
      entity.relationships.compactMap { relationship in
        guard !relationship.isTransient,
          let (aspect, message) = check(relationship, entity, schema)
        else { return nil }
        let element = SchemaElement.relationship(entity: entity.name, name: relationship.name)
        return Offence(element, aspect, "\(element) \(message)")
      }
    }
  }

  /// A check of every record type, whether written as such or mapped from an entity.
  package static func recordTypes(
    _ check: @escaping @Sendable (RecordSchema.RecordType, LintSubject) -> [Offence]
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in pass.subject.records.types.flatMap { check($0, pass.subject) } }
  }

  /// A check of what changed in the objects since each promoted version; nil when it is fine.
  package static func objectChanges(
    _ check: @escaping @Sendable (SchemaChange, LintPair) -> (aspect: Aspect?, message: String)?
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      pass.pairs.flatMap { pair in
        pair.objectChanges.compactMap { change in
          check(change, pair).map {
            Offence(
              change.element, $0.aspect, "\(change.element) \($0.message)", against: pair.old.label)
          }
        }
      }
    }
  }

  /// A check of what changed in the records since each promoted version; nil when it is fine.
  ///
  /// The offence is reported at the part that a person wrote.
  package static func recordChanges(
    _ check: @escaping @Sendable (SchemaChange, LintPair) -> String?
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      pass.pairs.flatMap { pair in
        pair.recordChanges.compactMap { change in
          guard let message = check(change, pair) else { return nil }
          let side = change.kind == .removed ? pair.old : pair.new
          let element = side.written(change.element)
          return Offence(
            element, change.aspect, "\(element) \(message)", against: pair.old.label)
        }
      }
    }
  }
}
