import DataModel
import ObjectStore

// Taking what the other store has into memory.
extension ForeignBridge {
  /// Makes memory what `snapshots` say; what they refer to and memory does not know yet is asked for, too.
  func take(_ snapshots: [DefaultSnapshot], editingState: EditingState) throws {
    let context = mergingContext()
    var all: [PersistentIdentifier: DefaultSnapshot] = [:]
    var order: [PersistentIdentifier] = []
    var tried: Set<PersistentIdentifier> = []
    var next = snapshots
    while !next.isEmpty {
      for snapshot in next
      where all.updateValue(snapshot, forKey: snapshot.persistentIdentifier) == nil {
        order.append(snapshot.persistentIdentifier)
      }
      let missing = try next.flatMap(\.references).filter {
        try all[$0] == nil && tried.insert($0).inserted && object($0, in: context) == nil
      }
      next = try find(missing, editingState).filter { all[$0.persistentIdentifier] == nil }
    }
    try write(order.compactMap { all[$0] }, context)
  }

  /// Takes the models that others refer to, as the other store has them now.
  func takeRelated(to snapshots: [DefaultSnapshot], _ editingState: EditingState) throws {
    let related = Array(Set(snapshots.flatMap(\.references)))
    try take(try find(related, editingState), editingState: editingState)
  }

  /// Takes in a model that is known by name only, where the other store has it.
  func find(_ identifier: PersistentIdentifier, _ editingState: EditingState) throws {
    try taking { try take(try find([identifier], editingState), editingState: editingState) }
  }

  /// What the other store has of models that are known by name.
  private func find(
    _ names: [PersistentIdentifier], _ editingState: EditingState
  ) throws -> [DefaultSnapshot] {
    if names.isEmpty { return [] }
    var found: [DefaultSnapshot] = []
    do {
      found = try foreign.cached(names, editingState)
    } catch is DataStoreError {
      // It has none at hand.
    }
    let there = Set(found.map(\.persistentIdentifier))
    let entities = Set(names.filter { !there.contains($0) }.map(\.entityName))
    // A store can be asked for all models of a class, and not for one of a name.
    for plan in plans where entities.contains(plan.entityName) {
      found += try all(plan.type, editingState)
    }
    return found
  }

  /// A context that writes what the other store has, whatever our rules are.
  func mergingContext() -> ObjectStore.ModelContext {
    let context = ObjectStore.ModelContext(store, at: nil)
    context.author = identifier
    context.mergePolicy = .overwrite
    context.uniquePolicy = .strict
    context.isValidating = false
    return context
  }

  /// The object of a name; nil where there is none any more.
  private func object(
    _ name: PersistentIdentifier, in context: ObjectStore.ModelContext
  ) throws -> ManagedObject? {
    try identity(of: name).flatMap { try context.existingObject($0) }
  }

  private func write(
    _ snapshots: [DefaultSnapshot], _ context: ObjectStore.ModelContext
  ) throws {
    var objects: [PersistentIdentifier: ManagedObject] = [:]
    var new: [PersistentIdentifier] = []
    for snapshot in snapshots {
      let name = snapshot.persistentIdentifier
      if let known = try object(name, in: context) {
        objects[name] = known
      } else {
        objects[name] = try context.insert(name.entityName)
        new.append(name)
      }
    }
    for snapshot in snapshots {
      for name in snapshot.references where objects[name] == nil {
        objects[name] = try object(name, in: context)
      }
      objects[snapshot.persistentIdentifier]?.take(snapshot) { objects[$0] }
    }
    if context.hasChanges { try context.save() }
    for name in new {
      if let identity = objects[name]?.identity { note(name, identity) }
    }
  }

  /// Takes out of memory the models of a class, and of such as inherit from it, that are not among `found`.
  func remove(_ plan: ModelPlan, but found: [DefaultSnapshot]) throws {
    let family = Set(plans.filter { plan.isAncestor(of: $0) }.map(\.entityName))
    let names = Set(found.map(\.persistentIdentifier))
    let gone = identifiers(of: family).filter { !names.contains($0) }
    if gone.isEmpty { return }
    try remove(gone.compactMap { identity(of: $0) })
    for name in gone { forget(name) }
  }

  /// Takes objects out of memory, and nothing with them: delete rules have done in the other store what they do.
  func remove(_ identities: [ObjectIdentity]) throws {
    if identities.isEmpty { return }
    let context = mergingContext()
    for identity in identities {
      if let object = try context.existingObject(identity) { try context.delete(object) }
    }
    if context.hasChanges { try context.save() }
  }
}

extension DefaultSnapshot {
  /// The models that it refers to.
  var references: [PersistentIdentifier] {
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
