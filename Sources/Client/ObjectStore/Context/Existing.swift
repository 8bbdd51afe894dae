public import DataModel

extension ModelContext {
  /// The object with `identity`, read if need be; nil where it is deleted, here or in the store, and where
  /// the identity is of another store.
  public func existingObject(_ identity: ObjectIdentity) throws -> ManagedObject? {
    receiveChanges()
    guard let object = object(identity), object.isUsable else { return nil }
    if object.isFault {
      try read([object])
      if object.isFault {
        object.state = .gone
        return nil
      }
    }
    return object
  }
}
