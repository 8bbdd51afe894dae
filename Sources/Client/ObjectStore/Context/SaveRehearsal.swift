/// What a save would do with objects that others have changed since they were read.
package struct SaveRehearsal {
  private var written: [ObjectIdentifier: [Int]] = [:]

  mutating func note(_ object: ManagedObject, writes slots: [Int]) {
    written[ObjectIdentifier(object)] = slots
  }

  /// Whether the save would write something of an object that it has.
  package func keeps(_ object: ManagedObject) -> Bool {
    written[ObjectIdentifier(object)]?.isEmpty != true
  }

  /// The slots that the save would write; nil where those are all that were changed.
  package func slots(of object: ManagedObject) -> [Int]? { written[ObjectIdentifier(object)] }
}

extension ModelContext {
  /// Does what a save would do, and takes it back; throws what the save would throw.
  ///
  /// It is for whoever has to write somewhere else first, where nothing can be taken back.
  package func rehearseSave() throws -> SaveRehearsal {
    try validate()
    receiveChanges()
    let saving = Saving(self)
    defer { saving.takeBackKeys() }
    do {
      try store.write(author: author, from: self) { transaction in
        try saving.write(transaction)
        throw RehearsalEnd()
      }
    } catch is RehearsalEnd {
      // The transaction was to be taken back.
    }
    return saving.resolved
  }

  private struct RehearsalEnd: Error {}
}
