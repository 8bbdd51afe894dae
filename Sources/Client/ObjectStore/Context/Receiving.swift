// What others have committed.
extension ModelContext {
  /// Takes in what others have committed since it was last called: objects without changes of their own
  /// are read again when they are next used, those with changes stay as they are until they are saved
  /// or rolled back.
  ///
  /// Every fetch begins with it, every save that others have overtaken, and a context that is at home on an actor or
  /// an executor does it by itself soon after each commit. Within `reading` it waits: what is read there is older.
  public func receiveChanges() {
    checkAccess("taking in changes")
    if readConnection != nil { return }
    do {
      try store.receiveRemoteChanges()
    } catch {
      note(
        (error as? StoreError)
          ?? StoreError(.readFailed, "store", "other processes' changes cannot be read: \(error)"))
    }
    takeInArrived()
  }

  /// Takes in what the store has made known to the context so far.
  func takeInArrived() {
    if readConnection != nil { return }
    let arrived = inbox.takeAll()
    if arrived.isEmpty { return }
    let others = arrived.filter { $0.origin != .thisContext }
    if !others.isEmpty {
      if !deleted.isEmpty { isDeletionOvertaken = true }
      takeIn(others)
    }
    live?.received(arrived)
    tellListeners(arrived)
    live?.settle()
  }

  /// Takes in what was done to the store besides what the context knows of, and tells those who observe it.
  func takeIn(_ changes: [ChangeSet]) {
    let links = observed.links(changedBy: changes, in: store.layout)
    for link in links { link.tell(.willChange) }
    generation += 1
    changes.forEach(receive)
    for link in links { link.tell(.didChange) }
  }

  private func receive(_ changes: ChangeSet) {
    if changes.isUnknown {
      if hasChanges { hasUnsureReferences = true }
      for box in identities { box.all.filter { $0.missed != .deletion }.forEach(noteUpdated) }
      return
    }
    for run in changes.insertedRuns { receive(run) }
    for update in changes.updates {
      guard let layout = store.layout.entity(number: update.entity) else { continue }
      if let object = registered(update.key, layout) { noteUpdated(object) }
    }
    for deletion in changes.deletions {
      guard let layout = store.layout.entity(number: deletion.entity),
        let object = registered(deletion.key, layout)
      else { continue }
      noteDeleted(object)
    }
  }

  private func noteUpdated(_ object: ManagedObject) {
    switch object.state {
    case .clean:
      object.tell(nil, .willChange)
      object.turnIntoFault()
      object.tell(nil, .didChange)
    case .updated, .deleted: miss(object, .update)
    case .detached, .inserted, .gone: return
    }
  }

  private func noteDeleted(_ object: ManagedObject) {
    if hasChanges { hasDeletions = true }
    switch object.state {
    case .clean:
      object.tell(nil, .willChange)
      defer { object.tell(nil, .didChange) }
      // Who was told may have changed it.
      guard object.state == .clean else { return miss(object, .deletion) }
      object.unlinkAdded()
      object.state = .gone
    case .updated, .deleted: miss(object, .deletion)
    case .detached, .inserted, .gone: return
    }
  }

  /// An object that was gone may have been saved again by someone who still had it.
  private func receive(_ run: ChangeSet.Run) {
    guard let layout = store.layout.entity(number: run.entity) else { return }
    func back(_ object: ManagedObject) {
      if object.state == .gone {
        object.tell(nil, .willChange)
        object.state = .clean
        object.turnIntoFault()
        object.tell(nil, .didChange)
      } else if object.missed == .deletion {
        object.missed = .update
      }
    }
    let table = identities[layout.root]
    if run.count <= Int64(table.count) {
      for key in run.firstKey..<(run.firstKey + run.count) {
        if let object = table[key] { back(object) }
      }
    } else {
      for object in table.all
      where object.key >= run.firstKey && object.key - run.firstKey < run.count {
        back(object)
      }
    }
  }

  /// Notes what others did to an object with changes, for when those are saved or dropped.
  func miss(_ object: ManagedObject, _ what: ManagedObject.Missed) {
    if object.missed == .nothing { overtaken.append(object) }
    object.missed = what
  }

  /// Puts changed lists back into an object that was read again.
  func giveBackLists(_ object: ManagedObject) {
    guard let lists = keptLists.removeValue(forKey: ObjectIdentifier(object)),
      let row = object.heldRow
    else { return }
    for (slot, list) in lists where slot < object.layout.slots.count {
      row.set(slot, list, object.layout)
    }
  }
}

extension ManagedObject {
  /// Puts the values aside, so that they are read again; until then they are the last known ones, and
  /// lists with changes are kept.
  func turnIntoFault() {
    partial = nil
    guard state == .clean, let row else { return }
    if let context, !context.withRelatedChanges.isEmpty {
      let lists = changedLists
      if !lists.isEmpty { context.keptLists[ObjectIdentifier(self)] = lists }
    }
    original?.free(layout)
    original = row
    self.row = nil
  }

  private var changedLists: [(slot: Int, list: RelatedObjects)] {
    guard let row = heldRow else { return [] }
    return layout.slots.indices.compactMap { slot in
      guard layout.slots[slot].kind == .related, row.isPresent(slot) else { return nil }
      let list = row.related(slot, layout)
      return list.isChanged ? (slot, list) : nil
    }
  }

  /// A list with changes, also while the object is a fault.
  func changedList(_ slot: Int) -> RelatedObjects? {
    if let row = heldRow { return row.isPresent(slot) ? row.related(slot, layout) : nil }
    return context?.keptLists[ObjectIdentifier(self)]?.first { $0.slot == slot }?.list
  }

  /// Whether a reference that was read, or set, is one to `object`.
  private func refers(_ slot: Int, to object: ManagedObject) -> Bool {
    guard let row = heldRow, row.isPresent(slot) else { return isFault }
    let reference = row.reference(slot, layout)
    return reference.object === object || reference.object == nil && reference.key == object.key
  }

  /// The object is gone: what was to be related to it is not.
  fileprivate func unlinkAdded() {
    guard !isFault || context?.keptLists[ObjectIdentifier(self)] != nil else { return }
    for slot in layout.slots.indices where layout.slots[slot].kind == .related {
      guard let list = changedList(slot), let relationship = layout.slots[slot].relationship
      else { continue }
      for key in list.addedKeys {
        guard let other = list.held[key] ?? context?.related(key, relationship.destination),
          case .farColumn = relationship.place, let inverse = inverseSlot(slot, of: other)
        else { continue }
        // It may have been given to somebody else since.
        if other.refers(inverse, to: self) { other.putReference(inverse, nil) }
        list.noteRemoved(key)
      }
    }
  }
}
