import SQLiteDriver

/// A reference that is not saved, since nobody will be there.
struct TakenReference {
  let object: ManagedObject
  let slot: Int
  let reference: ReferenceSlot
  /// The object's place in the order of the other side, if it has one.
  var place: Int64?

  /// Takes a reference out of the object's row.
  init(_ object: ManagedObject, _ slot: Int, _ reference: ReferenceSlot) {
    self.object = object
    self.slot = slot
    self.reference = reference
    object.row?.clear(slot, object.layout)
    guard let order = object.orderSlot(slot), let row = object.row, row.isPresent(order)
    else { return }
    place = row.integer(order, object.layout)
    row.clear(order, object.layout)
  }

  /// Puts it back.
  func giveBack() {
    guard let row = object.row, !row.isPresent(slot) else { return }
    row.set(slot, reference, object.layout)
    if let place, let order = object.orderSlot(slot) { row.set(order, place, object.layout) }
  }
}

extension ModelContext {
  /// Drops references to new objects that were deleted before they were saved, and to what others have deleted.
  func forgetWhatIsGone() {
    guard hasDeletions else { return }
    for object in inserted + updated where object.hasChanges {
      for slot in object.givenSlots {
        guard let reference = object.givenReference(slot) else { continue }
        let other = reference.object ?? object.known(reference.key, slot)
        if other?.state == .gone { object.row?.clear(slot, object.layout) }
      }
    }
  }
}

// What is saved refers to nobody who is gone, or will be. What a context has heard of, and has in memory, says that
// for itself; of all else the store is asked, within the transaction.
extension Saving {
  /// Takes references to what will not be there out of what is changed.
  func takeOutGone(_ transaction: WriteTransaction) throws {
    guard asksForAll || context.hasDeletions || context.hasUnsureReferences else { return }
    // Who loses a reference may have nothing left that would be written, and is not made anew then.
    var isTaken = true
    while isTaken {
      isTaken = false
      for object in inserted + updated where try takeOutGone(object, object.givenSlots, transaction)
      {
        isTaken = true
      }
    }
  }

  /// The same of an object that is written whole, over what others have made of it.
  func takeOutGoneOfAll(_ object: ManagedObject, _ transaction: WriteTransaction) throws {
    _ = try takeOutGone(object, object.layout.linkSlots, transaction)
  }

  private func takeOutGone(
    _ object: ManagedObject, _ slots: [Int], _ transaction: WriteTransaction
  ) throws -> Bool {
    var isTaken = false
    for slot in slots {
      guard let reference = object.givenReference(slot), reference.object == nil,
        try !willBeThere(reference.key, slot, of: object, transaction)
      else { continue }
      taken.append(TakenReference(object, slot, reference))
      isTaken = true
      if context.isValidating, !object.layout.slots[slot].isOptional {
        throw StoreError(
          .missingValue, "\(object.layout.name).\(object.layout.slots[slot].name)",
          "leads to an object that others have deleted, and must lead to one",
          fix: "give it another one, or delete this object, too")
      }
    }
    return isTaken
  }

  private func willBeThere(
    _ key: Int64, _ slot: Int, of object: ManagedObject, _ transaction: WriteTransaction
  ) throws -> Bool {
    guard let destination = object.destination(slot) else { return true }
    let known = object.known(key, slot)
    if !asksForAll, let known, known.row != nil, known.state != .gone, known.missed == .nothing {
      return true
    }
    if try transaction.version(destination, key: key) != nil { return true }
    guard let known, known.state == .updated else { return false }
    return !context.mergePolicy.losesWhatOthersDeleted && known.isChanged
  }

  /// Puts back what was taken out: nothing was saved.
  func giveBackReferences() {
    for taken in taken { taken.giveBack() }
    taken = []
  }

  /// Tells who observes an object that it refers to nobody.
  func tellTakenReferences() {
    for taken in taken where taken.object.context === context {
      taken.object.tell(taken.slot, .willChange)
      taken.object.tell(taken.slot, .didChange)
    }
  }
}

extension MergePolicy {
  /// Whether what others have deleted stays deleted though it was changed here.
  fileprivate var losesWhatOthersDeleted: Bool {
    switch self {
    case .rollback, .mergeByPropertyStoreTrump: true
    case .error, .overwrite, .mergeByPropertyObjectTrump: false
    }
  }
}

extension ManagedObject {
  /// The slots that a save writes.
  fileprivate var givenSlots: [Int] { state == .inserted ? layout.linkSlots : changed.slots }

  /// The reference in a slot, if it is one for references and has any.
  fileprivate func givenReference(_ slot: Int) -> ReferenceSlot? {
    guard layout.kinds[slot] == .reference, let row, row.isPresent(slot) else { return nil }
    return row.reference(slot, layout)
  }

  /// Whether anything that is saved differs from what was read.
  fileprivate var isChanged: Bool {
    guard let row, let original, let context else { return true }
    return changed.slots.contains {
      layout.slots[$0].column != nil && !context.store.isEqual($0, row, original, layout)
    }
  }

  /// The layout of what a relationship leads to.
  fileprivate func destination(_ slot: Int) -> EntityLayout? {
    guard let context, let relationship = layout.slots[slot].relationship else { return nil }
    return context.store.layout.entities[relationship.destination]
  }

  /// The object of a key that a relationship has, if it is in memory.
  fileprivate func known(_ key: Int64, _ slot: Int) -> ManagedObject? {
    guard key > 0, let context, let destination = destination(slot) else { return nil }
    return context.identities[destination.root][key]
  }
}
