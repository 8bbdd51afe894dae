public import DataModel

extension ModelContext {
  /// Objects without changes of their own whose lists of related objects have some.
  public var relinkedObjects: [ManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    return withRelatedChanges.filter {
      $0.state == .clean && seen.insert(ObjectIdentifier($0)).inserted
    }
  }

  /// The object with `key` of `entity` when it is in memory and not deleted.
  public func registeredObject(_ entity: String, key: Int64) -> ManagedObject? {
    guard let layout = store.layout.entity(entity), let object = registered(key, layout),
      object.isUsable
    else { return nil }
    return object
  }

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
