// What others have committed.
extension ModelContext {
  /// Takes in what others have committed since it was last called: objects without changes of their own
  /// are read again when they are next used, those with changes stay as they are until they are saved.
  ///
  /// Every fetch and every save begins with it, and a context that is at home on an actor or an executor
  /// does it by itself soon after each commit.
  public func receiveChanges() {
    checkAccess("taking in changes")
    do {
      try store.receiveRemoteChanges()
    } catch {
      note(
        (error as? StoreError)
          ?? StoreError(.readFailed, "store", "other processes' changes cannot be read: \(error)"))
    }
    let arrived = inbox.takeAll()
    if arrived.isEmpty { return }
    if arrived.contains(where: { $0.origin != .thisContext }) { generation += 1 }
    for changes in arrived where changes.origin != .thisContext { receive(changes) }
    live?.received(arrived)
    tellListeners(arrived)
    live?.settle()
  }

  func receive(_ changes: ChangeSet) {
    if changes.isUnknown {
      for box in identities { box.table.forEach { $0.turnIntoFault() } }
      for object in updated + deleted { noteOutdated(object) }
      return
    }
    for run in changes.insertedRuns { receive(run) }
    for update in changes.updates {
      guard let layout = store.layout.entity(number: update.entity) else { continue }
      guard let object = registered(update.key, layout) else { continue }
      object.turnIntoFault()
      if object.hasChanges { noteOutdated(object) }
    }
    for deletion in changes.deletions {
      guard let layout = store.layout.entity(number: deletion.entity),
        let object = registered(deletion.key, layout)
      else { continue }
      if object.hasChanges { noteOutdated(object) }
      if object.state == .clean { object.state = .gone }
    }
  }

  /// Has an object read again once its changes are saved or dropped.
  func noteOutdated(_ object: ManagedObject) { outdated[ObjectIdentifier(object)] = object }

  /// An object that was deleted may be there again: a save whose policy says so puts it back.
  private func receive(_ run: ChangeSet.Run) {
    guard let layout = store.layout.entity(number: run.entity) else { return }
    let keys = run.firstKey..<run.firstKey + run.count
    func takeBack(_ object: ManagedObject) {
      guard object.state == .gone, keys.contains(object.key) else { return }
      object.state = .clean
      object.turnIntoFault()
    }
    let box = identities[layout.root]
    if box.table.count == 0 { return }
    if box.table.count < keys.count { return box.table.forEach(takeBack) }
    for key in keys { if let object = box.table[key] { takeBack(object) } }
  }
}
