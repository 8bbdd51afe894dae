import DataModel

// Both sides of a relationship are kept the same here: whoever sets one end has set the other.
extension ManagedObject {
  /// The related object of a to-one relationship.
  public func relatedObject(_ slot: Int) -> ManagedObject? {
    let row = values(slot)
    guard slot < layout.slots.count else { return nil }
    switch layout.slots[slot].kind {
    case .reference:
      guard row.isPresent(slot) else { return nil }
      let object = referenced(slot, row)
      return object?.isUsable == true ? object : nil
    case .related:
      let list = related(slot)
      // What was set here comes before what others have set meanwhile.
      let keys = list.addedKeys.reversed() + list.members
      return keys.lazy.compactMap { self.member($0, slot) }.first
    default: return nil
    }
  }

  /// The related objects of a to-many relationship, in their order where it has one.
  public func relatedObjects(_ slot: Int) -> [ManagedObject] {
    _ = links()
    guard slot < layout.slots.count, layout.slots[slot].kind == .related else { return [] }
    let list = related(slot)
    let destination = layout.slots[slot].relationship?.destination ?? 0
    let members = list.members
    var objects: [ManagedObject] = []
    objects.reserveCapacity(members.count)
    for key in members {
      if let object = member(key, list, destination) { objects.append(object) }
    }
    context?.expectReading(objects)
    return objects
  }

  /// How many objects a to-many relationship has; reads keys only.
  public func relatedCount(_ slot: Int) -> Int {
    _ = links()
    guard slot < layout.slots.count, layout.slots[slot].kind == .related else { return 0 }
    let list = related(slot)
    guard let context, context.hasDeletions else { return list.count }
    let members = context.store.layout.entities[layout.slots[slot].relationship?.destination ?? 0]
    return list.members.count { context.registered($0, members)?.isUsable ?? true }
  }

  /// The object that a slot of kind `reference` refers to, deleted or not.
  private func referenced(_ slot: Int, _ row: Row) -> ManagedObject? {
    guard row.isPresent(slot), let relationship = layout.slots[slot].relationship else {
      return nil
    }
    let reference = row.reference(slot, layout)
    if let object = reference.object { return object }
    return context?.related(reference.key, relationship.destination)
  }

  /// Whether a slot refers to an object that is to be deleted.
  func refersToDeleted(_ slot: Int) -> Bool {
    guard let row = heldRow, layout.slots[slot].kind == .reference else { return false }
    return referenced(slot, row)?.state == .deleted
  }

  private func member(_ key: Int64, _ slot: Int) -> ManagedObject? {
    guard let relationship = layout.slots[slot].relationship else { return nil }
    return member(key, related(slot), relationship.destination)
  }

  private func member(
    _ key: Int64, _ list: RelatedObjects, _ destination: Int
  ) -> ManagedObject? {
    let object = (key < 0 ? list.held[key] : nil) ?? context?.related(key, destination)
    return object?.isUsable == true ? object : nil
  }

  /// The list behind a relationship, read from the store if need be.
  func related(_ slot: Int) -> RelatedObjects {
    let list = relatedUnread(slot)
    guard let context, key > 0, state != .detached, state != .inserted else { return list }
    if !list.isRead || list.generation < context.generation {
      context.loadRelated(self, slot, list)
    }
    return list
  }

  /// The list behind a relationship as it is.
  func relatedUnread(_ slot: Int) -> RelatedObjects {
    let row = values(slot)
    if row.isPresent(slot) { return row.related(slot, layout) }
    let list = RelatedObjects(isNew: key < 0, keepsPlaces: layout.slots[slot].keepsPlaces)
    row.set(slot, list, layout)
    return list
  }

  /// Whether the object can be handed out: it is not deleted.
  var isUsable: Bool { state != .gone && state != .deleted }
}

extension ManagedObject {
  /// Sets a to-one relationship, and the other side with it.
  public func setRelatedObject(_ slot: Int, _ object: ManagedObject?) {
    _ = links()
    guard slot < layout.slots.count else { return }
    switch layout.slots[slot].kind {
    case .reference: setReference(slot, object)
    case .related:
      let old = relatedObject(slot)
      if old === object { return }
      if let object, !mayRelate(to: object, slot) { return }
      if let old, let inverse = inverseSlot(slot, of: old) { old.setReference(inverse, nil) }
      if let object, let inverse = inverseSlot(slot, of: object) {
        object.setReference(inverse, self)
      }
    default: return
    }
  }

  /// Adds to a to-many relationship, at the end where it has an order.
  public func addRelatedObject(_ slot: Int, _ object: ManagedObject) {
    _ = links()
    guard slot < layout.slots.count, layout.slots[slot].kind == .related,
      let relationship = layout.slots[slot].relationship
    else { return }
    switch relationship.place {
    case .farColumn:
      if let inverse = inverseSlot(slot, of: object) { object.setReference(inverse, self) }
    case .pairs: addPair(slot, object)
    case .ownColumn: return
    }
  }

  /// Takes an object out of a to-many relationship.
  public func removeRelatedObject(_ slot: Int, _ object: ManagedObject) {
    _ = links()
    guard slot < layout.slots.count, layout.slots[slot].kind == .related,
      let relationship = layout.slots[slot].relationship
    else { return }
    switch relationship.place {
    case .farColumn:
      guard let inverse = inverseSlot(slot, of: object), object.relatedObject(inverse) === self
      else { return }
      object.setReference(inverse, nil)
    case .pairs: removePair(slot, object)
    case .ownColumn: return
    }
  }

  /// Sets a to-many relationship: what is new is added, what is missing is taken out, and where there
  /// is an order the objects are put into it.
  public func setRelatedObjects(_ slot: Int, _ objects: [ManagedObject]) {
    _ = links()
    guard slot < layout.slots.count, layout.slots[slot].kind == .related else { return }
    if let added = appended(slot, objects) {
      for object in added { addRelatedObject(slot, object) }
      return
    }
    let old = relatedObjects(slot)
    var wanted: Set<ObjectIdentifier> = []
    let unique = objects.filter {
      wanted.insert(ObjectIdentifier($0)).inserted && mayRelate(to: $0, slot)
    }
    for object in old where !wanted.contains(ObjectIdentifier(object)) {
      removeRelatedObject(slot, object)
    }
    let had = Set(old.map(ObjectIdentifier.init))
    for object in unique where !had.contains(ObjectIdentifier(object)) {
      addRelatedObject(slot, object)
    }
    if layout.slots[slot].relationship?.schema.isOrdered == true { order(slot, unique) }
  }

  /// What `objects` has behind the present members, where those are its beginning; nil where it differs
  /// from them otherwise.
  ///
  /// So that adding one by one to the list that a getter gave does not take a list apart each time.
  private func appended(_ slot: Int, _ objects: [ManagedObject]) -> ArraySlice<ManagedObject>? {
    let list = related(slot)
    let members = list.members
    guard members.count <= objects.count,
      layout.slots[slot].relationship?.schema.isToMany == true
    else { return nil }
    for (index, key) in members.enumerated() {
      let object = objects[index]
      guard object.key == key, object.context === context, object.isUsable else { return nil }
    }
    let added = objects[members.count...]
    return added.contains { list.contains($0.key) } ? nil : added
  }

  /// The slot of the relationship at the other end.
  func inverseSlot(_ slot: Int, of object: ManagedObject?) -> Int? {
    guard let name = layout.slots[slot].relationship?.inverse, let object else { return nil }
    object.settleKind()
    return object.layout.slot(name)
  }

  /// Whether this object may be related to `other`; what is against it is noted.
  private func mayRelate(to other: ManagedObject, _ slot: Int) -> Bool {
    let name = "\(layout.name).\(layout.slots[slot].name)"
    var problem: StoreError?
    if !isUsable || !other.isUsable {
      problem = StoreError(
        .deletedObject, name, "an object that is deleted is related to nothing",
        fix: "relate one that is not, or insert it again first")
    } else if context == nil && state != .detached
      || other.context == nil && other.state != .detached
      || (context != nil && other.context != nil && context !== other.context)
    {
      problem = .otherContext(name)
    }
    if let problem { (context ?? other.context)?.note(problem) }
    return problem == nil
  }

  /// Makes both objects belong to one context, if one of them does.
  private func join(_ other: ManagedObject) {
    do throws(StoreError) {
      if let context, other.context == nil { try context.insert(other) }
      if context == nil, let context = other.context { try context.insert(self) }
    } catch {
      (context ?? other.context)?.note(error)
    }
  }
}

// Relationships whose key is in the object's own row.
extension ManagedObject {
  /// Sets a reference in this object's own row, and the other side with it.
  private func setReference(_ slot: Int, _ target: ManagedObject?) {
    let row = links()
    if let target, !mayRelate(to: target, slot) { return }
    let old = referenced(slot, row)
    if old === target && (target != nil || !row.isPresent(slot)) { return }
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
    tell(slot, .willChange)
    defer { tell(slot, .didChange) }
    let row = changing(slot)
    if let target {
      row.set(
        slot, ReferenceSlot(key: target.key, object: target.key < 0 ? target : nil), layout)
      context?.keep(target)
      join(target)
      // What has not been read may be gone.
      if target.isFault { context?.hasUnsureReferences = true }
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
      tell(slot, .willChange)
      relatedUnread(slot).noteRemoved(object.key)
      context?.noteRelatedChange(self)
      tell(slot, .didChange)
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
      if let order = object.orderSlot(slotThere) { putLast(object, order, slot) }
      tell(slot, .willChange)
      relatedUnread(slot).noteAdded(object)
      context?.noteRelatedChange(self)
      tell(slot, .didChange)
    case .reference:
      if let old = relatedObject(slot), old !== object { old.putReference(slotThere, nil) }
      putReference(slot, object)
    default: return
    }
  }

  /// Puts the members of an ordered list of a new object into the order of the places in their own rows.
  func sortByPlaces(_ slot: Int) {
    guard let relationship = layout.slots[slot].relationship,
      case .farColumn(_, _, _?) = relationship.place
    else { return }
    let list = related(slot)
    let keys = list.members
    let places = keys.map { key -> Int64 in
      guard let member = member(key, slot), let reference = inverseSlot(slot, of: member),
        let order = member.orderSlot(reference)
      else { return .max }
      return member.placeInOrder(order) ?? .max
    }
    let sorted = keys.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    _ = list.reorder(sorted.map { keys[$0] }, places: [])
  }

  /// Gives an object the place behind all others.
  private func putLast(_ object: ManagedObject, _ order: Int, _ slot: Int) {
    let keys = related(slot).members
    let last = keys.reversed().lazy.compactMap { self.member($0, slot) }.first { $0 !== object }
    if let place = SparseOrder.place(after: last.map { $0.placeInOrder(order) ?? 0 }) {
      object.changing(order).set(order, place, object.layout)
    }
  }

  func placeInOrder(_ slot: Int) -> Int64? {
    let row = values(slot)
    return row.isPresent(slot) ? row.integer(slot, layout) : nil
  }
}

// Relationships with a table of pairs, and orders.
extension ManagedObject {
  private func addPair(_ slot: Int, _ object: ManagedObject) {
    guard mayRelate(to: object, slot) else { return }
    join(object)
    context?.watcher?.willPair(self, slot, object)
    let list = listForAdding(slot)
    // Noted also of one that is there: whatever others do meanwhile, it is to be there after the save,
    // whether the list happens to have been read or not.
    let inverse = inverseSlot(slot, of: object)
    tellPair(slot, object, inverse, .willChange)
    list.noteAdded(object)
    if let inverse, object !== self || inverse != slot {
      object.listForAdding(inverse).noteAdded(self)
    }
    notePair(slot, object, inverse, isAdded: true)
    tellPair(slot, object, inverse, .didChange)
  }

  private func removePair(_ slot: Int, _ object: ManagedObject) {
    context?.watcher?.willPair(self, slot, object)
    let list = relatedUnread(slot)
    let inverse = inverseSlot(slot, of: object)
    tellPair(slot, object, inverse, .willChange)
    list.noteRemoved(object.key)
    if let inverse { object.relatedUnread(inverse).noteRemoved(key) }
    notePair(slot, object, inverse, isAdded: false)
    tellPair(slot, object, inverse, .didChange)
  }

  /// Tells the observers of both ends.
  private func tellPair(
    _ slot: Int, _ object: ManagedObject, _ inverse: Int?, _ phase: ObservedPhase
  ) {
    tell(slot, phase)
    if let inverse { object.tell(inverse, phase) }
  }

  /// A list to add to: one whose members have places has to be read, since the new one is the last.
  private func listForAdding(_ slot: Int) -> RelatedObjects {
    layout.slots[slot].keepsPlaces ? related(slot) : relatedUnread(slot)
  }

  private func notePair(_ slot: Int, _ object: ManagedObject, _ inverse: Int?, isAdded: Bool) {
    guard let context, let relationship = layout.slots[slot].relationship,
      case .pairs(let pairs) = relationship.place
    else { return }
    context.notePair(self, slot, object, inverse, pairs, relationship, isAdded: isAdded)
    for end in [self, object] {
      context.noteRelatedChange(end)
      context.keep(end)
    }
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
      let new = SparseOrder.places(for: old)
      for (index, object) in objects.enumerated() where old[index] != new[index] {
        object.changing(orderSlot).set(orderSlot, new[index], object.layout)
      }
      context?.noteRelatedChange(self)
      _ = list.reorder(objects.map(\.key), places: [])
    case .pairs:
      context?.watcher?.willReorder(self, slot)
      let new = SparseOrder.places(for: objects.map { list.place($0.key) })
      let moved = Set(list.reorder(objects.map(\.key), places: new))
      for object in objects where moved.contains(object.key) {
        notePair(slot, object, inverseSlot(slot, of: object), isAdded: true)
      }
    case .ownColumn: return
    }
  }
}
