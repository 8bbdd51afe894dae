import ObjectStore

/// Takes the initial values of a new object's properties; only code that `@Model` wrote uses it.
public struct ModelDefaults {
  let object: ManagedObject

  init(_ object: ManagedObject) { self.object = object }

  /// The place of the property with `rank`.
  func slot(_ rank: Int) -> Int { object.slot(rank: rank) }
}

extension ModelDefaults {
  /// Takes a value that is in one column.
  public func set<Value: StorableValue>(_ rank: Int, _ value: Value) {
    value._set(object, slot(rank))
  }

  /// Takes a value by its raw value.
  public func set<Value: RawRepresentable>(_ rank: Int, _ value: Value)
  where Value.RawValue: StorableValue {
    value.rawValue._set(object, slot(rank))
  }

  /// Takes a value by its raw value, or none.
  public func set<Value: RawRepresentable>(_ rank: Int, _ value: Value?)
  where Value.RawValue: StorableValue {
    (value?.rawValue)._set(object, slot(rank))
  }

  /// Takes a related model.
  public func set<Related: PersistentModel>(_ rank: Int, _ value: Related) {
    object.setRelatedObject(slot(rank), value.managedObject)
  }

  /// Takes a related model, or none.
  public func set<Related: PersistentModel>(_ rank: Int, _ value: Related?) {
    object.setRelatedObject(slot(rank), value?.managedObject)
  }

  /// Takes related models.
  public func set<Related: RelationshipCollection>(_ rank: Int, _ value: Related) {
    let models = value._models
    if !models.isEmpty { object.setRelatedObjects(slot(rank), models.map(\.managedObject)) }
  }
}
