import DataModel

// Both sides of a relationship are kept the same here: whoever sets one end has set the other.
extension ManagedObject {
  /// The related object of a to-one relationship.
  public func relatedObject(_ slot: Int) -> ManagedObject? {
    guard let relationship = layout.slots[slot].relationship else { return nil }
    let row = values(slot)
    switch layout.slots[slot].kind {
    case .reference:
      guard row.isPresent(slot) else { return nil }
      let reference = row.reference(slot, layout)
      if let object = reference.object { return object }
      guard let context else { return nil }
      let target = context.store.layout.entities[relationship.destination]
      let object = context.object(reference.key, target)
      return object.isUsable ? object : nil
    case .related:
      return related(slot).members?.first.flatMap { member($0, slot) }
    default: return nil
    }
  }

  /// The related objects of a to-many relationship, in their order where it has one.
  public func relatedObjects(_ slot: Int) -> [ManagedObject] {
    guard layout.slots[slot].kind == .related else { return [] }
    let objects = (related(slot).members ?? []).compactMap { member($0, slot) }
    context?.expectReading(objects)
    return objects
  }

  /// How many objects a to-many relationship has; reads keys only.
  public func relatedCount(_ slot: Int) -> Int {
    layout.slots[slot].kind == .related ? related(slot).members?.count ?? 0 : 0
  }

  private func member(_ key: Int64, _ slot: Int) -> ManagedObject? {
    if let held = related(slot).held[key] { return held }
    guard let context, let relationship = layout.slots[slot].relationship else { return nil }
    let object = context.object(key, context.store.layout.entities[relationship.destination])
    return object.isUsable ? object : nil
  }

  /// The list behind a relationship, read from the store if need be.
  func related(_ slot: Int) -> RelatedObjects {
    let list = relatedUnread(slot)
    let isOld = list.members == nil || (context.map { list.generation < $0.generation } ?? false)
    if isOld, let context, state != .detached { context.loadRelated(self, slot, list) }
    if list.members == nil { list.load([], orders: [], generation: 0) }
    return list
  }

  /// The list behind a relationship as it is.
  func relatedUnread(_ slot: Int) -> RelatedObjects {
    let row = values(slot)
    if row.isPresent(slot) { return row.related(slot, layout) }
    let list = RelatedObjects(isNew: key < 0)
    row.set(slot, list, layout)
    return list
  }

  /// Whether the object can be handed out: it is not deleted.
  var isUsable: Bool { state != .gone && state != .deleted }
}

extension ManagedObject {
  /// Sets a to-one relationship, and the other side with it.
  public func setRelatedObject(_ slot: Int, _ object: ManagedObject?) {
    switch layout.slots[slot].kind {
    case .reference: setReference(slot, object)
    case .related:
      guard let inverse = inverseSlot(slot, of: object ?? relatedObject(slot)) else { return }
      let old = relatedObject(slot)
      if old === object { return }
      old?.setReference(inverse, nil)
      object?.setReference(inverse, self)
    default: return
    }
  }

  /// Adds to a to-many relationship, at the end where it has an order.
  public func addRelatedObject(_ slot: Int, _ object: ManagedObject) {
    guard layout.slots[slot].kind == .related,
      let relationship = layout.slots[slot].relationship
    else { return }
    switch relationship.place {
    case .farColumn:
      if let inverse = inverseSlot(slot, of: object) { object.setReference(inverse, self) }
    case .pairs: pair(slot, object, isAdded: true)
    case .ownColumn: return
    }
  }

  /// Takes an object out of a to-many relationship.
  public func removeRelatedObject(_ slot: Int, _ object: ManagedObject) {
    guard layout.slots[slot].kind == .related,
      let relationship = layout.slots[slot].relationship
    else { return }
    switch relationship.place {
    case .farColumn:
      guard let inverse = inverseSlot(slot, of: object), object.relatedObject(inverse) === self
      else { return }
      object.setReference(inverse, nil)
    case .pairs: pair(slot, object, isAdded: false)
    case .ownColumn: return
    }
  }

  /// Sets a to-many relationship: what is new is added, what is missing is taken out, and where there
  /// is an order the objects are put into it.
  public func setRelatedObjects(_ slot: Int, _ objects: [ManagedObject]) {
    guard layout.slots[slot].kind == .related else { return }
    let old = relatedObjects(slot)
    var wanted: Set<ObjectIdentifier> = []
    let unique = objects.filter { wanted.insert(ObjectIdentifier($0)).inserted }
    for object in old where !wanted.contains(ObjectIdentifier(object)) {
      removeRelatedObject(slot, object)
    }
    let had = Set(old.map(ObjectIdentifier.init))
    for object in unique where !had.contains(ObjectIdentifier(object)) {
      addRelatedObject(slot, object)
    }
    if layout.slots[slot].relationship?.schema.isOrdered == true { order(slot, unique) }
  }

  /// The slot of the relationship at the other end.
  func inverseSlot(_ slot: Int, of object: ManagedObject?) -> Int? {
    guard let name = layout.slots[slot].relationship?.inverse, let object else { return nil }
    return object.layout.slot(name)
  }
}

extension ManagedObject {
  /// Sets a reference in this object's own row, and the other side with it.
  private func setReference(_ slot: Int, _ target: ManagedObject?) {
    let old = relatedObject(slot)
    if old === target && (target != nil || !values().isPresent(slot)) { return }
    if let old, let inverse = inverseSlot(slot, of: old) {
      old.noteUnlinked(inverse, from: self)
    }
    putReference(slot, target)
    if let target, let inverse = inverseSlot(slot, of: target) {
      target.noteLinked(inverse, to: self, slot)
    }
  }

  /// Writes a reference, and nothing on the other side.
  func putReference(_ slot: Int, _ target: ManagedObject?) {
    let row = changing(slot)
    if let target {
      row.set(
        slot, ReferenceSlot(key: target.key, object: target.key < 0 ? target : nil), layout)
      context?.keep(target)
      if let context, target.context == nil { try? context.insert(target) }
      if context == nil, let other = target.context { try? other.insert(self) }
    } else {
      row.clear(slot, layout)
    }
    if let order = orderSlot(slot) { changing(order).clear(order, layout) }
  }

  /// The hidden slot with this object's place in the order of the other side.
  func orderSlot(_ slot: Int) -> Int? {
    guard case .ownColumn(_, _?)? = layout.slots[slot].relationship?.place else { return nil }
    return layout.slot(layout.slots[slot].name + Slot.orderSuffix)
  }

  /// `object` refers to this one no longer, through the inverse of `slot`.
  private func noteUnlinked(_ slot: Int, from object: ManagedObject) {
    switch layout.slots[slot].kind {
    case .related:
      relatedUnread(slot).noteRemoved(object.key)
      context?.noteRelatedChange(self)
    case .reference: putReference(slot, nil)
    default: return
    }
  }

  /// `object` refers to this one now, through `slotThere`, the inverse of `slot`.
  private func noteLinked(_ slot: Int, to object: ManagedObject, _ slotThere: Int) {
    guard let relationship = layout.slots[slot].relationship else { return }
    switch layout.slots[slot].kind {
    case .related:
      if !relationship.schema.isToMany, let old = relatedObject(slot), old !== object {
        old.putReference(slotThere, nil)
        relatedUnread(slot).noteRemoved(old.key)
      }
      let list = relatedUnread(slot)
      if let order = object.orderSlot(slotThere) {
        let last = related(slot).members?.last.flatMap { member($0, slot) }
        let place = last.flatMap { $0.placeInOrder(order) } ?? 0
        object.changing(order).set(order, place + SparseOrder.gap, object.layout)
      }
      list.noteAdded(object)
      context?.noteRelatedChange(self)
    case .reference:
      if let old = relatedObject(slot), old !== object { old.putReference(slotThere, nil) }
      putReference(slot, object)
    default: return
    }
  }

  /// Puts the members of an ordered list into the order of the places in their own rows: `stored` are
  /// those that are known of members without changes.
  func sortByPlaces(_ slot: Int, stored: [Int64: Int64] = [:]) {
    guard let relationship = layout.slots[slot].relationship, let context,
      case .farColumn(_, _, _?) = relationship.place, let inverse = relationship.inverse
    else { return }
    let list = relatedUnread(slot)
    guard let keys = list.members else { return }
    let destination = context.store.layout.entities[relationship.destination]
    let places = keys.map { key -> Int64 in
      if let known = context.registered(key, destination), known.hasChanges || stored[key] == nil,
        let reference = known.layout.slot(inverse), let order = known.orderSlot(reference)
      {
        return known.placeInOrder(order) ?? .max
      }
      return stored[key] ?? .max
    }
    let sorted = keys.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    list.reorder(sorted.map { keys[$0] }, orders: [])
  }

  private func placeInOrder(_ slot: Int) -> Int64? {
    let row = values()
    return row.isPresent(slot) ? row.integer(slot, layout) : nil
  }

  /// Makes or undoes a pair of a relationship that has a table of pairs.
  private func pair(_ slot: Int, _ object: ManagedObject, isAdded: Bool) {
    guard let relationship = layout.slots[slot].relationship,
      case .pairs(let pairs) = relationship.place
    else { return }
    if let context, object.context == nil { try? context.insert(object) }
    if context == nil, let other = object.context { try? other.insert(self) }
    context?.watcher?.willPair(self, slot, object)
    let inverse = inverseSlot(slot, of: object)
    notePair(slot, object, isAdded: isAdded)
    if let inverse, object !== self || inverse != slot {
      object.notePair(inverse, self, isAdded: isAdded)
    }
    context?.notePair(self, slot, object, inverse, pairs, relationship, isAdded: isAdded)
  }

  private func notePair(_ slot: Int, _ object: ManagedObject, isAdded: Bool) {
    let list = relatedUnread(slot)
    if isAdded { list.noteAdded(object) } else { list.noteRemoved(object.key) }
    context?.noteRelatedChange(self)
    context?.keep(object)
  }

  /// Puts the objects of an ordered relationship into the order given, moving as few as it can.
  private func order(_ slot: Int, _ objects: [ManagedObject]) {
    guard let relationship = layout.slots[slot].relationship else { return }
    let list = related(slot)
    switch relationship.place {
    case .farColumn:
      guard let first = objects.first, let reference = inverseSlot(slot, of: first),
        let orderSlot = first.orderSlot(reference)
      else { return }
      let old = objects.map { $0.placeInOrder(orderSlot) }
      for (object, place) in zip(objects, SparseOrder.places(for: old))
      where object.placeInOrder(orderSlot) != place {
        object.changing(orderSlot).set(orderSlot, place, object.layout)
      }
      context?.noteRelatedChange(self)
      list.reorder(objects.map(\.key), orders: [])
    case .pairs(let pairs):
      context?.watcher?.willReorder(self, slot)
      let places = Dictionary(
        zip(list.members ?? [], list.orders), uniquingKeysWith: { first, _ in first })
      let old = objects.map { places[$0.key] }
      let new = SparseOrder.places(for: old)
      list.reorder(objects.map(\.key), orders: new)
      for (index, object) in objects.enumerated() where old[index] != new[index] {
        context?.notePair(
          self, slot, object, inverseSlot(slot, of: object), pairs, relationship, isAdded: true)
      }
      context?.noteRelatedChange(self)
    case .ownColumn: return
    }
  }
}
