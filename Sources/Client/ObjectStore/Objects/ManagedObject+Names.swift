public import DataModel

// Access by the names of properties, for tools that have only a schema.
extension ManagedObject {
  /// An attribute's value; throws where the entity has no such attribute.
  public func value(_ name: String) throws(StoreError) -> FieldValue {
    let slot = try attributeSlot(name)
    return attributeValue(slot)
  }

  /// Sets an attribute; throws where the entity has no such attribute, or the value is of another type.
  public func setValue(_ name: String, _ value: FieldValue) throws(StoreError) {
    let slot = try attributeSlot(name)
    if layout.slots[slot].attribute?.derivation != nil {
      throw .readOnlyProperty("\(entity).\(name)", why: "its value is derived")
    }
    // Checked on a row that nobody sees, so that a refused value changes nothing.
    guard layout.accepts(value, in: slot) else {
      throw .wrongType(
        "\(entity).\(name)", expected: layout.slots[slot].attribute?.type.rawValue ?? "value",
        found: value)
    }
    _ = changing(slot).setValue(slot, value, layout)
  }

  /// The related object of a to-one relationship.
  public func related(_ name: String) throws(StoreError) -> ManagedObject? {
    let slot = try relationshipSlot(name, isToMany: false)
    return relatedObject(slot)
  }

  /// The related objects of a to-many relationship, in their order where it has one.
  public func relatedObjects(_ name: String) throws(StoreError) -> [ManagedObject] {
    let slot = try relationshipSlot(name, isToMany: true)
    return relatedObjects(slot)
  }

  /// Sets a to-one relationship, and the other side with it.
  public func setRelated(_ name: String, _ object: ManagedObject?) throws(StoreError) {
    let slot = try relationshipSlot(name, isToMany: false)
    try check(object.map { [$0] } ?? [], slot)
    setRelatedObject(slot, object)
  }

  /// Sets a to-many relationship, and the other side of each object with it.
  public func setRelated(_ name: String, _ objects: [ManagedObject]) throws(StoreError) {
    let slot = try relationshipSlot(name, isToMany: true)
    try check(objects, slot)
    setRelatedObjects(slot, objects)
  }

  /// Adds to a to-many relationship, at the end where it has an order.
  public func addRelated(_ name: String, _ object: ManagedObject) throws(StoreError) {
    let slot = try relationshipSlot(name, isToMany: true)
    try check([object], slot)
    addRelatedObject(slot, object)
  }

  /// Takes an object out of a to-many relationship.
  public func removeRelated(_ name: String, _ object: ManagedObject) throws(StoreError) {
    let slot = try relationshipSlot(name, isToMany: true)
    removeRelatedObject(slot, object)
  }
}

extension ManagedObject {
  private func attributeSlot(_ name: String) throws(StoreError) -> Int {
    settleKind()
    guard let slot = layout.slot(name), layout.slots[slot].attribute != nil else {
      throw .unknownProperty("\(entity).\(name)", among: layout.slots.map(\.name))
    }
    return slot
  }

  private func relationshipSlot(_ name: String, isToMany: Bool) throws(StoreError) -> Int {
    settleKind()
    guard let slot = layout.slot(name), let relationship = layout.slots[slot].relationship else {
      throw .unknownProperty("\(entity).\(name)", among: layout.slots.map(\.name))
    }
    guard relationship.schema.isToMany == isToMany else {
      throw .wrongCardinality("\(entity).\(name)", isToMany: relationship.schema.isToMany)
    }
    return slot
  }

  private func check(_ objects: [ManagedObject], _ slot: Int) throws(StoreError) {
    guard let relationship = layout.slots[slot].relationship else { return }
    for object in objects {
      object.settleKind()
      guard object.isUsable, isUsable else {
        throw StoreError(
          .missingObject, "\(entity).\(layout.slots[slot].name)",
          "\(object.isUsable ? "the object itself" : "the object to relate it to") is deleted")
      }
      guard object.isKind(of: relationship.schema.destination, in: context ?? object.context) else {
        throw .wrongDestination(
          "\(entity).\(layout.slots[slot].name)", expected: relationship.schema.destination,
          found: object.entity)
      }
      if let own = context, let other = object.context, own !== other {
        throw .otherContext("\(entity).\(layout.slots[slot].name)")
      }
    }
  }

  /// Whether the object is of `entity` or of one that inherits from it.
  func isKind(of entity: String, in context: ModelContext?) -> Bool {
    if layout.name == entity || layout.schema.parent == entity { return true }
    guard let schema = context?.store.layout.schema else { return layout.schema.parent != nil }
    return schema.ancestors(of: layout.schema).contains { $0.name == entity }
  }
}

extension EntityLayout {
  /// Whether `value` can stand in an attribute's slot.
  func accepts(_ value: FieldValue, in slot: Int) -> Bool {
    let scratch = Row(self)
    defer { scratch.free(self) }
    return scratch.setValue(slot, value, self)
  }
}
