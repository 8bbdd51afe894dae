package import DataModel

/// What became of a record type or field that the schema in hand lacks, where one side holds record
/// types only.
///
/// Records know no renames and no cardinality; a side with objects tells what the person did.
package enum RecordFate: Hashable, Sendable {
  /// It was removed.
  case gone
  /// The part has another name now.
  case renamed(to: SchemaElement)
  /// The relationship is to-many now, so that its objects have no field for it.
  case becameToMany(SchemaElement)
  /// The attribute is still there, and not stored any more.
  case transient(SchemaElement)
  /// The entity is still there, under a root that gives its records another type.
  case moved(SchemaElement)
  /// It is the asset twin of a field, and goes or stays with that.
  case twin(of: String)
  /// A schema of objects never names it: the server or the mirroring made it.
  case unspoken
}

extension LintPair {
  /// What became of a part of the old records that the new ones lack.
  package func fate(of removed: SchemaElement) -> RecordFate {
    switch removed {
    case .recordType(let type): fate(ofType: type)
    case .field(let type, let name): fate(ofField: name, in: type)
    default: .gone
    }
  }

  /// The address that a person would use for a removed record type or field.
  package func written(removed element: SchemaElement) -> SchemaElement {
    guard old.schema == nil, new.schema != nil else { return old.written(element) }
    switch element {
    case .recordType(let type): return .entity(naming.property(type) ?? type)
    case .field(let type, let name):
      guard let entity = entities(ofType: type).first else { return element }
      return .attribute(entity: entity.name, name: naming.property(name) ?? name)
    default: return element
    }
  }

  /// What to show in the schema in hand for a change of the records.
  func place(of change: SchemaChange) -> SchemaElement? {
    guard new.schema != nil else { return change.element }
    guard change.kind == .removed else { return nil }
    switch fate(of: change.element) {
    case .renamed(let heir), .becameToMany(let heir), .transient(let heir), .moved(let heir):
      return heir
    case .gone, .twin, .unspoken: return nil
    }
  }

  private var naming: RecordNaming { RecordNaming(profile: new.profile) }

  private func fate(ofType type: String) -> RecordFate {
    if new.schema == nil && old.schema == nil { return type == "Users" ? .unspoken : .gone }
    guard let name = naming.property(type), !naming.isMadeByMirroring(type: type) else {
      return .unspoken
    }
    guard let schema = new.schema else { return .gone }
    if let entity = schema.entity(name) {
      // Under the same root it would still be a type of that name: it is abstract now, or mirrored no
      // longer.
      let isElsewhere = schema.root(of: entity).name != name
      return isElsewhere ? .moved(.entity(entity.name)) : .gone
    }
    let heir = schema.entities.first { $0.renamingIdentifier == name }
    return heir.map { .renamed(to: .entity($0.name)) } ?? .gone
  }

  private func fate(ofField field: String, in type: String) -> RecordFate {
    if let base = naming.base(ofTwin: field), old.records.type(type)?.field(base) != nil {
      return .twin(of: base)
    }
    if new.schema == nil && old.schema == nil { return .gone }
    guard let name = naming.property(field), !naming.isMadeByMirroring(field: field) else {
      return .unspoken
    }
    guard let schema = new.schema else { return .gone }
    for entity in entities(ofType: type) {
      for relationship in schema.allRelationships(of: entity) where relationship.isToMany {
        if relationship.name == name {
          return .becameToMany(.relationship(entity: entity.name, name: name))
        }
      }
      if let fate = fate(ofProperty: name, of: entity, in: schema) { return fate }
    }
    return .gone
  }

  private func fate(
    ofProperty name: String, of entity: Schema.Entity, in schema: Schema
  ) -> RecordFate? {
    let attributes = schema.allAttributes(of: entity)
    if attributes.contains(where: { $0.name == name && !$0.isMirrored }) {
      return .transient(.attribute(entity: entity.name, name: name))
    }
    if let heir = attributes.first(where: { $0.renamingIdentifier == name }) {
      return .renamed(to: .attribute(entity: entity.name, name: heir.name))
    }
    let heir = schema.allRelationships(of: entity).first { $0.renamingIdentifier == name }
    return heir.map { .renamed(to: .relationship(entity: entity.name, name: $0.name)) }
  }

  /// The entities whose objects are records of that type.
  private func entities(ofType type: String) -> [Schema.Entity] {
    guard let schema = new.schema, let name = naming.property(type) else { return [] }
    let named = schema.entity(name).map { [$0] } ?? []
    return new.profile == .cloudkit ? named + schema.descendants(of: name) : named
  }
}

/// How the two mappings name record types and fields.
package struct RecordNaming: Sendable {
  package let profile: LintProfile

  /// The entity's or property's name behind a record type or field; nil for a name that the mapping
  /// does not make.
  package func property(_ name: String) -> String? {
    guard profile == .cloudkit else { return name.hasPrefix("_") ? nil : name }
    return name.hasPrefix("CD_") ? String(name.dropFirst(3)) : nil
  }

  /// The field that holds small values of what `field` holds large values of.
  ///
  /// Apple, "Reading CloudKit Records for Core Data": a value that makes the record too large goes to
  /// the field's `_ckAsset` twin.
  package func base(ofTwin field: String) -> String? {
    field.hasSuffix("_ckAsset") ? String(field.dropLast(8)) : nil
  }

  /// Whether the mirroring makes the field by itself, whatever the model says.
  package func isMadeByMirroring(field: String) -> Bool {
    field == "CD_entityName" || field.hasPrefix("CD_moveReceipt")
  }

  /// Whether the mirroring or the server makes the type by itself.
  package func isMadeByMirroring(type: String) -> Bool {
    type == "Users" || type == "CDMR" || type.hasPrefix("CD_M2M_")
  }
}
