import DataModel
import Foundation
import ObjectStore
import Synchronization

/// Keeps a store in memory and one that somebody else wrote the same, and knows the other's identifiers.
///
/// Unchecked: the other store is used only while `turn` is held, and the identifiers behind a mutex.
final class ForeignBridge: @unchecked Sendable {
  private let foreign: any ForeignStore
  /// A store may itself save another context while it saves.
  private let turn = NSRecursiveLock()
  private let names = Mutex(Names())
  let store: Store

  private struct Names {
    var identities: [PersistentIdentifier: ObjectIdentity] = [:]
    var identifiers: [ObjectIdentity: PersistentIdentifier] = [:]
  }

  /// Reads all that the other store has into `store`, which is empty.
  init(_ foreign: any ForeignStore, _ store: Store, _ plans: [ModelPlan]) throws {
    self.foreign = foreign
    self.store = store
    try load(try foreign.load(plans, EditingState()))
    Self.known.withLock { $0.bridges.append(Weak(bridge: self)) }
    Self.isUsed.store(true, ordering: .releasing)
  }

  private func load(_ snapshots: [DefaultSnapshot]) throws {
    let context = ObjectStore.ModelContext(store, at: nil)
    var objects: [PersistentIdentifier: ManagedObject] = [:]
    for snapshot in snapshots {
      objects[snapshot.persistentIdentifier] = try context.insert(
        snapshot.persistentIdentifier.entityName)
    }
    for snapshot in snapshots {
      if let object = objects[snapshot.persistentIdentifier] { object.take(snapshot, objects) }
    }
    try context.save()
    for (identifier, object) in objects { note(identifier, object) }
  }

  private func note(_ identifier: PersistentIdentifier, _ object: ManagedObject) {
    guard let identity = object.identity else { return }
    names.withLock {
      $0.identities[identifier] = identity
      $0.identifiers[identity] = identifier
    }
  }

  /// Has the other store write what `context` is about to save; returns how its new objects are called.
  func save(
    _ context: ObjectStore.ModelContext, _ owner: ModelContext
  ) throws -> [(object: ManagedObject, identifier: PersistentIdentifier)] {
    try context.validate()
    let inserted = context.insertedObjects
    let updated = context.updatedObjects + context.relinkedObjects
    let changes = ForeignChanges(
      inserted: inserted.compactMap(owner.model), updated: updated.compactMap(owner.model),
      deleted: context.deletedObjects.compactMap(owner.model), editingState: owner.editingState)
    turn.lock()
    defer { turn.unlock() }
    let remapped = try foreign.save(changes)
    return try inserted.map { object in
      guard let identifier = remapped[PersistentIdentifier(object)] else {
        throw StoreError(
          .writeFailed, object.entity, "was saved without an identifier by \(foreign.identifier)",
          fix: "return one for each inserted snapshot in remappedIdentifiers")
      }
      return (object, identifier)
    }
  }

  /// Notes the names of objects that are saved now.
  func didSave(_ objects: [(object: ManagedObject, identifier: PersistentIdentifier)]) {
    for (object, identifier) in objects { note(identifier, object) }
  }

  /// The object that this store calls by that name.
  func identity(of identifier: PersistentIdentifier) -> ObjectIdentity? {
    names.withLock { $0.identities[identifier] }
  }

  /// Deletes everything.
  func erase() throws {
    turn.lock()
    defer { turn.unlock() }
    try foreign.erase()
  }
}

// Who is called what, in all stores that others wrote.
extension ForeignBridge {
  private struct Weak: Sendable {
    weak var bridge: ForeignBridge?
  }

  private struct Known: Sendable {
    var bridges: [Weak] = []
  }

  private static let known = Mutex(Known())
  private static let isUsed = Atomic<Bool>(false)

  /// Whether there has been any store that others wrote.
  static var isAnyKnown: Bool { isUsed.load(ordering: .acquiring) }

  private static var all: [ForeignBridge] {
    guard isAnyKnown else { return [] }
    return known.withLock { known in
      known.bridges.removeAll { $0.bridge == nil }
      return known.bridges.compactMap(\.bridge)
    }
  }

  /// The other store's name of an object; nil for an object of one of our stores.
  static func identifier(of identity: ObjectIdentity) -> PersistentIdentifier? {
    all.first { $0.store.identifier == identity.store }?.names.withLock {
      $0.identifiers[identity]
    }
  }

  /// The object that one of the other stores calls by that name.
  static func identity(of identifier: PersistentIdentifier) -> ObjectIdentity? {
    all.lazy.compactMap { $0.identity(of: identifier) }.first
  }
}

extension ManagedObject {
  /// Takes the values of a snapshot.
  func take(
    _ snapshot: DefaultSnapshot, _ objects: [PersistentIdentifier: ManagedObject]
  ) {
    for (name, value) in snapshot.values {
      if case .parts(let parts) = value {
        for (part, value) in parts { take(value, "\(name).\(part)", objects) }
      } else {
        take(value, name, objects)
      }
    }
  }

  private func take(
    _ value: SnapshotValue, _ name: String, _ objects: [PersistentIdentifier: ManagedObject]
  ) {
    guard let slot = layout.slot(name) else { return }
    switch value {
    case .model(let identifier): setRelatedObject(slot, objects[identifier])
    case .models(let identifiers): setRelatedObjects(slot, identifiers.compactMap { objects[$0] })
    default:
      if layout.slots[slot].relationship == nil { set(value, at: slot) }
    }
  }
}
