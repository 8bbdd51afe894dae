import DataModel

extension Schema {
  /// Throws for all names that two properties of one entity share, inherited ones among them: a store
  /// has one place for a name.
  func checkNames() throws(StoreError) {
    let failures = entities.flatMap { entity -> [StoreError] in
      var seen: Set<String> = []
      var shared: Set<String> = []
      for name in propertyNames(of: entity) where !seen.insert(name).inserted {
        shared.insert(name)
      }
      return shared.sorted { $0.precedesInBytes($1) }.map { name in
        StoreError(
          .invalidSchema, "\(entity.name).\(name)", "names two properties",
          fix: "rename one of them; those of parents count too")
      }
    }
    guard let first = failures.first else { return }
    throw failures.count == 1
      ? first
      : StoreError(
        .invalidSchema, name, "has \(failures.count) names that stand for two properties each",
        failures: failures)
  }

  /// The names of all that an entity has, each as often as there is one: attributes, members of
  /// composite attributes by their paths, and relationships.
  private func propertyNames(of entity: Entity) -> [String] {
    (ancestors(of: entity) + [entity]).flatMap { owner in
      owner.attributes.map(\.name) + owner.relationships.map(\.name)
        + owner.attributes.filter { $0.type == .composite }.flatMap { composite in
          leaves(of: [composite]).map(\.path)
        }
    }
  }
}
