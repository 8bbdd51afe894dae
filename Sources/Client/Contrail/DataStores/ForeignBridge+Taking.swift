import DataModel
import ObjectStore

// Taking what the other store has into memory.
extension ForeignBridge {
  /// Makes memory what `snapshots` say; what they refer to and memory does not know yet is asked for, too.
  func take(_ snapshots: [DefaultSnapshot], editingState: EditingState) throws {
    var all: [PersistentIdentifier: DefaultSnapshot] = [:]
    var order: [PersistentIdentifier] = []
    var tried: Set<PersistentIdentifier> = []
    var next = snapshots
    while !next.isEmpty {
      for snapshot in next where !isArriving(snapshot.persistentIdentifier) {
        if all.updateValue(snapshot, forKey: snapshot.persistentIdentifier) == nil {
          order.append(snapshot.persistentIdentifier)
        }
      }
      let missing = next.flatMap(\.references).filter {
        all[$0] == nil && identity(of: $0) == nil && !isArriving($0) && tried.insert($0).inserted
      }
      next = try find(missing, editingState).filter { all[$0.persistentIdentifier] == nil }
    }
    try write(order.compactMap { all[$0] })
  }

  /// What the other store has of models that are known by name only.
  private func find(
    _ missing: [PersistentIdentifier], _ editingState: EditingState
  ) throws -> [DefaultSnapshot] {
    if missing.isEmpty { return [] }
    var found = try foreign.cached(missing, editingState)
    let names = Set(found.map(\.persistentIdentifier))
    let entities = Set(missing.filter { !names.contains($0) }.map(\.entityName))
    // A store can be asked for all models of a class, and not for one of a name.
    for plan in plans where entities.contains(plan.entityName) {
      found += try all(plan.type, editingState)
    }
    return found
  }

  private func all<T: PersistentModel>(
    _ type: T.Type, _ editingState: EditingState
  ) throws -> [DefaultSnapshot] {
    let answer = try foreign.fetch(FetchDescriptor<T>(), editingState)
    return answer.found + answer.related
  }

  /// Takes in a model that is known by name only, where the other store has it.
  func find(_ identifier: PersistentIdentifier, _ editingState: EditingState) throws {
    try taking {
      let found = try find([identifier], editingState)
      try take(found, editingState: editingState)
    }
  }

  private func write(_ snapshots: [DefaultSnapshot]) throws {
    let context = ObjectStore.ModelContext(store, at: nil)
    context.author = foreign.identifier
    var objects: [PersistentIdentifier: ManagedObject] = [:]
    var new: [PersistentIdentifier] = []
    for snapshot in snapshots {
      let identifier = snapshot.persistentIdentifier
      if let identity = identity(of: identifier), let known = try context.existingObject(identity) {
        objects[identifier] = known
      } else {
        objects[identifier] = try context.insert(identifier.entityName)
        new.append(identifier)
      }
    }
    for snapshot in snapshots {
      objects[snapshot.persistentIdentifier]?.take(snapshot) { name in
        objects[name] ?? self.identity(of: name).flatMap { context.object($0) }
      }
    }
    if context.hasChanges { try context.save() }
    for identifier in new {
      if let identity = objects[identifier]?.identity { note(identifier, identity) }
    }
  }

  /// Takes out of memory the models of a class, and of such as inherit from it, that are not among `found`.
  func remove(_ plan: ModelPlan, but found: [DefaultSnapshot]) throws {
    let family = Set(plans.filter { plan.isAncestor(of: $0) }.map(\.entityName))
    let names = Set(found.map(\.persistentIdentifier))
    let gone = identifiers(of: family).filter { !names.contains($0) }
    if gone.isEmpty { return }
    let context = ObjectStore.ModelContext(store, at: nil)
    context.author = foreign.identifier
    for identifier in gone {
      if let identity = identity(of: identifier),
        let object = try context.existingObject(identity), !object.isDeleted
      {
        try context.delete(object)
      }
    }
    if context.hasChanges { try context.save() }
    for identifier in gone { forget(identifier) }
  }
}

extension DefaultSnapshot {
  /// The models that it refers to.
  fileprivate var references: [PersistentIdentifier] {
    values.values.flatMap { value -> [PersistentIdentifier] in
      switch value {
      case .model(let identifier): [identifier]
      case .models(let identifiers): identifiers
      default: []
      }
    }
  }
}

extension ManagedObject {
  /// Takes the values of a snapshot that it does not have yet.
  func take(
    _ snapshot: DefaultSnapshot, _ object: (PersistentIdentifier) -> ManagedObject?
  ) {
    for (name, value) in snapshot.values {
      if case .parts(let parts) = value {
        for (part, value) in parts { take(value, "\(name).\(part)", object) }
      } else {
        take(value, name, object)
      }
    }
  }

  private func take(
    _ value: SnapshotValue, _ name: String, _ object: (PersistentIdentifier) -> ManagedObject?
  ) {
    guard let slot = layout.slot(name) else { return }
    let relationship = layout.slots[slot].relationship
    switch value {
    case .model(let identifier):
      guard let target = object(identifier), relatedObject(slot) !== target else { return }
      setRelatedObject(slot, target)
    case .models(let identifiers):
      let (old, new) = (relatedObjects(slot), identifiers.compactMap(object))
      let isSame =
        relationship?.schema.isOrdered == true
        ? old.elementsEqual(new, by: ===)
        : Set(old.map { ObjectIdentifier($0) }) == Set(new.map { ObjectIdentifier($0) })
      if isSame { return }
      setRelatedObjects(slot, new)
    case .none where relationship != nil:
      if relationship?.schema.isToMany == false, relatedObject(slot) != nil {
        setRelatedObject(slot, nil)
      }
    default:
      if relationship == nil, snapshotValue(slot) != value { set(value, at: slot) }
    }
  }
}
