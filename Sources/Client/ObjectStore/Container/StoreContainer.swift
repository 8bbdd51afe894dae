public import DataModel

/// The stores of one schema, and the contexts over them; it may be used from anywhere.
///
/// ```swift
/// let container = try StoreContainer(schema, at: .file(path))
/// try await container.performBackgroundTask { context in
///   try context.insert("LogEntry")
///   try context.save()
/// }
/// ```
///
/// A context is over one store. With several stores each entity is in one of them; a relationship may not
/// lead from one to another.
public final class StoreContainer: Sendable {
  /// The whole schema.
  public let schema: Schema
  /// The stores, in the order of the configurations.
  public let stores: [Store]
  private let names: [String]
  private let places: [String: Int]
  private let main: MainContexts

  /// Opens, or makes, one store for the whole schema.
  public convenience init(
    _ schema: Schema, at location: Store.Location, options: Store.Options = Store.Options(),
    environment: Store.Environment = .system
  ) throws {
    try self.init(
      schema, [StoreConfiguration("default", at: location, options: options)],
      environment: environment)
  }

  /// Opens, or makes, a store for each configuration; throws, before any file is touched, where an entity
  /// is in no store or in two, and where a relationship or an inheritance would lead from one store to
  /// another.
  public convenience init(
    _ schema: Schema, _ configurations: [StoreConfiguration],
    environment: Store.Environment = .system
  ) throws {
    let plan = try ContainerPlan(schema, configurations)
    let stores = try zip(configurations, plan.schemas).map { configuration, part in
      try Store(
        at: configuration.location, schema: part, options: configuration.options,
        environment: environment)
    }
    self.init(schema, stores, names: configurations.map(\.name), places: plan.places)
  }

  /// Takes a store that is open already.
  public convenience init(_ store: Store) {
    let schema = store.layout.schema
    self.init(
      schema, [store], names: ["default"],
      places: Dictionary(
        schema.entities.map { ($0.name, 0) }, uniquingKeysWith: { first, _ in first }))
  }

  private init(
    _ schema: Schema, _ stores: [Store], names: [String], places: [String: Int]
  ) {
    self.schema = schema
    self.stores = stores
    self.names = names
    self.places = places
    main = MainContexts()
  }

  /// The store that has the objects of `entity`.
  public func store(of entity: String) throws(StoreError) -> Store {
    guard let place = places[entity], stores.indices.contains(place) else {
      throw .unknownEntity(entity, among: schema.entities.map(\.name))
    }
    return stores[place]
  }

  /// The store of the configuration of that name.
  public func store(named name: String) -> Store? {
    names.firstIndex(of: name).map { stores[$0] }
  }

  /// The store that `identity` names.
  public func store(of identity: ObjectIdentity) -> Store? {
    stores.first { $0.identifier == identity.store }
  }
}

extension StoreContainer {
  /// The main actor's context over the store of `entity`, the same each time; it saves by itself.
  @MainActor
  public func mainContext(for entity: String) throws(StoreError) -> ModelContext {
    main.context(try store(of: entity))
  }

  /// The main actor's context over the first store, the same each time; it saves by itself.
  @MainActor public var mainContext: ModelContext { main.context(first) }

  /// A new context over the store of `entity`, at home in the isolation of the caller.
  public func context(
    for entity: String, isolation: isolated (any Actor)? = #isolation
  ) throws(StoreError) -> ModelContext {
    ModelContext(try store(of: entity), isolation: isolation)
  }

  /// A new context over the first store, with an executor of its own.
  public func backgroundContext(author: String? = nil) -> BackgroundContext {
    BackgroundContext(first, author: author)
  }

  /// A new context over the store of `entity`, with an executor of its own.
  public func backgroundContext(
    for entity: String, author: String? = nil
  ) throws(StoreError) -> BackgroundContext {
    BackgroundContext(try store(of: entity), author: author)
  }

  /// Runs `body` with a new context over the first store, on an executor of its own: beside all others.
  ///
  /// The context is gone after the block, and with it what the block did not save. Throws
  /// `CancellationError`, and does not run `body`, when the task is cancelled before it begins.
  public func performBackgroundTask<Value: Sendable>(
    _ body: @escaping @Sendable (ModelContext) throws -> Value
  ) async throws -> Value {
    try await backgroundContext().perform(schedule: .enqueued, body)
  }

  /// Runs `body` with a new context over the store of `entity`, on an executor of its own.
  public func performBackgroundTask<Value: Sendable>(
    for entity: String, _ body: @escaping @Sendable (ModelContext) throws -> Value
  ) async throws -> Value {
    try await backgroundContext(for: entity).perform(schedule: .enqueued, body)
  }

  /// Runs `body` on the first store's executor, with a context of its own; see `Store.perform`.
  public func perform<Value: Sendable>(
    schedule: Schedule = .immediate,
    _ body: @escaping @Sendable (ModelContext) throws -> Value
  ) async throws -> Value {
    try await first.perform(schedule: schedule, body)
  }

  /// Like `perform`, but blocks the thread until `body` is done.
  @available(*, noasync, message: "await perform instead")
  public func performAndWait<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (ModelContext) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try first.performAndWait(body)
  }

  private var first: Store { stores[0] }
}

/// The main actor's contexts, which end on the main actor whoever drops the container.
@MainActor
private final class MainContexts {
  private var contexts: [ModelContext] = []

  nonisolated init() {}

  isolated deinit { contexts.removeAll() }

  func context(_ store: Store) -> ModelContext {
    if let known = contexts.first(where: { $0.store === store }) { return known }
    let context = ModelContext(store)
    context.autosaveEnabled = true
    contexts.append(context)
    return context
  }
}
