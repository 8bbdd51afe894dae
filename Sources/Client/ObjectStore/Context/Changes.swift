import DataModel

// What was changed, until it is saved or rolled back.
extension ModelContext {
  /// Called before a slot of a registered object changes.
  @inline(__always)
  func willChange(_ object: ManagedObject, _ slot: Int) {
    if let watcher { watcher.willChange(object, slot) }
    if object.state == .clean { beginUpdate(object) }
    if object.state == .updated {
      object.changed.insert(slot)
    } else if object.state == .deleted {
      // In case the deletion is taken back.
      if object.original == nil { object.original = object.row?.copy(object.layout) }
      if object.changed.isEmpty { updated.append(object) }
      object.changed.insert(slot)
    } else if object.state == .gone {
      noteVainChange(object, slot)
    }
  }

  /// What was set in a deleted object is not lost: it is inserted again.
  func forgetVainChanges(_ object: ManagedObject) {
    guard var names = vainChanges.removeValue(forKey: VainPlace(object)) else { return }
    for others in vainChanges.values { names.subtract(others) }
    notedProblems.removeAll { $0.code == .deletedObject && names.contains($0.subject) }
  }

  /// Notes that a value was given to an object that is deleted: nobody will save it, and the next save says so.
  @inline(never)
  private func noteVainChange(_ object: ManagedObject, _ slot: Int) {
    guard object.layout.slots[slot].attribute != nil else { return }
    let name = "\(object.layout.name).\(object.layout.slots[slot].name)"
    vainChanges[VainPlace(object), default: []].insert(name)
    let error = StoreError(
      .deletedObject, name, "was set in an object that is deleted, and is not saved",
      fix: "look at isDeleted before, or insert it again")
    if !notedProblems.contains(error) { note(error) }
  }

  @inline(never)
  private func beginUpdate(_ object: ManagedObject) {
    object.state = .updated
    object.original = object.row?.copy(object.layout)
    object.keptModel = modelToKeep(object)
    updated.append(object)
    changedCount += 1
  }

  /// Keeps an object in memory until the next save: something that is not saved refers to it.
  func keep(_ object: ManagedObject) {
    if object.state == .clean { keptUntilSaved.append(object) }
  }

  /// Notes that a list of related objects of `object` is to be settled after the next save.
  func noteRelatedChange(_ object: ManagedObject) {
    if withRelatedChanges.last !== object { withRelatedChanges.append(object) }
  }

  /// Marks an object to be deleted at the next save, and does to what it refers to what the delete
  /// rules say.
  public func delete(_ object: ManagedObject) throws(StoreError) {
    checkAccess("deleting \(object.entity)")
    if object.context !== self {
      if object.context == nil && object.state == .detached { return }
      throw .otherContext(object.entity)
    }
    var waiting = [object]
    while let next = waiting.popLast() {
      waiting += markDeleted(next)
    }
  }

  /// Marks one object; returns those that are to be deleted with it.
  private func markDeleted(_ object: ManagedObject) -> [ManagedObject] {
    guard object.isUsable else { return [] }
    _ = object.links()
    guard object.isUsable else { return [] }
    watcher?.willDelete(object)
    hasDeletions = true
    var cascade: [ManagedObject] = []
    for slot in object.layout.slots.indices {
      guard let relationship = object.layout.slots[slot].relationship else { continue }
      let related =
        relationship.schema.isToMany
        ? object.relatedObjects(slot) : object.relatedObject(slot).map { [$0] } ?? []
      switch isValidating ? relationship.schema.deleteRule : .nullify {
      case .noAction, .deny: continue
      case .cascade:
        cascade += related
      case .nullify:
        for other in related { object.unlink(slot, other) }
      }
    }
    if object.state == .inserted {
      object.state = .gone
      object.keptModel = nil
      changedCount -= 1
    } else {
      if object.state == .clean {
        changedCount += 1
        object.keptModel = modelToKeep(object)
      }
      object.state = .deleted
      deleted.append(object)
    }
    return cascade
  }

  /// Takes a deletion back.
  func revive(_ object: ManagedObject) {
    reviveListed(object)
    deleted.removeAll { $0 === object }
    // Deleted before this one, or with it: what is still deleted is referred to by nothing.
    for slot in object.layout.slots.indices where object.refersToDeleted(slot) {
      object.setRelatedObject(slot, nil)
    }
  }

  /// Takes a deletion back, and leaves the object in `deleted`, where its state says otherwise.
  func reviveListed(_ object: ManagedObject) {
    // Lists that were read meanwhile have it where others have put it.
    if object.missed != .nothing { generation += 1 }
    // What was changed before it was deleted, or since, is in `updated` still.
    object.state = object.changed.isEmpty ? .clean : .updated
    if object.state == .clean {
      changedCount -= 1
      object.keptModel = nil
    }
    watcher?.didInsert(object)
    if object.state == .clean { takeInMissed(object) }
  }

  /// Does to an object without changes what others did while it had some.
  func takeInMissed(_ object: ManagedObject) {
    let missed = object.missed
    object.missed = .nothing
    switch missed {
    case .nothing: return
    case .update: object.turnIntoFault()
    case .deletion: object.state = .gone
    }
    live?.willChange(object)
  }

  /// Drops every change since the last save.
  public func rollback() {
    checkAccess("rolling back")
    notedProblems.removeAll { $0.code == .deletedObject }
    watcher?.didRollBack()
    for object in inserted where object.state == .inserted {
      object.state = .gone
      object.keptModel = nil
    }
    for object in updated + deleted where object.hasChanges { restore(object) }
    for object in withRelatedChanges { object.forgetRelated() }
    for object in overtaken where object.state == .clean { takeInMissed(object) }
    // Lists were read as if those objects were still where they had been.
    if !overtaken.isEmpty { generation += 1 }
    endChanges()
  }

  /// Makes an object what the store had when it was read.
  private func restore(_ object: ManagedObject) {
    object.tell(nil, .willChange)
    defer { object.tell(nil, .didChange) }
    if let original = object.original {
      // As it lies there: what is dropped need not be encoded.
      object.heldRow?.free(object.layout)
      object.row = original
      object.original = nil
    }
    object.changed.removeAll()
    object.state = .clean
    object.keptModel = nil
    object.forgetRelated()
  }

  /// Empties the lists of changes.
  func endChanges() {
    // Nobody will save them any more, and they must not keep one another in memory.
    for object in inserted where object.state == .gone { object.releaseHeldObjects() }
    keptLists.removeAll()
    overtaken.removeAll()
    hasDeletions = false
    hasUnsureReferences = false
    vainChanges = [:]
    isDeletionOvertaken = false
    inserted.removeAll()
    updated.removeAll()
    deleted.removeAll()
    withRelatedChanges.removeAll()
    keptUntilSaved.removeAll()
    pairChanges.removeAll()
    pendingDeletions.removeAll()
    changedCount = 0
  }
}

extension ManagedObject {
  /// Takes `other` out of a relationship, whichever kind it is.
  fileprivate func unlink(_ slot: Int, _ other: ManagedObject) {
    if layout.slots[slot].relationship?.schema.isToMany == true {
      removeRelatedObject(slot, other)
    } else {
      setRelatedObject(slot, nil)
    }
  }

  /// Forgets lists of related objects, so that they are read again.
  func forgetRelated() {
    guard let row = heldRow ?? original else { return }
    for slot in layout.linkSlots where layout.slots[slot].kind == .related {
      row.clear(slot, layout)
    }
  }

  /// Objects that this one holds since they have no lasting key.
  var heldObjects: [ManagedObject] {
    guard let row = heldRow else { return [] }
    var held: [ManagedObject] = []
    for slot in layout.linkSlots where row.isPresent(slot) {
      if layout.slots[slot].kind == .related {
        let list = row.related(slot, layout)
        held += list.addedKeys.compactMap { list.held[$0] }
      } else if let object = row.reference(slot, layout).object {
        held.append(object)
      }
    }
    return held
  }

  /// Lets go of objects that have no lasting key, and never will.
  func releaseHeldObjects() {
    guard let row = heldRow else { return }
    for slot in layout.linkSlots where row.isPresent(slot) {
      switch layout.slots[slot].kind {
      case .reference where row.reference(slot, layout).object != nil: row.clear(slot, layout)
      case .related: row.related(slot, layout).releaseHeld()
      default: continue
      }
    }
  }

  /// Once inserted, a new object's lists are settled at the save; its pairs are noted now.
  func settleHeldObjects(in context: ModelContext) {
    guard let row = heldRow else { return }
    for slot in layout.linkSlots
    where layout.slots[slot].kind == .related && row.isPresent(slot) {
      let list = row.related(slot, layout)
      guard list.isChanged else { continue }
      context.noteRelatedChange(self)
      guard let relationship = layout.slots[slot].relationship,
        case .pairs(let pairs) = relationship.place
      else { continue }
      for other in list.addedKeys.compactMap({ list.held[$0] }) {
        context.notePair(
          self, slot, other, inverseSlot(slot, of: other), pairs, relationship, isAdded: true)
      }
    }
  }
}
