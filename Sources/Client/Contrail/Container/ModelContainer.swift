import DataModel
import Foundation
import ObjectStore
import SyncClient

/// The stores of a schema, and the contexts over them; it may be used from anywhere.
///
/// ```swift
/// let container = try ModelContainer(for: Trip.self)
/// let trips = try container.mainContext.fetch(FetchDescriptor<Trip>())
/// ```
///
/// Each model is in one of the stores; with several configurations, each has a schema with its models.
public final class ModelContainer: Sendable {
  let core: ContainerCore
  private let main = MainContext()

  /// Opens, or makes, a store for model classes and for those that they are related to.
  public convenience init(
    for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    self.init(try ContainerCore(Schema(types), migrationPlan, configurations))
  }

  /// Opens, or makes, the stores of a schema.
  public convenience init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    self.init(try ContainerCore(schema, migrationPlan, configurations))
  }

  /// Opens, or makes, the stores of a schema.
  public convenience init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    self.init(try ContainerCore(schema, migrationPlan, configurations))
  }

  /// Opens the stores of model classes: ours, and such as somebody else wrote.
  @_disfavoredOverload
  public convenience init(
    for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: any DataStoreConfiguration...
  ) throws {
    self.init(try ContainerCore(foreign: Schema(types), migrationPlan, configurations))
  }

  /// Opens the stores of a schema: ours, and such as somebody else wrote.
  @_disfavoredOverload
  public convenience init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: any DataStoreConfiguration...
  ) throws {
    self.init(try ContainerCore(foreign: schema, migrationPlan, configurations))
  }

  /// Opens the stores of a schema: ours, and such as somebody else wrote.
  @_disfavoredOverload
  public convenience init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [any DataStoreConfiguration]
  ) throws {
    self.init(try ContainerCore(foreign: schema, migrationPlan, configurations))
  }

  init(_ core: ContainerCore) { self.core = core }

  /// The whole schema.
  public var schema: Schema { core.schema }
  /// How older stores are brought up to the schema.
  public var migrationPlan: (any SchemaMigrationPlan.Type)? { core.migrationPlan }
  /// The stores.
  public var configurations: Set<ModelConfiguration> { Set(core.configurations) }

  /// The main actor's context, the same each time; it saves by itself.
  @MainActor public var mainContext: ModelContext { main.context(self) }

  /// What tells the store of a configuration from others, as identifiers of models and history have it; nil where
  /// no configuration has that name.
  ///
  /// One that was given no name is called "default".
  public func storeIdentifier(forConfigurationNamed name: String) -> String? {
    core.configurations.firstIndex { $0.name == name }.map(core.storeIdentifier)
  }

  /// The name of the configuration whose store has an identifier; nil where none has it.
  public func configurationName(forStoreIdentifier identifier: String) -> String? {
    core.configurations.indices.first { core.storeIdentifier($0) == identifier }
      .map { core.configurations[$0].name }
  }

  /// Deletes everything that the stores hold; contexts find nothing any more.
  ///
  /// Record servers keep what they have: the next sync reads it again, as on a new device. Engines have to be
  /// stopped before.
  public func erase() throws {
    if let place = core.engines.places.first {
      throw SyncError(
        .busy, core.configurations[place].name, "is being synced",
        fix: "stop the engine first: await engine.stop()")
    }
    for bridge in core.bridges { try bridge.erase() }
    for store in core.stores.stores { try store.eraseSynced() }
  }

  /// Deletes everything that the stores hold.
  @available(*, deprecated, renamed: "erase")
  public func deleteAllData() { _ = try? erase() }
}

/// What a container is made of; contexts hold it, and so outlive the container.
///
/// Unchecked: the plan is a type, which does not change, and the bridges are made with it.
final class ContainerCore: @unchecked Sendable {
  let schema: Schema
  let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// The configurations in the order of the stores.
  let configurations: [ModelConfiguration]
  let stores: StoreContainer
  /// The engines that mirror the stores.
  let engines = SyncEngines()
  /// Runs what `perform` is handed.
  let executor = ContextExecutor(label: "contrail.container")
  /// What keeps stores that others wrote the same as what is in memory of them.
  private(set) var bridges: [ForeignBridge] = []

  /// Opens stores that others wrote beside our own.
  convenience init(
    foreign schema: Schema, _ migrationPlan: (any SchemaMigrationPlan.Type)?,
    _ configurations: [any DataStoreConfiguration]
  ) throws {
    // What is in memory of another's store is a store of ours, in memory.
    let ordered = configurations.map { configuration in
      configuration as? ModelConfiguration
        ?? ModelConfiguration(
          configuration.name, schema: configuration.schema, isStoredInMemoryOnly: true)
    }
    try self.init(schema, migrationPlan, ordered)
    for (place, configuration) in configurations.enumerated()
    where !(configuration is ModelConfiguration) {
      let part = schema.part(
        ordered[place].schema.map { Set($0.stored.entities.map(\.name)) })
      bridges.append(
        ForeignBridge(
          try configuration.open(part, migrationPlan), stores.stores[place],
          part.stored.entities.compactMap { schema.plans[$0.name] }))
    }
  }

  init(
    _ schema: Schema, _ migrationPlan: (any SchemaMigrationPlan.Type)?,
    _ configurations: [ModelConfiguration]
  ) throws {
    try schema.checkClasses("schema")
    let ordered = configurations.isEmpty ? [ModelConfiguration()] : configurations
    let plan = try ConfigurationPlan(schema, ordered)
    try SyncTargetCheck.check(plan, ordered)
    let stages = try migrationPlan.map { try MigrationSteps($0) }
    for configuration in ordered { try configuration.prepare() }
    self.schema = schema
    self.migrationPlan = migrationPlan
    self.configurations = ordered
    stores = try StoreContainer(plan.schema, try plan.configurations(stages))
  }

  /// Takes a store that is open already, for the time of a migration.
  init(_ schema: Schema, _ store: Store) {
    self.schema = schema
    migrationPlan = nil
    configurations = []
    stores = StoreContainer(store)
  }
}

extension ContainerCore {
  /// What tells the store at a place from others: its own name for itself where somebody else wrote it.
  func storeIdentifier(_ place: Int) -> String {
    let store = stores.stores[place]
    let bridge = bridges.first { $0.store === store }
    return bridge?.identifier ?? store.identifier.uuidString
  }

  /// The object in memory of one that a store of ours calls so, within one that somebody else wrote; nil where it is
  /// one of these stores, or not known.
  func wrapped(_ identifier: PersistentIdentifier, _ identity: ObjectIdentity) -> ObjectIdentity? {
    isOwn(identity) ? nil : bridges.lazy.compactMap { $0.identity(of: identifier) }.first
  }

  /// Whether an object is called so by one of these stores, or there are none of others within which it could be.
  func isOwn(_ identity: ObjectIdentity) -> Bool {
    bridges.isEmpty || stores.stores.contains { $0.identifier == identity.store }
  }

  /// The model of an object, of the class that its entity has.
  func model(of object: ManagedObject) -> (any PersistentModel)? {
    if let model = object.model as? any PersistentModel { return model }
    guard let plan = schema.plans[object.entity] else { return nil }
    return Self.model(of: object, plan.type)
  }

  private static func model<Model: PersistentModel>(
    of object: ManagedObject, _ type: Model.Type
  ) -> any PersistentModel {
    object.model(as: type)
  }
}

extension ModelContainer: Equatable {
  /// Whether both are the same container.
  public static func == (first: ModelContainer, second: ModelContainer) -> Bool {
    first.core === second.core
  }
}

extension ModelContainer: CustomStringConvertible {
  /// The entities and the files.
  public var description: String {
    let names = schema.entities.map(\.name).joined(separator: ", ")
    let files = core.configurations.map { $0.isStoredInMemoryOnly ? "memory" : $0.url.path }
    return "ModelContainer of \(names) at \(files.joined(separator: ", "))"
  }
}

/// The main actor's context, which ends on the main actor whoever drops the container.
@MainActor
private final class MainContext {
  private var known: ModelContext?

  nonisolated init() {}

  isolated deinit { known = nil }

  func context(_ container: ModelContainer) -> ModelContext {
    if let known { return known }
    let made = ModelContext(container)
    made.autosaveEnabled = true
    known = made
    return made
  }
}
