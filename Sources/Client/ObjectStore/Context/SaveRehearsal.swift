/// What a save would do with objects that are not new.
package struct SaveRehearsal {
  private var written: [ObjectIdentifier: [Int]] = [:]
  private var lost: Set<ObjectIdentifier> = []
  /// Objects whose lists of related objects have changed.
  private var relinked: Set<ObjectIdentifier> = []

  fileprivate init(_ relinked: [ManagedObject]) {
    self.relinked = Set(relinked.map { ObjectIdentifier($0) })
  }

  mutating func noteUpdate(of object: ManagedObject, _ slots: [Int]) {
    written[ObjectIdentifier(object)] = slots
  }

  /// What was to be done to the object gives way to what others did.
  mutating func noteLoss(of object: ManagedObject) { lost.insert(ObjectIdentifier(object)) }

  /// The columns that the save would write of an object; none where all give way or are as they were.
  package func columns(of object: ManagedObject) -> [Int] {
    written[ObjectIdentifier(object)] ?? []
  }

  /// Whether the save would change an object: its columns, or what it is related to.
  package func changes(_ object: ManagedObject) -> Bool {
    let name = ObjectIdentifier(object)
    return !lost.contains(name) && (written[name] != nil || relinked.contains(name))
  }

  /// Whether the save would delete an object that is to be deleted.
  package func deletes(_ object: ManagedObject) -> Bool {
    !lost.contains(ObjectIdentifier(object))
  }
}

extension ModelContext {
  /// Does what a save would do, and takes it back; throws what the save would throw.
  ///
  /// It is for whoever has to write somewhere else first, where nothing can be taken back.
  package func rehearseSave() throws -> SaveRehearsal {
    receiveChanges()
    forgetWhatIsGone()
    try validate()
    let saving = Saving(self)
    saving.rehearsal = SaveRehearsal(withRelatedChanges)
    saving.asksForAll = true
    defer { saving.takeBack() }
    do {
      try store.write(author: author, from: self) { transaction in
        try saving.write(transaction)
        throw RehearsalEnd()
      }
    } catch is RehearsalEnd {
      // The transaction was to be taken back.
    }
    return saving.rehearsal ?? SaveRehearsal([])
  }

  private struct RehearsalEnd: Error {}
}
