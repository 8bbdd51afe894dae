internal import DataModel

/// One store of a container: where it is, and which entities it has.
public struct StoreConfiguration: Sendable {
  /// The configuration's name; where `entities` is nil, the name of a configuration of the schema.
  public var name: String
  /// Where the store is.
  public var location: Store.Location
  /// The entities that the store has; nil takes those of the schema's configuration of that name, or all
  /// where there is no such.
  public var entities: [String]?
  /// How the store is opened.
  public var options: Store.Options

  /// Names a store.
  public init(
    _ name: String, at location: Store.Location, entities: [String]? = nil,
    options: Store.Options = Store.Options()
  ) {
    self.name = name
    self.location = location
    self.entities = entities
    self.options = options
  }
}

/// Which entity is in which store.
struct ContainerPlan {
  /// The schema of each store.
  let schemas: [Schema]
  /// The position of each entity's store.
  let places: [String: Int]

  init(_ schema: Schema, _ configurations: [StoreConfiguration]) throws(StoreError) {
    guard !configurations.isEmpty else {
      throw StoreError(
        .unassignedEntity, "container", "has no configuration, so no store",
        fix: "give it at least one")
    }
    var places: [String: Int] = [:]
    var failures: [StoreError] = []
    for (place, configuration) in configurations.enumerated() {
      for name in Self.entities(configuration, schema) {
        if !schema.entities.contains(where: { $0.name == name }) {
          failures.append(.unknownEntity(name, among: schema.entities.map(\.name)))
        } else if let other = places[name] {
          failures.append(
            StoreError(
              .unassignedEntity, name,
              "is in two stores, \(configurations[other].name) and \(configuration.name)",
              fix: "leave it in one of them"))
        } else {
          places[name] = place
        }
      }
    }
    failures += Self.crossings(schema, places, configurations.map(\.name))
    if let first = failures.first {
      throw failures.count == 1
        ? first
        : StoreError(
          first.code, "container", "\(failures.count) entities cannot be placed",
          failures: failures)
    }
    self.places = places
    schemas = configurations.indices.map { place in
      var part = schema
      part.entities = schema.entities.filter { places[$0.name] == place }
      return part
    }
  }

  private static func entities(_ configuration: StoreConfiguration, _ schema: Schema) -> [String] {
    configuration.entities
      ?? schema.configurations.first { $0.name == configuration.name }?.entities
      ?? schema.entities.map(\.name)
  }

  /// What is in no store, and what would lead from one store to another.
  private static func crossings(
    _ schema: Schema, _ places: [String: Int], _ names: [String]
  ) -> [StoreError] {
    var failures: [StoreError] = []
    for entity in schema.entities {
      guard let place = places[entity.name] else {
        failures.append(
          StoreError(
            .unassignedEntity, entity.name, "is in no store",
            fix: "name it in one of the configurations"))
        continue
      }
      if let parent = entity.parent, let other = places[parent], other != place {
        failures.append(
          StoreError(
            .crossesStores, entity.name,
            "is in \(names[place]), and \(parent), which it inherits from, in \(names[other])",
            fix: "put a whole hierarchy into one store"))
      }
      for relationship in entity.relationships {
        guard let other = places[relationship.destination], other != place else { continue }
        failures.append(
          StoreError(
            .crossesStores, "\(entity.name).\(relationship.name)",
            "leads from \(names[place]) to \(relationship.destination) in \(names[other])",
            fix: "put both into one store, or keep an identity in an attribute"))
      }
    }
    return failures
  }
}
