import Foundation
import ObjectStore

/// One of our stores as others see it.
public final class DefaultStore: DataStore {
  /// The store's configuration.
  public typealias Configuration = ModelConfiguration
  /// A model's values.
  public typealias Snapshot = DefaultSnapshot

  /// The store's configuration.
  public let configuration: ModelConfiguration
  /// The models of the store.
  public let schema: Schema
  private let container: ModelContainer

  /// Opens the store, or makes it.
  public init(
    _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    let schema = configuration.schema ?? Schema()
    self.configuration = configuration
    self.schema = schema
    container = try ModelContainer(
      for: schema, migrationPlan: migrationPlan, configurations: [configuration])
  }

  /// What tells the store from others.
  public var identifier: String {
    container.core.stores.stores.first?.identifier.uuidString ?? configuration.name
  }

  /// The name of the store's configuration.
  public var name: String { configuration.name }

  /// The models that a request asks for.
  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    let context = ModelContext(container)
    let found = try context.fetch(request.descriptor).map { model in
      DefaultSnapshot(
        persistentIdentifier: model.persistentModelID,
        values: model.managedObject.snapshotValues)
    }
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: found)
  }

  /// How many models a request asks for.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try ModelContext(container).fetchCount(request.descriptor)
  }

  /// The identifiers of the models that a request asks for.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try ModelContext(container).fetchIdentifiers(request.descriptor)
  }

  /// Writes changes; says which identifiers new models have from now on.
  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    let context = writing(request.editingState)
    var objects: [PersistentIdentifier: ManagedObject] = [:]
    for snapshot in request.updated + request.deleted {
      objects[snapshot.persistentIdentifier] = try saved(snapshot.persistentIdentifier, in: context)
    }
    // What is edited here, and was deleted by somebody else, is made anew.
    let anew = (request.inserted + request.updated).map(\.persistentIdentifier)
      .filter { objects[$0] == nil }
    for identifier in anew {
      objects[identifier] = try context.part(of: identifier.entityName).insert(
        identifier.entityName)
    }
    for snapshot in request.inserted + request.updated {
      for name in snapshot.references where objects[name] == nil {
        objects[name] = try saved(name, in: context)
      }
      objects[snapshot.persistentIdentifier]?.take(snapshot) { objects[$0] }
    }
    for snapshot in request.deleted {
      guard let object = objects[snapshot.persistentIdentifier] else { continue }
      try object.modelContext?.delete(object)
    }
    let token = SavedToken()
    for entity in Set(
      (request.inserted + request.updated + request.deleted).map(\.persistentIdentifier.entityName))
    {
      try context.part(of: entity).onDidSave { token.place = $0.historyToken }
    }
    try context.save()
    let new = anew.compactMap { identifier in
      objects[identifier].map { (identifier, PersistentIdentifier($0)) }
    }
    return DataStoreSaveChangesResult(
      for: identifier,
      remappedIdentifiers: Dictionary(new, uniquingKeysWith: { first, _ in first }),
      historyToken: token.place.map { DefaultHistoryToken($0) })
  }

  /// A model that the store has; nil for one that it does not know, or that was deleted.
  private func saved(
    _ identifier: PersistentIdentifier, in context: ModelContext
  ) throws -> ManagedObject? {
    guard let identity = identifier.identity(in: container.core) else { return nil }
    return try context.part(of: identifier.entityName).existingObject(identity)
  }

  /// A context that writes for somebody, of whose saves that one's context tells.
  private func writing(_ editingState: EditingState) -> ModelContext {
    let context = ModelContext(container)
    context.author = editingState.author
    context.settings.isQuiet = true
    return context
  }

  /// Deletes everything.
  public func erase() throws { try container.erase() }
}

/// Where history stands with a save.
private final class SavedToken {
  var place: ObjectStore.HistoryToken?
}

extension DefaultStore: DataStoreBatching {
  /// Deletes what a predicate is true of.
  public func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    let context = writing(request.editingState)
    do {
      try context.delete(
        model: T.self, where: request.predicate, includeSubclasses: request.includeSubclasses)
    } catch SwiftDataError.unsupportedPredicate {
      // What no store can be asked for, a fetch finds in memory.
      for model in try context.fetch(FetchDescriptor(predicate: request.predicate))
      where request.includeSubclasses || type(of: model) == T.self { context.delete(model) }
    }
    try context.save()
  }
}

extension DefaultStore: HistoryProviding {
  /// The type of the transactions.
  public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  /// The transactions that a descriptor asks for.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    try ModelContext(container).fetchHistory(descriptor)
  }

  /// Drops the transactions that a descriptor asks for.
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try ModelContext(container).deleteHistory(descriptor)
  }
}

extension ModelConfiguration: DataStoreConfiguration {
  /// The store that a configuration describes.
  public typealias Store = DefaultStore

  /// Throws where no file can have the configuration's name.
  public func validate() throws { try prepare() }
}
