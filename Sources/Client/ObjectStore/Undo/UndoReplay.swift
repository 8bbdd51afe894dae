// Brings objects back to what they were before a group's changes. That is done by changes like any
// others, which the log records: they are what takes the undoing back.
extension UndoGroup {
  /// Does what a program asked for, what was asked for last first.
  func runActions() {
    for action in actions.reversed() where action.target != nil { action.body() }
  }

  func replay(in context: ModelContext) throws(StoreError) {
    context.beginReplay()
    defer { context.endReplay() }
    for entry in entries where entry.existed == true { context.resurrect(entry.object) }
    let old = entries.filter { $0.existed != false && $0.object.isUsable }
    // First nobody refers to anybody, so that setting an end of a one-to-one takes it from nobody.
    for entry in old { entry.clearReferences() }
    for entry in old { entry.restoreReferences() }
    restorePairs()
    for entry in old { entry.restoreValues() }
    for entry in old { entry.sortLists() }
    for entry in entries where entry.existed == false && entry.object.isUsable {
      // Its delete rules must not reach what was there before it.
      entry.object.leaveEverything()
      try context.delete(entry.object)
    }
  }

  private func restorePairs() {
    for pair in pairs where pair.object.isUsable && pair.other.isUsable {
      let exists = pair.object.related(pair.slot).contains(pair.other.key)
      if exists == pair.existed { continue }
      if pair.existed {
        pair.object.addRelatedObject(pair.slot, pair.other)
      } else {
        pair.object.removeRelatedObject(pair.slot, pair.other)
      }
    }
    for entry in entries where entry.object.isUsable && entry.existed != false {
      for (slot, list) in entry.lists.sorted(by: { $0.key < $1.key }) {
        let wanted = list.filter(\.isUsable)
        let current = entry.object.relatedObjects(slot)
        if wanted.map(\.key) == current.map(\.key) { continue }
        entry.object.setRelatedObjects(slot, wanted)
      }
    }
  }
}

extension UndoGroup.Entry {
  private var referenceSlots: [Int] {
    slots.slots.filter { object.layout.slots[$0].kind == .reference }
  }

  fileprivate func clearReferences() {
    for slot in referenceSlots where object.relatedObject(slot) !== references[slot] {
      object.setRelatedObject(slot, nil)
    }
  }

  fileprivate func restoreReferences() {
    for slot in referenceSlots {
      guard let target = references[slot], target.isUsable else { continue }
      object.setRelatedObject(slot, target)
    }
  }

  fileprivate func restoreValues() {
    let layout = object.layout
    for slot in slots.slots {
      switch layout.slots[slot].kind {
      case .reference, .related: continue
      default:
        if object.values().isEqual(slot, values.row, layout) { continue }
        values.row.copySlot(slot, to: object.changing(slot), layout)
      }
    }
  }

  /// Lists at the other ends whose order is in this object's row.
  fileprivate func sortLists() {
    for slot in object.layout.slots.indices where object.layout.slots[slot].kind == .reference {
      guard let order = object.orderSlot(slot), slots.contains(order) || slots.contains(slot),
        let target = object.relatedObject(slot), let inverse = object.inverseSlot(slot, of: target)
      else { continue }
      if target.key > 0 {
        // Read again, since the places of members that are not in memory are needed too.
        target.relatedUnread(inverse).generation = -1
        _ = target.related(inverse)
      } else {
        target.sortByPlaces(inverse)
      }
    }
  }
}

extension ManagedObject {
  /// Takes the object out of every relationship that it refers to others by.
  fileprivate func leaveEverything() {
    for slot in layout.slots.indices {
      guard let relationship = layout.slots[slot].relationship else { continue }
      switch (layout.slots[slot].kind, relationship.place) {
      case (.reference, _): if relatedObject(slot) != nil { setRelatedObject(slot, nil) }
      case (.related, .pairs):
        for other in relatedObjects(slot) { removeRelatedObject(slot, other) }
      default: continue
      }
    }
  }
}

extension ModelContext {
  /// Leaves in the lists of changes what is in its state, each once.
  fileprivate func beginReplay() {
    inserted.removeAll { $0.state != .inserted }
    deleted.removeAll { $0.state != .deleted }
  }

  fileprivate func endReplay() {
    deleted.removeAll { $0.state != .deleted }
  }

  /// Brings back an object that was deleted.
  fileprivate func resurrect(_ object: ManagedObject) {
    switch object.state {
    case .deleted:
      reviveListed(object)
      // Others have deleted it meanwhile.
      if object.state == .gone { insertAgain(object) }
    case .gone: insertAgain(object)
    default: return
    }
  }

  /// Inserts an object that the store has no longer, or never had, with its attributes and under a new
  /// key: keys are never reused.
  func insertAgain(_ object: ManagedObject) {
    let layout = object.layout
    let row = object.values()
    identities[layout.root].remove(object, object.key)
    object.key = TemporaryKeys.next()
    object.version = 0
    object.original?.free(layout)
    object.original = nil
    object.changed.removeAll()
    for slot in layout.slots.indices {
      switch layout.slots[slot].kind {
      case .reference: row.clear(slot, layout)
      case .related:
        row.set(
          slot, RelatedObjects(isNew: true, keepsPlaces: layout.slots[slot].keepsPlaces), layout)
      default: continue
      }
    }
    object.state = .inserted
    object.keptModel = modelToKeep(object)
    changedCount += 1
    inserted.append(object)
    identities[layout.root].insert(object, object.key)
    watcher?.didInsert(object)
  }
}
