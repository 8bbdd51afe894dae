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
        if object.values(slot).isEqual(slot, values.row, layout) { continue }
        object.tell(slot, .willChange)
        values.row.copySlot(slot, to: object.changing(slot), layout)
        object.tell(slot, .didChange)
      }
    }
    restoreRefusals()
  }

  /// Once all parts of a property are what they were: what tells that it was refused is of the whole.
  private func restoreRefusals() {
    let layout = object.layout
    for slot in slots.slots where layout.keptPlaces[slot] != 0 {
      if object.values(slot).hasSameRefusal(slot, values.row, layout) { continue }
      object.tell(slot, .willChange)
      object.takeRefusal(slot, of: values.row)
      object.tell(slot, .didChange)
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

extension ManagedObject {
  /// Takes the object out of what is at the other ends: what was deleted before it, or with it, still
  /// refers to it, or has it in its list.
  fileprivate func leaveOthers() {
    guard let row = heldRow else { return }
    for slot in layout.linkSlots where row.isPresent(slot) {
      if layout.slots[slot].kind == .reference {
        let reference = row.reference(slot, layout)
        if let other = reference.object ?? registered(reference.key, slot) { leave(other, slot) }
      } else {
        let list = row.related(slot, layout)
        for key in list.members + list.addedKeys {
          if let other = list.held[key] ?? registered(key, slot) { leave(other, slot) }
        }
      }
    }
  }

  /// Takes the object out of what is at the other end of `slot`.
  private func leave(_ other: ManagedObject, _ slot: Int) {
    let inverse = inverseSlot(slot, of: other)
    if let inverse {
      switch other.layout.slots[inverse].kind {
      case .related: other.changedList(inverse)?.noteRemoved(key)
      case .reference where other.refers(to: self, inverse): other.putReference(inverse, nil)
      default: break
      }
    }
    guard let relationship = layout.slots[slot].relationship,
      case .pairs(let pairs) = relationship.place
    else { return }
    context?.notePair(self, slot, other, inverse, pairs, relationship, isAdded: false)
  }

  /// Whether a reference leads to an object that was never saved; to one that was, it leads by a key that
  /// will not be that object's any more.
  private func refers(to unsaved: ManagedObject, _ slot: Int) -> Bool {
    guard let row = heldRow, row.isPresent(slot) else { return false }
    return row.reference(slot, layout).object === unsaved
  }

  /// A related object that is in memory, deleted or not.
  private func registered(_ key: Int64, _ slot: Int) -> ManagedObject? {
    guard let context, let relationship = layout.slots[slot].relationship else { return nil }
    let layout = context.store.layout.entities[relationship.destination]
    let found = context.registered(key, layout)
    return found.flatMap { layout.family.contains($0.layout.index) ? $0 : nil }
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

  /// Inserts an object that the store has no longer, or never had, with its attributes, and related to
  /// nothing.
  ///
  /// It has a new key where the store had it: keys are never reused. Otherwise it keeps the one that others
  /// may know it by.
  func insertAgain(_ object: ManagedObject) {
    let layout = object.layout
    let row = object.links()
    object.leaveOthers()
    forgetVainChanges(object)
    identities[layout.root].remove(object, object.key)
    if object.key > 0 { object.key = TemporaryKeys.next() }
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
