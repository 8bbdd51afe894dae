import ObjectStore

extension Schema {
  /// Throws what is wrong with the classes: of a container's schema, and of each version of its plan, whose
  /// models stages read.
  func checkClasses(_ subject: String) throws {
    if let failure = StoreError(failures, subject: subject) { throw failure }
    let unreadable = UnreadableCheck.failures(plans.values)
    if let failure = StoreError(unreadable, subject: subject) { throw failure }
  }
}

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
    let declared = namesWithDefaults(plan.type)
    return open.filter { !declared.contains($0.name) }.map { property in
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
    func open<Value>(_ type: Value.Type) -> Bool { StandIn.isPossible(type) }
    return open(type)
  }

  private static func namesWithDefaults<Model: PersistentModel>(_ type: Model.Type) -> Set<String> {
    let layout = Model._$plan.layout
    let slots = type.ranksWithDefaults.filter { 0..<layout.ranks.count ~= $0 }
      .map { Int(layout.ranks.slots[$0]) }.filter(layout.slots.indices.contains)
    return Set(slots.map { String(layout.slots[$0].name.prefix { $0 != "." }) })
  }
}
