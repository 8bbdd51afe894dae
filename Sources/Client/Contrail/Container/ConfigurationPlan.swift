import DataModel
import ObjectStore

/// Which store has which entities.
struct ConfigurationPlan {
  let schema: DataModel.Schema
  private let configurations: [ModelConfiguration]

  init(_ schema: Schema, _ configurations: [ModelConfiguration]) throws {
    self.schema = schema.stored
    self.configurations = configurations
    try Self.refuseTwins(configurations)
    for configuration in configurations {
      guard let part = configuration.schema else { continue }
      for entity in part.stored.entities where schema.stored.entity(entity.name) == nil {
        throw SwiftDataError(
          SwiftDataError.configurationSchemaNotFoundInContainerSchema.code,
          "\(configuration.name).\(entity.name)", "is not in the container's schema",
          fix: "name the class where the container is made")
      }
    }
  }

  private static func refuseTwins(_ configurations: [ModelConfiguration]) throws {
    for (place, configuration) in configurations.enumerated() {
      let isTwin = configurations[..<place].contains {
        $0.name == configuration.name && configurations.count > 1
          || !$0.isStoredInMemoryOnly && !configuration.isStoredInMemoryOnly
            && $0.url.standardizedFileURL == configuration.url.standardizedFileURL
      }
      if isTwin {
        throw SwiftDataError(
          SwiftDataError.duplicateConfiguration.code, configuration.name,
          "has the name or the file of another configuration", fix: "give it its own")
      }
    }
  }

  /// The part of the schema that is in a configuration's store.
  func part(of configuration: ModelConfiguration) -> DataModel.Schema {
    guard let entities = configuration.schema?.stored.entities else { return schema }
    let names = Set(entities.map(\.name))
    var part = schema
    part.entities.removeAll { !names.contains($0.name) }
    return part
  }

  /// The stores to open.
  func configurations(_ migration: MigrationSteps?) throws -> [StoreConfiguration] {
    try configurations.map { configuration in
      var options = Store.Options()
      options.allowsSave = configuration.allowsSave
      options.migration = try configuration.leave(migration)
      return StoreConfiguration(
        configuration.name, at: configuration.location,
        entities: configuration.schema?.stored.entities.map(\.name), options: options)
    }
  }
}

extension ModelConfiguration {
  /// What the store may do with the container's plan, if there is one.
  fileprivate func leave(_ plan: MigrationSteps?) throws -> ObjectStore.Store.Options.Migration {
    switch (migration, plan) {
    case (.never, _), (.planned, nil): .none
    case (.automatic, nil): .automatic
    case (.automatic, let plan?), (.planned, let plan?): .staged(try plan.stages(self))
    }
  }
}
