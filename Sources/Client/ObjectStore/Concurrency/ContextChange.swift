public import DataModel
internal import Foundation

/// One committed transaction as a context's listeners hear of it; it may go anywhere.
public struct ContextChange: Sendable {
  /// The transaction, with entities and properties by their numbers.
  public let changes: ChangeSet
  private let layout: StoreLayout
  private let store: UUID

  init(_ changes: ChangeSet, _ store: Store) {
    self.changes = changes
    self.store = store.identifier
    layout = store.layout
  }

  /// Where the store's history stands with it.
  public var historyToken: HistoryToken {
    HistoryToken(store: store, transaction: changes.transaction)
  }
  /// The transaction's number in history.
  public var transaction: Int64 { changes.transaction }
  /// Who made it.
  public var author: String? { changes.author }
  /// Where it came from, as the context sees it that tells of it.
  public var origin: ChangeSet.Origin { changes.origin }
  /// Whether the lists name every change; else anything may have changed.
  public var isComplete: Bool { !changes.isUnknown }

  /// The objects that were inserted, in their order.
  public var inserted: [ObjectIdentity] {
    var all: [ObjectIdentity] = []
    // Once: reserving for each run would move everything each time.
    all.reserveCapacity(changes.insertedRuns.reduce(0) { $0 + Int(clamping: $1.count) })
    for run in changes.insertedRuns {
      guard let name = layout.entity(number: run.entity)?.name else { continue }
      let origin = ObjectOrigin(store: store, entity: name)
      for key in run.firstKey..<run.firstKey + run.count {
        all.append(ObjectIdentity(origin, key: key))
      }
    }
    return all
  }

  /// The objects that were updated, each once.
  public var updated: [ObjectIdentity] {
    var seen: Set<ObjectIdentity> = []
    return changes.updates.compactMap { identity($0.entity, $0.key) }
      .filter { seen.insert($0).inserted }
  }

  /// The objects that were deleted.
  public var deleted: [ObjectIdentity] {
    changes.deletions.compactMap { identity($0.entity, $0.key) }
  }

  /// The names of the properties of `object` that were updated.
  public func updatedProperties(of object: ObjectIdentity) -> Set<String> {
    guard let entity = layout.entity(object.entity) else { return [] }
    let numbers = Set(
      changes.updates.filter { $0.entity == entity.number && $0.key == object.key }
        .flatMap(\.properties))
    return Set(entity.slots.filter { numbers.contains($0.number) }.map(\.name))
  }

  private func identity(_ entity: Int, _ key: Int64) -> ObjectIdentity? {
    layout.entity(number: entity).map { ObjectIdentity(store: store, entity: $0.name, key: key) }
  }

  /// The same transaction, without the claim that its lists are complete.
  var incomplete: ContextChange {
    var copy = changes
    copy.isUnknown = true
    return ContextChange(copy, layout, store)
  }

  private init(_ changes: ChangeSet, _ layout: StoreLayout, _ store: UUID) {
    self.changes = changes
    self.layout = layout
    self.store = store
  }
}
