import Foundation
import ObjectStore

// Stores that somebody else wrote.
extension ModelContext {
  /// What stands between a part and the store that somebody else wrote; nil for one of our stores.
  func bridge(of part: ObjectStore.ModelContext) -> ForeignBridge? {
    core.bridges.first { $0.store === part.store }
  }

  /// Whether somebody else wrote the store behind a part: it has to be told of each model.
  func isForeign(_ part: ObjectStore.ModelContext) -> Bool { bridge(of: part) != nil }

  /// The context over the store of a class, which knows what the store has for a descriptor: a store that
  /// somebody else wrote is asked.
  func part<Model: PersistentModel>(
    askedFor descriptor: FetchDescriptor<Model>
  ) throws -> ObjectStore.ModelContext {
    let part = try part(of: Model.self)
    if let bridge = bridge(of: part) { try bridge.refresh(descriptor, part, editingState) }
    return part
  }

  /// What a store that somebody else wrote answers itself; nil where memory has to.
  func foreignAnswer<Model: PersistentModel, Answer>(
    _ descriptor: FetchDescriptor<Model>,
    _ body: (any ForeignStore, EditingState) throws -> Answer
  ) throws -> Answer? {
    let part = try part(of: Model.self)
    // Whether a store tells of classes that inherit, too, only shows in what it finds.
    guard let bridge = bridge(of: part), !bridge.hasHeirs(Model._$plan),
      !(descriptor.includePendingChanges && part.hasChanges)
    else { return nil }
    return try bridge.answer { try body($0, editingState) }
  }

  /// Takes in the model of another's store that is known by its identifier only.
  func findForeign(_ identifier: PersistentIdentifier) throws {
    guard let store = identifier.storeIdentifier,
      let bridge = core.bridges.first(where: { $0.identifier == store })
    else { return }
    try bridge.find(identifier, editingState)
  }
}

/// A deletion by a predicate, which another's store may carry out itself.
struct ForeignDeletion {
  let bridge: ForeignBridge
  let objects: [ManagedObject]
  let carryOut: (any ForeignStore, EditingState) throws -> Void
}

extension ModelContext {
  /// Marks the models of another's store to be deleted by the next save.
  func deleteForeign<T: PersistentModel>(
    _ predicate: Predicate<T>?, _ includeSubclasses: Bool, _ bridge: ForeignBridge
  ) throws {
    let hadChanges = try part(of: T.self).hasChanges
    let found = try fetch(FetchDescriptor(predicate: predicate)).filter {
      includeSubclasses || type(of: $0) == T.self
    }
    let saved = found.map(\.managedObject).filter { !$0.isInserted }
    for model in found { delete(model) }
    // What is not saved yet only memory finds, and the store what it was before.
    guard bridge.foreign.deletesByPredicate, !bridge.hasHeirs(T._$plan), !hadChanges,
      !saved.isEmpty
    else { return }
    foreignDeletions.append(
      ForeignDeletion(bridge: bridge, objects: saved) { store, editingState in
        try store.delete(
          DataStoreBatchDeleteRequest(
            predicate: predicate, includeSubclasses: includeSubclasses, editingState: editingState))
      })
  }

  /// The deletions by predicates that are still meant; what they delete is taken out of `deleted`.
  func takeDeletions(
    of bridge: ForeignBridge, among deleted: inout [ManagedObject]
  ) -> [ForeignDeletion] {
    let own = foreignDeletions.filter { $0.bridge === bridge }
    foreignDeletions.removeAll { $0.bridge === bridge }
    if own.isEmpty { return [] }
    var left = Set(deleted.map { ObjectIdentifier($0) })
    let meant = own.filter { deletion in
      let objects = deletion.objects.map { ObjectIdentifier($0) }
      // What another deletion has taken, or was taken back since, is not this one's.
      guard objects.allSatisfy(left.contains) else { return false }
      left.subtract(objects)
      return true
    }
    deleted.removeAll { !left.contains(ObjectIdentifier($0)) }
    return meant
  }
}
