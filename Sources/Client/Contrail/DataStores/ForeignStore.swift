import Foundation
import ObjectStore

/// A store that somebody else wrote, whatever its types are.
protocol ForeignStore: AnyObject {
  var identifier: String { get }
  func load(_ plans: [ModelPlan], _ editingState: EditingState) throws -> [DefaultSnapshot]
  func save(_ changes: ForeignChanges) throws -> [PersistentIdentifier: PersistentIdentifier]
  func erase() throws
}

/// What a save hands to a store.
struct ForeignChanges {
  var inserted: [any PersistentModel]
  var updated: [any PersistentModel]
  var deleted: [any PersistentModel]
  var editingState: EditingState
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

  func load(_ plans: [ModelPlan], _ editingState: EditingState) throws -> [DefaultSnapshot] {
    base.initializeState(for: editingState)
    defer { base.invalidateState(for: editingState) }
    var found: [DefaultSnapshot] = []
    var seen: Set<PersistentIdentifier> = []
    for plan in plans {
      for snapshot in try load(plan.type, editingState)
      where seen.insert(snapshot.persistentIdentifier).inserted {
        found.append(snapshot)
      }
    }
    return found
  }

  private func load<Model: PersistentModel>(
    _ type: Model.Type, _ editingState: EditingState
  ) throws -> [DefaultSnapshot] {
    let request = DataStoreFetchRequest<Model>(
      descriptor: FetchDescriptor<Model>(), editingState: editingState)
    return try base.fetch(request).fetchedSnapshots.map(plain)
  }

  func save(_ changes: ForeignChanges) throws -> [PersistentIdentifier: PersistentIdentifier] {
    base.initializeState(for: changes.editingState)
    defer { base.invalidateState(for: changes.editingState) }
    let request = DataStoreSaveChangesRequest<Base.Snapshot>(
      inserted: changes.inserted.map(snapshot), updated: changes.updated.map(snapshot),
      deleted: changes.deleted.map(snapshot), editingState: changes.editingState)
    return try base.save(request).remappedIdentifiers
  }

  private func snapshot(_ model: any PersistentModel) -> Base.Snapshot { typed(model) }

  private func typed<Model: PersistentModel>(_ model: Model) -> Base.Snapshot {
    var related: [PersistentIdentifier: any BackingData] = [:]
    return Base.Snapshot(from: ModelBackingData(model: model), relatedBackingDatas: &related)
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

extension DataStoreConfiguration {
  /// Opens the store.
  func open(
    _ schema: Schema, _ migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws -> any ForeignStore {
    try TypedForeignStore<Store>.open(self, schema, migrationPlan)
  }
}
