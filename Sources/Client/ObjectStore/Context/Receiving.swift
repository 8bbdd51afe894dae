// What others have committed.
extension ModelContext {
  /// Takes in what others have committed since it was last called: objects without changes of their own
  /// are read again when they are next used, those with changes stay as they are until they are saved.
  ///
  /// Every fetch and every save begins with it.
  public func receiveChanges() {
    let arrived = inbox.takeAll()
    if arrived.isEmpty { return }
    generation += 1
    for changes in arrived { receive(changes) }
  }

  func receive(_ changes: ChangeSet) {
    if changes.isUnknown {
      for box in identities { box.table.forEach { $0.turnIntoFault() } }
      return
    }
    for update in changes.updates {
      guard let layout = store.layout.entity(number: update.entity) else { continue }
      registered(update.key, layout)?.turnIntoFault()
    }
    for deletion in changes.deletions {
      guard let layout = store.layout.entity(number: deletion.entity),
        let object = registered(deletion.key, layout), object.state == .clean
      else { continue }
      object.state = .gone
    }
  }
}
