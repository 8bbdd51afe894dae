/// The objects of a context that somebody observes, or has observed.
struct ObservedObjects {
  private var objects: [WeakObject] = []
  /// At how many those that are gone are dropped.
  private var limit = 64

  mutating func note(_ object: ManagedObject) {
    if objects.count >= limit {
      objects.removeAll { $0.object == nil }
      limit = max(64, objects.count * 2)
    }
    objects.append(WeakObject(object: object))
  }

  /// What is observed may have got other members by `changes`, where others than the object have the keys.
  ///
  /// Who was a member before is not known, and not asked: a list may be told of that is as it was.
  func links(changedBy changes: [ChangeSet], in layout: StoreLayout) -> [ObservedLink] {
    if objects.isEmpty || changes.isEmpty { return [] }
    var touched = TouchedEntities(changes)
    return objects.compactMap(\.object).flatMap { object in
      object.layout.linkSlots.compactMap { slot in
        guard let relationship = object.layout.slots[slot].relationship,
          relationship.place.isFar,
          touched.mayChange(relationship, in: layout)
        else { return nil }
        return ObservedLink(object: object, slot: slot)
      }
    }
  }
}

/// A relationship of an object that is observed.
struct ObservedLink {
  var object: ManagedObject
  var slot: Int

  func tell(_ phase: ObservedPhase) { object.tell(slot, phase) }
}

/// Which entities' objects came, went, or were related to others.
private struct TouchedEntities {
  private var numbers: Set<Int> = []
  /// The properties of which objects have another value.
  private var properties: Set<Int> = []
  private var known: [ObjectIdentifier: Bool] = [:]

  init(_ changes: [ChangeSet]) {
    for change in changes {
      numbers.formUnion(change.insertedRuns.map(\.entity))
      numbers.formUnion(change.deletions.map(\.entity))
      for update in change.updates { properties.formUnion(update.properties) }
    }
  }

  mutating func mayChange(_ relationship: RelationshipLayout, in layout: StoreLayout) -> Bool {
    let name = ObjectIdentifier(relationship)
    if let known = known[name] { return known }
    let family = layout.entities[relationship.destination].family
    let answer =
      properties.contains(relationship.ownerNumber)
      || family.contains { numbers.contains(layout.entities[$0].number) }
    known[name] = answer
    return answer
  }
}

extension SQLRelationshipPlace {
  /// Whether others than the object itself have the keys.
  fileprivate var isFar: Bool {
    if case .ownColumn = self { return false }
    return true
  }
}
