import DataModel

extension LintPair {
  /// The entity that names the attribute as its version field, in both versions.
  func entityVersioned(by pair: PropertyPair<Schema.Attribute>) -> String? {
    matching?.entities.pairs.first { before, after in
      before.versionField == pair.old.name && after.versionField == pair.new.name
        && old.has(before, from: pair.oldEntity) && new.has(after, from: pair.newEntity)
    }?.new.name
  }
}

extension LintSubject {
  /// Whether the entity is `owner` or inherits from it.
  fileprivate func has(_ entity: Schema.Entity, from owner: String) -> Bool {
    entity.name == owner
      || (schema?.ancestors(of: entity).contains { $0.name == owner } ?? false)
  }
}

extension Schema {
  /// The attribute that tells which version of the app wrote an object: the entity's own choice, or
  /// the nearest ancestor's.
  func versionField(of entity: Entity) -> String? {
    ([entity] + ancestors(of: entity)).lazy.compactMap(\.versionField).first
  }
}
