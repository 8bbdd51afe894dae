import DataModel

extension Rule {
  static let renamed = Rule(
    "renamed", .additive, .error,
    summary: "What records carry keeps its name.",
    why:
      "a renaming identifier guides the local migration only; to the server this removes and adds",
    fix: "keep the old name in the schema, and rename the property of the class only",
    check: either(
      versions { pair in
        (pair.renamedEntities + pair.renamedProperties).map { element, name in
          Offence(
            element, .renamingIdentifier,
            "\(element) was named \(name), and production keeps that name")
        }
      },
      recordLevelChanges { change, pair in
        guard change.kind == .removed, case .renamed(let heir) = pair.fate(of: change.element)
        else {
          return nil
        }
        return "was renamed to \(heir), and production keeps the old name"
      }))
}

extension LintPair {
  /// Entities under a new name, with the old one, where records carry the name.
  fileprivate var renamedEntities: [(SchemaElement, String)] {
    guard let old = old.schema else { return [] }
    return objectChanges.compactMap { change in
      guard case .renamed(let name) = change.kind, case .entity = change.element,
        let entity = old.entity(name), carriesName(entity, in: old)
      else { return nil }
      return (change.element, name)
    }
  }

  /// The mirroring writes the root's name into record types and the concrete entity's into a field;
  /// the native mapping makes one type for each entity that has objects.
  private func carriesName(_ entity: Schema.Entity, in schema: Schema) -> Bool {
    !entity.isAbstract
      || (new.profile == .cloudkit && entity.parent == nil
        && schema.descendants(of: entity.name).contains { !$0.isAbstract })
  }

  /// Properties under a new name, with the old one, where records have a field for them.
  fileprivate var renamedProperties: [(SchemaElement, String)] {
    guard let evolution, let schema = old.schema else { return [] }
    let attributes = evolution.attributes.filter { $0.differs(\.name) }
      .map { ($0.element, $0.old.name) }
    let relationships = evolution.relationships.filter {
      // `many-to-many-renamed` speaks of names that edge records carry, and `cardinality-changed` of
      // a field that is none any more.
      $0.differs(\.name) && !$0.differs(\.isToMany) && old.isInRecords($0.old)
        && !schema.isManyToMany($0.old)
    }
    return attributes + relationships.map { ($0.element, $0.old.name) }
  }
}
