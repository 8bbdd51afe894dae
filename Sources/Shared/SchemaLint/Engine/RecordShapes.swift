package import DataModel

// The walks over the record types of one schema.

extension Rule {
  /// A check of every record type, whether written as such or mapped from an entity.
  package static func recordTypes(
    _ check: @escaping @Sendable (RecordSchema.RecordType, LintSubject) -> [Offence]
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in pass.subject.records.types.flatMap { check($0, pass.subject) } }
  }

  /// The names of the given kinds that the mapping of objects to records could not give; each is
  /// reported at the last part that claims it.
  package static func mappedNames(
    _ kinds: Set<RecordMapping.Collision.Kind>,
    _ message: @escaping @Sendable (RecordMapping.Collision, _ part: SchemaElement) -> String
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      (pass.subject.mapping?.collisions ?? []).filter { kinds.contains($0.kind) }
        .compactMap { collision in
          collision.claimants.last.map { Offence($0, .name, message(collision, $0)) }
        }
    }
  }

  /// A check of every record type that a person wrote: none where a schema holds objects.
  package static func writtenTypes(
    _ check: @escaping @Sendable (RecordSchema.RecordType, RecordSchema) -> [Offence]
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      guard pass.subject.schema == nil else { return [] }
      return pass.subject.records.types.flatMap { check($0, pass.subject.records) }
    }
  }

  /// A check of every field that a person wrote; nil when it is fine.
  package static func writtenFields(
    _ check: @escaping @Sendable (RecordSchema.Field) -> Flaw?
  ) -> @Sendable (LintPass) -> [Offence] {
    writtenTypes { type, _ in
      type.fields.compactMap { field in
        check(field).map { flaw in
          let element = SchemaElement.field(type: type.name, name: field.name)
          return Offence(element, flaw.aspect, "\(element) \(flaw.message)")
        }
      }
    }
  }

  /// A check of every grant that a person wrote; nil when it is fine.
  package static func writtenGrants(
    _ check:
      @escaping @Sendable (RecordSchema.Grant, RecordSchema.RecordType, RecordSchema) ->
      Flaw?
  ) -> @Sendable (LintPass) -> [Offence] {
    writtenTypes { type, schema in
      type.grants.compactMap { grant in
        check(grant, type, schema).map { flaw in
          Offence(
            .grant(type: type.name, role: grant.role), flaw.aspect, "\(type.name) \(flaw.message)")
        }
      }
    }
  }
}
