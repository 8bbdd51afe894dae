public import Foundation

/// Describes a store that somebody else wrote.
public protocol DataStoreConfiguration: Hashable {
  /// The store's class.
  associatedtype Store: DataStore where Store.Configuration == Self
  /// The configuration's name.
  var name: String { get }
  /// The models of the store; nil for all of the container's.
  var schema: Schema? { get set }
  /// Throws where no store can be made of it.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Finds nothing wrong.
  public func validate() throws {}
}

/// A store that somebody else wrote: a file of another form, or another program.
///
/// Each fetch asks the store first; what it finds is kept in memory, where predicates and orders are evaluated
/// once more, so that a store may find more than it is asked for. But a store that keeps to the limit has to keep
/// to the predicate and the order before, or to leave them to memory: see `DataStoreError`. Models of classes that
/// inherit are found with those of the class, or else asked for by themselves.
///
/// Each save is handed to the store before it counts. Calls come one at a time, from whatever isolation fetches
/// and saves.
public protocol DataStore: AnyObject {
  /// What describes the store.
  associatedtype Configuration: DataStoreConfiguration where Configuration.Store == Self
  /// A model's values as the store takes and gives them.
  associatedtype Snapshot: DataStoreSnapshot
  /// What tells the store from others.
  var identifier: String { get }
  /// The models of the store.
  var schema: Schema { get }
  /// What describes the store.
  var configuration: Configuration { get }
  /// Opens the store, or makes it.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws
  /// The models that a request asks for.
  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, Snapshot>
  /// How many models a request asks for.
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int
  /// The identifiers of the models that a request asks for.
  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier]
  /// Writes changes; says which identifiers new models have from now on.
  func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) throws -> DataStoreSaveChangesResult<Snapshot>
  /// Deletes everything.
  func erase() throws
  /// Somebody begins to edit.
  func initializeState(for editingState: EditingState)
  /// Somebody edits no longer.
  func invalidateState(for editingState: EditingState)
  /// Snapshots that the store has at hand.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
  /// Leaves counting to the context, which counts what `fetch` finds.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    throw DataStoreError.unsupportedFeature
  }

  /// Leaves it to the context, which asks `fetch`.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    throw DataStoreError.unsupportedFeature
  }

  /// A store that cannot be erased.
  public func erase() throws { throw DataStoreError.unsupportedFeature }
  /// Nothing to begin.
  public func initializeState(for editingState: EditingState) {}
  /// Nothing to end.
  public func invalidateState(for editingState: EditingState) {}
  /// None are at hand.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] { [:] }
}

/// What a store cannot do; the context does it in memory then, but for what makes no sense.
public enum DataStoreError: Error, Hashable, Sendable {
  /// The predicate is to be evaluated in memory.
  case preferInMemoryFilter
  /// The order is to be made in memory.
  case preferInMemorySort
  /// The store cannot do it.
  case unsupportedFeature
  /// The predicate makes no sense to the store.
  case invalidPredicate
}

/// A fetch of a store.
public struct DataStoreFetchRequest<T: PersistentModel> {
  /// What is asked for.
  public let descriptor: FetchDescriptor<T>
  /// Who asks.
  public let editingState: EditingState
}

/// What a store found.
public struct DataStoreFetchResult<T: PersistentModel, S: DataStoreSnapshot> {
  /// What was asked for.
  public let descriptor: FetchDescriptor<T>
  /// The models found.
  public let fetchedSnapshots: [S]
  /// Models that they are related to.
  public let relatedSnapshots: [PersistentIdentifier: S]

  /// Takes what was found.
  public init(
    descriptor: FetchDescriptor<T>, fetchedSnapshots: [S],
    relatedSnapshots: [PersistentIdentifier: S] = [:]
  ) {
    self.descriptor = descriptor
    self.fetchedSnapshots = fetchedSnapshots
    self.relatedSnapshots = relatedSnapshots
  }
}

/// Changes that a store is to write.
public struct DataStoreSaveChangesRequest<S: DataStoreSnapshot> {
  /// New models, with temporary identifiers.
  public let inserted: [S]
  /// Changed models.
  public let updated: [S]
  /// Deleted models.
  public let deleted: [S]
  /// Who makes the changes.
  public let editingState: EditingState
}

/// What a store says of a save.
public struct DataStoreSaveChangesResult<S: DataStoreSnapshot> {
  /// The store.
  public let storeIdentifier: String
  /// The identifiers of new models, by their temporary ones.
  public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
  /// Models whose values the store has changed.
  public let snapshotsToReregister: [PersistentIdentifier: S]
  /// Where the store's history stands after the save, which `ModelContext.didSave` tells; nil for a store
  /// without one.
  public let historyToken: (any HistoryToken)?

  /// Takes what the store says.
  public init(
    for storeIdentifier: String,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
    snapshotsToReregister: [PersistentIdentifier: S] = [:],
    historyToken: (any HistoryToken)? = nil
  ) {
    self.storeIdentifier = storeIdentifier
    self.remappedIdentifiers = remappedIdentifiers
    self.snapshotsToReregister = snapshotsToReregister
    self.historyToken = historyToken
  }
}

/// A request to delete what a predicate is true of.
public struct DataStoreBatchDeleteRequest<T: PersistentModel> {
  /// What is deleted; nil for all.
  public let predicate: Predicate<T>?
  /// Whether models of classes that inherit are meant too.
  public let includeSubclasses: Bool
  /// Who deletes.
  public let editingState: EditingState
}

/// A store that deletes by predicates itself: what `delete(model:where:)` of a context finds is not among the
/// deleted models of the save then.
public protocol DataStoreBatching: DataStore {
  /// Deletes what a predicate is true of, before the rest of the save.
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}
