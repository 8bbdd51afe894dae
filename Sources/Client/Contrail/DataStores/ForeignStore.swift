import Foundation
import ObjectStore

/// A store that somebody else wrote, whatever its types are.
protocol ForeignStore: AnyObject {
  var identifier: String { get }
  /// What the store finds for a descriptor; throws a `DataStoreError` for what it leaves to memory.
  func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ editingState: EditingState
  ) throws -> ForeignFinds
  func fetchCount<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ editingState: EditingState
  ) throws -> Int
  func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ editingState: EditingState
  ) throws -> [PersistentIdentifier]
  /// Those of the models that the store has at hand.
  func cached(
    _ identifiers: [PersistentIdentifier], _ editingState: EditingState
  ) throws -> [DefaultSnapshot]
  func save(_ changes: ForeignChanges) throws -> ForeignSaved
  /// Whether the store deletes by predicates itself.
  var deletesByPredicate: Bool { get }
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
  /// The store's own history; nil where it has none, or other transactions.
  func history<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]?
  /// Drops history; false where the store has none, or other transactions.
  func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool
  func erase() throws
}

/// What a store found.
struct ForeignFinds {
  var found: [DefaultSnapshot]
  /// Models that they are related to.
  var related: [DefaultSnapshot]
}

/// What a save hands to a store.
struct ForeignChanges {
  var inserted: [any PersistentModel]
  var updated: [ForeignUpdate]
  var deleted: [any PersistentModel]
  var editingState: EditingState

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// A model that was changed, and what is to be saved of it.
struct ForeignUpdate {
  var model: any PersistentModel
  /// What others have made of it meanwhile; nil where memory has it no more.
  var merge: SnapshotMerge?
}

/// What a store says of a save.
struct ForeignSaved {
  /// The identifiers of new models, by their temporary ones.
  var identifiers: [PersistentIdentifier: PersistentIdentifier] = [:]
  /// Models whose values the store has changed.
  var changed: [DefaultSnapshot] = []
  /// Where the store's history stands.
  var token: (any HistoryToken)?
}

/// A store of some type.
final class TypedForeignStore<Base: DataStore>: ForeignStore {
  private let base: Base

  init(_ base: Base) { self.base = base }

  /// Opens the store of a configuration.
  static func open<Configuration: DataStoreConfiguration>(
    _ configuration: Configuration, _ schema: Schema,
    _ migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws -> any ForeignStore where Configuration.Store == Base {
    var configuration = configuration
    if configuration.schema == nil { configuration.schema = schema }
    try configuration.validate()
    return TypedForeignStore(try Base(configuration, migrationPlan: migrationPlan))
  }

  var identifier: String { base.identifier }

  func erase() throws { try base.erase() }

  func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ editingState: EditingState
  ) throws -> ForeignFinds {
    try editing(editingState) {
      let result = try base.fetch(request(descriptor, editingState))
      return ForeignFinds(
        found: try result.fetchedSnapshots.map(plain),
        related: try result.relatedSnapshots.values.map(plain))
    }
  }

  func fetchCount<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ editingState: EditingState
  ) throws -> Int {
    try editing(editingState) { try base.fetchCount(request(descriptor, editingState)) }
  }

  func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ editingState: EditingState
  ) throws -> [PersistentIdentifier] {
    try editing(editingState) { try base.fetchIdentifiers(request(descriptor, editingState)) }
  }

  func cached(
    _ identifiers: [PersistentIdentifier], _ editingState: EditingState
  ) throws -> [DefaultSnapshot] {
    try editing(editingState) {
      try base.cachedSnapshots(for: identifiers, editingState: editingState).values.map(plain)
    }
  }

  func save(_ changes: ForeignChanges) throws -> ForeignSaved {
    try editing(changes.editingState) {
      let result = try base.save(
        DataStoreSaveChangesRequest<Base.Snapshot>(
          inserted: changes.inserted.map { snapshot($0) },
          updated: changes.updated.map { snapshot($0.model, $0.merge) },
          deleted: changes.deleted.map { snapshot($0) }, editingState: changes.editingState))
      return ForeignSaved(
        identifiers: result.remappedIdentifiers,
        changed: try result.snapshotsToReregister.values.map(plain), token: result.historyToken)
    }
  }

  var deletesByPredicate: Bool { base is any DataStoreBatching }

  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    try editing(request.editingState) { try (base as? any DataStoreBatching)?.delete(request) }
  }

  private func request<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ editingState: EditingState
  ) -> DataStoreFetchRequest<T> {
    DataStoreFetchRequest(descriptor: descriptor, editingState: editingState)
  }

  private func editing<Result>(
    _ editingState: EditingState, _ body: () throws -> Result
  ) throws -> Result {
    base.initializeState(for: editingState)
    defer { base.invalidateState(for: editingState) }
    return try body()
  }

  private func snapshot(
    _ model: any PersistentModel, _ merge: SnapshotMerge? = nil
  ) -> Base.Snapshot {
    typed(model, merge)
  }

  private func typed<Model: PersistentModel>(
    _ model: Model, _ merge: SnapshotMerge?
  ) -> Base.Snapshot {
    var related: [PersistentIdentifier: any BackingData] = [:]
    return Base.Snapshot(
      from: ModelBackingData(model: model, merge: merge), relatedBackingDatas: &related)
  }

  /// A snapshot of any type, by its encoded form.
  private func plain(_ snapshot: Base.Snapshot) throws -> DefaultSnapshot {
    if let known = snapshot as? DefaultSnapshot { return known }
    do {
      return try JSONDecoder().decode(
        DefaultSnapshot.self, from: JSONEncoder().encode(snapshot))
    } catch {
      throw StoreError(
        .unreadableValue, snapshot.persistentIdentifier.entityName,
        "has a snapshot that is not encoded as snapshots are: \(error)",
        fix: "encode a SnapshotValue under the name of each property, or use DefaultSnapshot")
    }
  }
}

// The store's own history.
extension TypedForeignStore {
  func history<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
    guard let provider = base as? any HistoryProviding else { return nil }
    return try Self.history(provider, descriptor)
  }

  func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
    guard let provider = base as? any HistoryProviding else { return false }
    return try Self.deleteHistory(provider, descriptor)
  }

  private static func history<Provider: HistoryProviding, T: HistoryTransaction>(
    _ provider: Provider, _ descriptor: HistoryDescriptor<T>
  ) throws -> [T]? {
    guard let descriptor = descriptor as? HistoryDescriptor<Provider.HistoryType> else {
      return nil
    }
    return try provider.fetchHistory(descriptor) as? [T]
  }

  private static func deleteHistory<Provider: HistoryProviding, T: HistoryTransaction>(
    _ provider: Provider, _ descriptor: HistoryDescriptor<T>
  ) throws -> Bool {
    guard let descriptor = descriptor as? HistoryDescriptor<Provider.HistoryType> else {
      return false
    }
    try provider.deleteHistory(descriptor)
    return true
  }
}

extension DataStoreConfiguration {
  /// Opens the store.
  func open(
    _ schema: Schema, _ migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws -> any ForeignStore {
    try TypedForeignStore<Store>.open(self, schema, migrationPlan)
  }
}
