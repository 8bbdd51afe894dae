import ObjectStore

// Asking the other store before memory answers.
extension ForeignBridge {
  /// Takes into memory what the other store finds for a descriptor, and out of it what the other has no more.
  ///
  /// `part` is the context that asks. Memory evaluates the descriptor once more: a store may find more than is
  /// asked for.
  func refresh<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ part: ObjectStore.ModelContext,
    _ editingState: EditingState
  ) throws {
    let core = (part.owner as? ModelContext)?.core
    let plan = try DescriptorPlan(descriptor, core)
    let looksBeyond = plan.request.looksBeyond
    var asked = descriptor
    // Memory passes over what is to be passed over: it has to have that, too.
    asked.fetchOffset = nil
    asked.fetchLimit = descriptor.fetchLimit.map { limit in
      let (sum, isTooLarge) = max(0, limit).addingReportingOverflow(
        max(0, descriptor.fetchOffset ?? 0))
      return isTooLarge ? .max : sum
    }
    // What is not saved yet counts in memory, so that the other's first ten need not be ours.
    let hasPending = descriptor.includePendingChanges && part.hasChanges
    if hasPending || !plan.isWhole { asked.fetchLimit = nil }
    try taking {
      let answer = try ask(&asked, editingState)
      let found = try family(of: T.self, answer.found, editingState)
      if asked.isOfAll { try remove(T._$plan, but: found) }
      try take(found, beside: answer.related, looksBeyond, editingState)
      if asked.isOfAll { return }
      // It does not keep to limits.
      if let limit = asked.fetchLimit, found.count > limit { asked.fetchLimit = nil }
      let missed = try missed(found, of: asked, part, core)
      if missed.isStore || missed.isMemory && asked.fetchLimit != nil {
        // It is gone, or the store means something else by what it was asked.
        var all = FetchDescriptor<T>()
        let answer = try ask(&all, editingState)
        let found = try family(of: T.self, answer.found, editingState)
        try remove(T._$plan, but: found)
        try take(found, beside: answer.related, looksBeyond, editingState)
      }
    }
  }

  /// Takes what was found and, where the descriptor looks beyond it, what the models are related to: what others
  /// have made of that counts, too.
  private func take(
    _ found: [DefaultSnapshot], beside related: [DefaultSnapshot], _ looksBeyond: Bool,
    _ editingState: EditingState
  ) throws {
    try take(found + related, editingState: editingState)
    if looksBeyond { try takeRelated(to: found, editingState) }
  }

  /// Whether there are classes that inherit from one.
  func hasHeirs(_ plan: ModelPlan) -> Bool { !heirs(of: plan).isEmpty }

  private func heirs(of plan: ModelPlan) -> [ModelPlan] {
    plans.filter { $0 !== plan && plan.isAncestor(of: $0) }
  }

  /// What was found, with the models of classes that inherit, where the store has told of the class alone.
  private func family<T: PersistentModel>(
    of type: T.Type, _ found: [DefaultSnapshot], _ editingState: EditingState
  ) throws -> [DefaultSnapshot] {
    let heirs = heirs(of: T._$plan)
    let own = T._$plan.entityName
    if heirs.isEmpty || found.contains(where: { $0.persistentIdentifier.entityName != own }) {
      return found
    }
    return try found + heirs.flatMap { try all($0.type, editingState) }
  }

  /// All models that the other store has of a class, with those that it tells of beside.
  func all<T: PersistentModel>(
    _ type: T.Type, _ editingState: EditingState
  ) throws -> [DefaultSnapshot] {
    var all = FetchDescriptor<T>()
    let answer = try ask(&all, editingState)
    return answer.found + answer.related
  }

  /// Asks for a descriptor, or for as much of it as the store does not leave to memory.
  private func ask<T: PersistentModel>(
    _ descriptor: inout FetchDescriptor<T>, _ editingState: EditingState
  ) throws -> ForeignFinds {
    while true {
      do {
        return try foreign.fetch(descriptor, editingState)
      } catch let error as DataStoreError {
        guard descriptor.leave(to: error) else { throw error }
      }
    }
  }

  /// Whether the store has missed what memory finds of what is saved, and memory what the store finds.
  private func missed<T: PersistentModel>(
    _ found: [DefaultSnapshot], of asked: FetchDescriptor<T>, _ part: ObjectStore.ModelContext,
    _ core: ContainerCore?
  ) throws -> (isStore: Bool, isMemory: Bool) {
    // Only now names that the descriptor has are known.
    let plan = try DescriptorPlan(asked, core)
    guard plan.isTranslated else { return (true, false) }
    var request = plan.request
    request.includesPendingChanges = false
    let names = Set(found.map(\.persistentIdentifier))
    let known = Set(try part.fetchIdentities(request).compactMap(Self.identifier))
    return (!known.isSubset(of: names), !names.isSubset(of: known))
  }

  /// The other store's own answer; nil where it leaves that to memory.
  func answer<Answer>(_ body: (any ForeignStore) throws -> Answer) throws -> Answer? {
    do {
      return try taking { try body(foreign) }
    } catch let error as DataStoreError where error != .invalidPredicate {
      return nil
    }
  }
}

extension FetchDescriptor {
  /// Whether it asks for all models.
  fileprivate var isOfAll: Bool { predicate == nil && fetchLimit == nil }

  /// Leaves to memory what a store does not do; false where it is asked for nothing of the kind.
  fileprivate mutating func leave(to error: DataStoreError) -> Bool {
    let before = self
    // A limit is of what is left when all else is done.
    switch error {
    case .preferInMemoryFilter: (predicate, fetchLimit) = (nil, nil)
    case .preferInMemorySort: (sortBy, fetchLimit) = ([], nil)
    case .unsupportedFeature: self = FetchDescriptor()
    case .invalidPredicate: return false
    }
    return before != self
  }
}
