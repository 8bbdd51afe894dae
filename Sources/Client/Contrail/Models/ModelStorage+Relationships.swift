public import ObjectStore

// Relationships. Both sides are set at once; what is related to a model of a context is in that context.
extension ModelStorage {
  /// The related model.
  @inlinable
  public func read<Model: PersistentModel, Related: PersistentModel>(
    _ rank: Int, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Related>
  ) -> Related {
    reading(model, path) { object in
      object.relatedObject(object.slot(rank: rank))?.model(as: Related.self)
        ?? missingModel(object, object.slot(rank: rank))
    }
  }

  /// The related model, if there is one.
  @inlinable
  public func read<Model: PersistentModel, Related: PersistentModel>(
    _ rank: Int, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Related?>
  ) -> Related? {
    reading(model, path) { object in
      object.relatedObject(object.slot(rank: rank))?.model(as: Related.self)
    }
  }

  /// The related models.
  @inlinable
  public func read<Model: PersistentModel, Related: RelationshipCollection>(
    _ rank: Int, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Related>
  ) -> Related {
    reading(model, path) { Related(_models: $0.relatedModels($0.slot(rank: rank))) }
  }

  /// Relates another model.
  @inlinable
  public func write<Model: PersistentModel, Related: PersistentModel>(
    _ rank: Int, _ value: Related, of model: Model,
    _ path: @autoclosure () -> KeyPath<Model, Related>
  ) {
    let object = object(of: model)
    object.setRelatedObject(object.slot(rank: rank), value.managedObject)
  }

  /// Relates another model, or none.
  @inlinable
  public func write<Model: PersistentModel, Related: PersistentModel>(
    _ rank: Int, _ value: Related?, of model: Model,
    _ path: @autoclosure () -> KeyPath<Model, Related?>
  ) {
    let object = object(of: model)
    object.setRelatedObject(object.slot(rank: rank), value?.managedObject)
  }

  /// Relates other models: what is new is added, what is missing is taken out.
  @inlinable
  public func write<Model: PersistentModel, Related: RelationshipCollection>(
    _ rank: Int, _ value: Related, of model: Model,
    _ path: @autoclosure () -> KeyPath<Model, Related>
  ) {
    changing(model, path) {
      $0.setRelatedObjects($0.slot(rank: rank), value._models.map(\.managedObject))
    }
  }

  /// Gives a relationship its first model, before `self` is complete.
  @inlinable
  public mutating func initialize<Related: PersistentModel>(_ rank: Int, _ value: Related) {
    keep(rank) { $0.setRelatedObject($1, value.managedObject) }
  }

  /// Gives a relationship its first model, or none.
  @inlinable
  public mutating func initialize<Related: PersistentModel>(_ rank: Int, _ value: Related?) {
    keep(rank) { $0.setRelatedObject($1, value?.managedObject) }
  }

  /// Gives a relationship its first models.
  @inlinable
  public mutating func initialize<Related: RelationshipCollection>(_ rank: Int, _ value: Related) {
    keep(rank) { $0.setRelatedObjects($1, value._models.map(\.managedObject)) }
  }
}

extension ManagedObject {
  /// The models of a relationship.
  @usableFromInline
  func relatedModels<Related: PersistentModel>(_ slot: Int) -> [Related] {
    relatedObjects(slot).map { $0.model(as: Related.self) }
  }
}

/// What a getter returns where a related model must be, and is not: a new one, which is nowhere.
@usableFromInline @inline(never)
func missingModel<Related: PersistentModel>(_ object: ManagedObject, _ slot: Int) -> Related {
  let subject = "\(object.layout.name).\(object.layout.slots[slot].name)"
  object.modelContext?.report(
    StoreError(
      .missingValue, subject, "has no object, and its type is not optional",
      fix: "make the property optional, or relate an object before it is read"))
  return ManagedObject(new: Related._$plan.layout).model(as: Related.self)
}
