import DataModel

extension Rule {
  static let nameReused = Rule(
    "name-reused", .additive, .error,
    summary: "A name that was free for a while is not taken again for something else.",
    why: "production keeps the first meaning for ever, and records of that time are still there",
    fix: "choose a name that no promoted version has used",
    check: either(typeChanges { $1 }, versions(\.takenNames)))
}

extension LintPair {
  /// New parts under a name that an old part gave up when it was renamed.
  var takenNames: [Offence] {
    guard let evolution, let before = old.schema else { return [] }
    let entities = objectChanges.compactMap { change -> Offence? in
      guard case .entity(let name) = change.element, before.entity(name) != nil,
        evolution.entities[name] != name,
        change.kind == .added || change.kind.isRename, let heir = evolution.entities[name]
      else { return nil }
      return Offence(
        change.element, .name, "\(name) was the name of what is \(heir) now")
    }
    return entities + takenProperties(evolution, before)
  }

  private func takenProperties(
    _ evolution: PropertyEvolution, _ before: Schema
  ) -> [Offence] {
    let renamed =
      evolution.attributes.filter { $0.differs(\.name) }
      .map { ($0.oldAddress, $0.old.name, $0.element) }
      + evolution.relationships.filter { $0.differs(\.name) && old.isInRecords($0.old) }
      .map { ($0.oldAddress, $0.old.name, $0.element) }
    return renamed.compactMap { address, name, heir in
      guard let owner = heir.ownerName, let taker = newProperty(name, of: owner) else { return nil }
      return Offence(taker, .name, "\(taker) was the name of what is \(heir) now")
    }
  }

  /// What objects of the entity have under that name, where records hold it.
  private func newProperty(_ name: String, of owner: String) -> SchemaElement? {
    guard let schema = new.schema, let entity = schema.entity(owner) else { return nil }
    let attribute = schema.declaredAttributes(of: entity).first {
      $0.name == name && $0.part.isMirrored
    }
    if let attribute { return .attribute(entity: attribute.entity, name: name) }
    let relationship = schema.declaredRelationships(of: entity).first {
      $0.name == name && new.isInRecords($0.part)
    }
    return relationship.map { .relationship(entity: $0.entity, name: name) }
  }
}

extension SchemaChange.Kind {
  fileprivate var isRename: Bool {
    if case .renamed = self { true } else { false }
  }
}
