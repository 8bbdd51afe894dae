import DataModel
import Foundation
import ObjectStore
import Synchronization

/// Keeps a store in memory and one that somebody else wrote the same, and knows the other's identifiers.
///
/// The other store is asked with each fetch; what it finds is taken into memory, where the fetch is done.
/// Each save is the other's before it is one in memory.
///
/// Unchecked: the other store is used only while `turn` is held, and the identifiers behind a mutex.
final class ForeignBridge: @unchecked Sendable {
  let foreign: any ForeignStore
  /// What the other store calls itself.
  let identifier: String
  /// The classes whose models the store has.
  let plans: [ModelPlan]
  let store: Store
  /// A store may itself save another context while it saves.
  private let turn = NSRecursiveLock()
  private let names = Mutex(Names())

  private struct Names {
    var identities: [PersistentIdentifier: ObjectIdentity] = [:]
    var identifiers: [ObjectIdentity: PersistentIdentifier] = [:]
  }

  /// Brings another store together with `store`, which is empty.
  init(_ foreign: any ForeignStore, _ store: Store, _ plans: [ModelPlan]) {
    self.foreign = foreign
    identifier = foreign.identifier
    self.store = store
    self.plans = plans
    Self.known.withLock { $0.bridges.append(Weak(bridge: self)) }
    Self.isUsed.store(true, ordering: .releasing)
  }

  /// Runs `body` while nobody else uses the other store.
  func taking<Result>(_ body: () throws -> Result) rethrows -> Result {
    turn.lock()
    defer { turn.unlock() }
    return try body()
  }

  /// Deletes everything.
  func erase() throws {
    try taking { try foreign.erase() }
    names.withLock { $0 = Names() }
  }
}

// Saving.
extension ForeignBridge {
  /// What a save did in the other store.
  private struct Saved {
    var names: [(object: ManagedObject, identifier: PersistentIdentifier)] = []
    var gone: [PersistentIdentifier] = []
    var changed: [DefaultSnapshot] = []
    var token: (any HistoryToken)?
    var editingState = EditingState()
  }

  /// Hands each save of a part to the other store first.
  ///
  /// Nobody else uses the other store, or takes anything of it into memory, until memory has the save, too. Returns
  /// what tells where the other's history stands with the save that ended last.
  ///
  /// The lock is taken at the beginning of a save and let go of at its end. That holds since a context tells of the
  /// end of each save whose beginning it has told of, once, in the same call and on the same thread, also where the
  /// store refuses it; saves within saves end first, and no other listener of a beginning throws.
  func takePart(
    in part: ObjectStore.ModelContext, _ core: ContainerCore, _ editing: UUID
  ) -> () -> (any HistoryToken)? {
    // Who hears of a change that the beginning of a save takes in may itself save.
    var running: [Saved?] = []
    var token: (any HistoryToken)?
    part.onWillSave { [self] part in
      turn.lock()
      running.append(nil)
      let state =
        (part.owner as? ModelContext)?.editingState
        ?? EditingState(id: editing, author: part.author)
      let saved = try save(part, core, state)
      running[running.count - 1] = saved
    }
    part.onSaveEnd { [self, weak part] didSave in
      guard let ended = running.popLast() else { return }
      defer { turn.unlock() }
      token = ended?.token
      if didSave, let ended { end(ended, part) }
    }
    return { token }
  }

  private func save(
    _ part: ObjectStore.ModelContext, _ core: ContainerCore, _ editingState: EditingState
  ) throws -> Saved {
    // What memory would refuse, the other store is not told.
    let rehearsal = try part.rehearseSave()
    let inserted = part.insertedObjects
    let updated = (part.updatedObjects + part.relinkedObjects).filter(rehearsal.changes)
    var deleted = part.deletedObjects.filter(rehearsal.deletes)
    let gone = deleted.map { PersistentIdentifier($0) }
    let batches = (part.owner as? ModelContext)?.takeDeletions(of: self, among: &deleted) ?? []
    let now = mergingContext()
    let changes = ForeignChanges(
      inserted: inserted.compactMap(core.model),
      updated: try updated.compactMap { object in
        guard let model = core.model(of: object) else { return nil }
        let current = try object.identity.flatMap { try now.existingObject($0) }
        return ForeignUpdate(
          model: model,
          merge: current.map { SnapshotMerge(current: $0, written: rehearsal.columns(of: object)) })
      },
      deleted: deleted.compactMap(core.model), editingState: editingState)
    for batch in batches { try batch.carryOut(foreign, editingState) }
    let saved = changes.isEmpty ? ForeignSaved() : try foreign.save(changes)
    // What somebody else has deleted there meanwhile may have been made anew.
    var names = updated.map { object in
      let known = PersistentIdentifier(object)
      return (object: object, identifier: saved.identifiers[known] ?? known)
    }
    for object in inserted {
      guard let identifier = saved.identifiers[PersistentIdentifier(object)] else {
        throw StoreError(
          .writeFailed, object.entity, "was saved without an identifier by \(self.identifier)",
          fix: "return one for each inserted snapshot in remappedIdentifiers")
      }
      names.append((object, identifier))
    }
    return Saved(
      names: names, gone: gone, changed: saved.changed, token: saved.token,
      editingState: editingState)
  }

  /// Notes the names of objects that are saved now, and takes what the other store made of them.
  private func end(_ saved: Saved, _ part: ObjectStore.ModelContext?) {
    for identifier in saved.gone { forget(identifier) }
    do {
      let doubles = saved.names.compactMap { object, identifier in
        object.identity.flatMap { note(identifier, $0) }
      }
      try remove(doubles)
      if !saved.changed.isEmpty {
        try take(saved.changed, editingState: saved.editingState)
      }
    } catch {
      part?.report(
        (error as? StoreError)
          ?? StoreError(
            .readFailed, identifier,
            "has taken a save, and what it made of it cannot be read: \(error)",
            fix: "fetch again, in a new container where that does not help"))
    }
  }
}

// Names.
extension ForeignBridge {
  /// Notes what an object is called; returns the object that was called so before, if that is another one.
  ///
  /// An object has one name only, and a name is of one object.
  @discardableResult
  func note(_ identifier: PersistentIdentifier, _ identity: ObjectIdentity) -> ObjectIdentity? {
    names.withLock {
      if let old = $0.identifiers.updateValue(identifier, forKey: identity), old != identifier {
        $0.identities[old] = nil
      }
      let before = $0.identities.updateValue(identity, forKey: identifier)
      return before == identity ? nil : before
    }
  }

  /// What is no longer there keeps its name for those who still hold it.
  func forget(_ identifier: PersistentIdentifier) {
    names.withLock { _ = $0.identities.removeValue(forKey: identifier) }
  }

  /// The names of all models of these entities that are known.
  func identifiers(of entities: Set<String>) -> [PersistentIdentifier] {
    names.withLock { $0.identities.keys.filter { entities.contains($0.entityName) } }
  }

  /// The object that this store calls by that name.
  func identity(of identifier: PersistentIdentifier) -> ObjectIdentity? {
    names.withLock { $0.identities[identifier] }
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

  /// Runs `body`, in which names are those of a container's stores: others may have the same store open.
  static func naming<Result>(_ core: ContainerCore?, _ body: () throws -> Result) rethrows -> Result
  {
    guard isAnyKnown, let core else { return try body() }
    return try $meant.withValue(core, operation: body)
  }

  @TaskLocal private static var meant: ContainerCore?

  /// The object in memory of one that a store of ours calls so, within one that somebody else wrote; nil where it is
  /// one of the stores that are asked themselves.
  static func wrapped(_ identifier: PersistentIdentifier, _ identity: ObjectIdentity)
    -> ObjectIdentity?
  {
    guard isAnyKnown, let meant else { return nil }
    return meant.wrapped(identifier, identity)
  }

  /// The object that one of the other stores calls by that name.
  static func identity(of identifier: PersistentIdentifier) -> ObjectIdentity? {
    if let meant { return meant.bridges.lazy.compactMap { $0.identity(of: identifier) }.first }
    return all.lazy.compactMap { $0.identity(of: identifier) }.first
  }
}
