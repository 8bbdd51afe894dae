public import DataModel
import PredicateSQL

extension ModelContext {
  /// The objects that `request` asks for.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    receiveChanges()
    return try reading {
      let objects = try found(request)
      if !request.relationshipsToPrefetch.isEmpty {
        try prefetch(request.relationshipsToPrefetch, of: objects)
      }
      return objects
    }
  }

  /// The identities of the objects that `request` asks for; objects that have never been saved have
  /// none.
  public func fetchIdentities(_ request: FetchRequest) throws -> [ObjectIdentity] {
    try withIdentities(of: request) { $0.list }
  }

  /// Lends the same to `body`, in the form in which the store gives them.
  ///
  /// The query still has its answer meanwhile: `body` keeps nothing of what it is lent, and asks the context
  /// for nothing.
  public func withIdentities<Result>(
    of request: FetchRequest, _ body: (FoundIdentities) -> Result
  ) throws -> Result {
    receiveChanges()
    return try reading {
      let plan = try plan(request)
      guard plan.isWhole && !isPending(request, plan) else {
        return body(.each(try found(request).compactMap(\.identity)))
      }
      var query = plan.limited(by: request)
      // Nobody asked for an order: SQLite may read the keys from whichever index is smallest.
      if request.sort.isEmpty && query.limit == nil && query.offset == nil { query.order = nil }
      return try withStoredIdentities(query, body)
    }
  }

  /// How many objects `request` asks for.
  public func fetchCount(_ request: FetchRequest) throws -> Int {
    receiveChanges()
    return try reading {
      let plan = try plan(request)
      if plan.remainder.isEmpty && !isPending(request, plan) {
        return try countStored(plan.limited(by: request))
      }
      return try found(request).count
    }
  }

  /// Calls `body` with each object that `request` asks for, in batches that are let go of one after
  /// the other, so that memory holds one at a time.
  ///
  /// Changes that are not saved yet do not count.
  public func enumerate(
    _ request: FetchRequest, batchSize: Int = 5000, _ body: (ManagedObject) throws -> Void
  ) throws {
    var request = request
    request.includesPendingChanges = false
    let keys = try withIdentities(of: request) { $0.keys }
    let layout = try layout(request.entity)
    var next = 0
    while next < keys.count {
      let end = min(next + max(1, batchSize), keys.count)
      let objects = keys[next..<end].map { object($0, layout) }
      try read(objects.filter(\.isFault))
      for object in objects where object.isUsable { try body(object) }
      next = end
    }
  }
}

extension ModelContext {
  func plan(_ request: FetchRequest) throws -> FetchPlan {
    let isAllInMemory =
      request.includesPendingChanges && hasChanges && mentionsOtherObjects(request.filter, request)
    // The first that the transaction of a fetch reads, so that all of it is of this moment.
    let model = try read { try store.extras.texts.model($0) }
    let plan = try FetchPlan(request, store.layout, model, isAllInMemory: isAllInMemory)
    for problem in plan.problems {
      store.environment.debugging.fetch("\(request.entity): in memory: \(problem)")
    }
    return plan
  }

  /// Whether what is asked depends on more than the object's own row.
  private func mentionsOtherObjects(_ query: QueryExpression?, _ request: FetchRequest) -> Bool {
    guard let query, let layout = store.layout.entity(request.entity) else { return false }
    return query.mentionsOtherObjects
      || query.ownMembers.contains { name in
        layout.family.contains { index in
          let entity = store.layout.entities[index]
          return entity.slot(name).map { entity.slots[$0].kind == .related } ?? false
        }
      }
  }

  /// Whether changes that are not saved yet may change what is found.
  private func isPending(_ request: FetchRequest, _ plan: FetchPlan) -> Bool {
    guard request.includesPendingChanges, hasChanges else { return false }
    if request.looksBeyond || mentionsOtherObjects(request.filter, request)
      || request.sort.contains(where: { mentionsOtherObjects($0.expression, request) })
    {
      return true
    }
    let root = plan.query.layout.root
    func concerns(_ object: ManagedObject) -> Bool {
      object.hasChanges && object.layout.root == root
    }
    return inserted.contains(where: concerns) || updated.contains(where: concerns)
      || deleted.contains(where: concerns)
  }

  /// What SQL alone is asked for `request`; nil where something is left to do in memory.
  func storedQuery(_ request: FetchRequest) throws -> StoredQuery? {
    let plan = try plan(request)
    guard plan.isWhole, request.propertiesToFetch.isEmpty,
      request.relationshipsToPrefetch.isEmpty, !isPending(request, plan)
    else { return nil }
    return plan.limited(by: request)
  }

  /// The objects that `request` asks for, without taking in what others have committed.
  func found(_ request: FetchRequest) throws -> [ManagedObject] {
    let plan = try plan(request)
    let isPending = isPending(request, plan)
    if plan.isWhole && !isPending {
      return try fetchStored(plan.limited(by: request), properties: request.propertiesToFetch)
    }
    var objects = try fetchStored(plan.query, properties: request.propertiesToFetch)
    do throws(QueryProblem) {
      objects = try matching(objects, request, plan, isPending: isPending)
      if isPending || !plan.isSorted { try Self.sort(&objects, by: request.sort) }
    } catch {
      throw StoreError(error, request.entity)
    }
    let end = request.limit.map { min(objects.count, request.offset.addingClamped($0)) }
    return Array(objects[min(request.offset, objects.count)..<(end ?? objects.count)])
  }

  /// Those of the stored objects that the request still means, and new and changed ones that it means
  /// by now.
  private func matching(
    _ stored: [ManagedObject], _ request: FetchRequest, _ plan: FetchPlan, isPending: Bool
  ) throws(QueryProblem) -> [ManagedObject] {
    var result: [ManagedObject] = []
    var seen: Set<ObjectIdentifier> = []
    for object in stored {
      if isPending && !object.isUsable { continue }
      if isPending && object.state == .updated {
        guard try request.matches(object) else { continue }
      } else {
        guard try plan.remainder.areTrue(of: object) else { continue }
      }
      seen.insert(ObjectIdentifier(object))
      result.append(object)
    }
    guard isPending else { return result }
    for object in inserted + updated
    where object.state == .inserted || object.state == .updated {
      guard plan.query.covers(object.layout), seen.insert(ObjectIdentifier(object)).inserted,
        try request.matches(object)
      else { continue }
      result.append(object)
    }
    return result
  }

  /// Sorts as SQL does, with new objects behind those of the store where all else is equal.
  static func sort(
    _ objects: inout [ManagedObject], by sorts: [QuerySort]
  ) throws(QueryProblem) {
    var rows: [(values: [FieldValue], object: ManagedObject)] = []
    rows.reserveCapacity(objects.count)
    for object in objects { rows.append((try sorts.values(for: object), object)) }
    rows.sort { left, right in
      let order = sorts.order(left.values, right.values)
      return order == 0 ? left.object.comesBefore(right.object) : order < 0
    }
    objects = rows.map(\.object)
  }
}

extension FetchPlan {
  /// Whether SQL does all of it.
  var isWhole: Bool { remainder.isEmpty && isSorted }

  func limited(by request: FetchRequest) -> StoredQuery {
    var query = query
    query.limit = request.limit
    query.offset = request.offset == 0 ? nil : request.offset
    return query
  }
}

extension FetchRequest {
  func matches(_ object: ManagedObject) throws(QueryProblem) -> Bool {
    try filter?.isTrue(of: object) ?? true
  }
}

extension [QueryExpression] {
  func areTrue(of object: ManagedObject) throws(QueryProblem) -> Bool {
    for part in self {
      guard try part.isTrue(of: object) else { return false }
    }
    return true
  }
}

extension ManagedObject {
  /// By key; new objects behind all others, in the order in which they were made.
  fileprivate func comesBefore(_ other: ManagedObject) -> Bool {
    switch (key > 0, other.key > 0) {
    case (true, true): key < other.key
    case (false, false): key > other.key
    case (let isStored, _): isStored
    }
  }
}

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
