import ObjectStore

// Asking the other store before memory answers.
extension ForeignBridge {
  /// Takes into memory what the other store finds for a descriptor, and out of it what the other has no more.
  ///
  /// `part` is the context that asks. It evaluates the descriptor too: a store may find more than is asked for.
  func refresh<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ part: ObjectStore.ModelContext,
    _ editingState: EditingState
  ) throws {
    let plan = try DescriptorPlan(descriptor, (part.owner as? ModelContext)?.core)
    var asked = descriptor
    // What is not saved yet counts in memory, so that the other's first ten need not be ours.
    if !plan.isWhole || descriptor.includePendingChanges && part.hasChanges {
      (asked.fetchLimit, asked.fetchOffset) = (nil, nil)
    }
    try taking {
      let answer = try ask(&asked, editingState)
      try take(answer.found + answer.related, editingState: editingState)
      if asked.isOfAll {
        try remove(T._$plan, but: answer.found)
      } else if try !isAll(answer.found, of: plan, part) {
        // Some that memory has were not found: they are gone, or the store means something else by it.
        try refreshAll(T.self, editingState)
      }
    }
  }

  /// Takes all models of a class into memory.
  private func refreshAll<T: PersistentModel>(
    _ type: T.Type, _ editingState: EditingState
  ) throws {
    var all = FetchDescriptor<T>()
    let answer = try ask(&all, editingState)
    try take(answer.found + answer.related, editingState: editingState)
    try remove(T._$plan, but: answer.found)
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

  /// Whether the other store found all that memory finds of what is saved.
  private func isAll<T: PersistentModel>(
    _ found: [DefaultSnapshot], of plan: DescriptorPlan<T>, _ part: ObjectStore.ModelContext
  ) throws -> Bool {
    guard plan.isTranslated else { return false }
    var request = plan.request
    request.includesPendingChanges = false
    let names = Set(found.map(\.persistentIdentifier))
    return try part.fetchIdentities(request).allSatisfy { identity in
      Self.identifier(of: identity).map { names.contains($0) } ?? true
    }
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
  fileprivate var isOfAll: Bool {
    predicate == nil && fetchLimit == nil && fetchOffset ?? 0 <= 0
  }

  /// Leaves to memory what a store does not do; false where it is asked for nothing of the kind.
  fileprivate mutating func leave(to error: DataStoreError) -> Bool {
    let before = (predicate == nil, sortBy.isEmpty, isOfAll)
    // A limit is of what is left when all else is done.
    switch error {
    case .preferInMemoryFilter: (predicate, fetchLimit, fetchOffset) = (nil, nil, nil)
    case .preferInMemorySort: (sortBy, fetchLimit, fetchOffset) = ([], nil, nil)
    case .unsupportedFeature: self = FetchDescriptor()
    case .invalidPredicate: return false
    }
    return before != (predicate == nil, sortBy.isEmpty, isOfAll)
  }
}
