import DataModel

extension LintPair {
  /// Whether older apps tell by this attribute which objects are too new for them.
  func isVersionField(_ pair: PropertyPair<Schema.Attribute>) -> Bool {
    guard let before = old.schema, let after = new.schema else { return false }
    return before.entities.contains {
      $0.versionField == pair.old.name && before.has($0, from: pair.oldEntity)
    }
      && after.entities.contains {
        $0.versionField == pair.new.name && after.has($0, from: pair.newEntity)
      }
  }
}

extension Schema {
  /// The attribute that tells which version of the app wrote an object: the entity's own choice, or
  /// the nearest ancestor's.
  func versionField(of entity: Entity) -> String? {
    ([entity] + ancestors(of: entity)).lazy.compactMap(\.versionField).first
  }

  fileprivate func has(_ entity: Entity, from owner: String) -> Bool {
    entity.name == owner || ancestors(of: entity).contains { $0.name == owner }
  }
}
