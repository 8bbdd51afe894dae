import SQLiteDriver

// What is about to be saved refers to nobody who is gone, or is about to be.
extension ModelContext {
  /// Drops references to what was deleted: here before it was saved, or by others, as far as the context has heard.
  func forgetWhatIsGone() {
    guard hasDeletions else { return }
    for object in inserted + updated where object.hasChanges {
      for (slot, reference) in object.givenReferences {
        let other = reference.object ?? object.known(reference.key, slot)
        if let other, isLost(other) { object.row?.clear(slot, object.layout) }
      }
    }
  }

  /// Drops references to what the store has not, whether or not the context has heard of that.
  ///
  /// A save that does not give way to others may come before their news.
  func forgetWhatIsMissing(in transaction: WriteTransaction) throws {
    var isEmptied = false
    for object in inserted + updated where object.hasChanges {
      for (slot, reference) in object.givenReferences where reference.object == nil {
        guard let destination = object.destination(slot) else { continue }
        let other = object.known(reference.key, slot)
        if let other, other.state == .updated, !isLost(other) { continue }
        if try transaction.version(destination, key: reference.key) != nil { continue }
        object.row?.clear(slot, object.layout)
        isEmptied = true
      }
    }
    if isEmptied && isValidating { try validate() }
  }

  /// Whether an object is gone, or will be once this is saved: what others have deleted is not made anew, or has
  /// nothing that would be.
  private func isLost(_ object: ManagedObject) -> Bool {
    switch object.state {
    case .gone: return true
    case .updated where object.missed == .deletion:
      return mergePolicy.losesWhatOthersDeleted || !object.isChanged
    case .updated, .clean, .deleted, .detached, .inserted: return false
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
  /// The references that a save would write.
  fileprivate var givenReferences: [(slot: Int, reference: ReferenceSlot)] {
    guard let row else { return [] }
    return (state == .inserted ? layout.linkSlots : changed.slots).compactMap { slot in
      guard layout.slots[slot].kind == .reference, row.isPresent(slot) else { return nil }
      return (slot, row.reference(slot, layout))
    }
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

  /// The object of a key that a relationship has, if it is in memory: what only reading has found gone, too.
  fileprivate func known(_ key: Int64, _ slot: Int) -> ManagedObject? {
    guard key > 0, let context, let destination = destination(slot) else { return nil }
    if let known = context.identities[destination.root][key] { return known }
    return context.outsideTables.lazy.compactMap(\.object).first {
      $0.key == key && $0.layout.root == destination.root
    }
  }
}
