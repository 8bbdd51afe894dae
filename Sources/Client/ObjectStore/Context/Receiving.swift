// What others have committed.
extension ModelContext {
  /// Takes in what others have committed since it was last called: objects without changes of their own
  /// are read again when they are next used, those with changes stay as they are until they are saved.
  ///
  /// Every fetch and every save begins with it.
  public func receiveChanges() {
    do {
      try store.receiveRemoteChanges()
    } catch {
      note(
        (error as? StoreError)
          ?? StoreError(.readFailed, "store", "other processes' changes cannot be read: \(error)"))
    }
    let arrived = inbox.takeAll()
    if arrived.isEmpty { return }
    generation += 1
    for changes in arrived { receive(changes) }
  }

  private func receive(_ changes: ChangeSet) {
    if changes.isUnknown {
      for box in identities { box.table.forEach { readAgain($0) } }
      return
    }
    for update in changes.updates {
      guard let layout = store.layout.entity(number: update.entity) else { continue }
      if let object = registered(update.key, layout) { readAgain(object) }
    }
    for deletion in changes.deletions {
      guard let layout = store.layout.entity(number: deletion.entity),
        let object = registered(deletion.key, layout)
      else { continue }
      if object.state == .clean { object.state = .gone } else { readAgain(object) }
    }
  }

  /// Makes an object be read again: when it is next used, or once its changes are rolled back.
  private func readAgain(_ object: ManagedObject) {
    if object.state == .updated || object.state == .deleted { changedMeanwhile.append(object) }
    object.turnIntoFault()
  }
}
