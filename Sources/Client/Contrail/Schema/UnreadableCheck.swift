import ObjectStore

/// Finds properties whose getters could return nothing where the store has a value that the type has not.
///
/// A getter cannot throw, so it needs some value of the type: the declared default, or one that can be made
/// of the type alone.
enum UnreadableCheck {
  static func failures(_ plans: some Sequence<ModelPlan>) -> [StoreError] {
    plans.sorted { $0.entityName < $1.entityName }.flatMap(failures)
  }

  private static func failures(_ plan: ModelPlan) -> [StoreError] {
    let open = plan.properties.own.filter(lacksStandIn)
    if open.isEmpty { return [] }
    let defaults = fresh(plan.type)
    return open.filter { !hasDefault($0.name, defaults) }.map { property in
      StoreError(
        .invalidSchema, "\(plan.entityName).\(property.name)",
        "is of type \(type(of: property.keypath).valueType), of which no value can be made when "
          + "the store has one that cannot be read",
        fix: "give the property a default, or make it optional")
    }
  }

  private static func lacksStandIn(_ property: KnownProperty) -> Bool {
    switch property.kind {
    case .raw(_, _, false), .codable(_, _, false), .transformed(_, false):
      return !canMake(type(of: property.keypath).valueType)
    default: return false
    }
  }

  private static func canMake(_ type: any Any.Type) -> Bool {
    func open<Value>(_ type: Value.Type) -> Bool { StandIn.possible(type) != nil }
    return open(type)
  }

  private static func fresh<Model: PersistentModel>(_ type: Model.Type) -> ManagedObject {
    let object = ManagedObject(new: Model._$plan.layout)
    Model._$setDefaults(ModelDefaults(object))
    return object
  }

  private static func hasDefault(_ name: String, _ object: ManagedObject) -> Bool {
    object.layout.slots.indices.contains { slot in
      let slotName = object.layout.slots[slot].name
      return (slotName == name || slotName.hasPrefix(name + ".")) && object.isPresent(slot)
    }
  }
}
