import Foundation
import ObjectStore
import PredicateSQL

extension ModelContext {
  /// The models that a descriptor asks for.
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    let part = try part(askedFor: descriptor)
    return try models(DescriptorPlan(descriptor, core), part)
  }

  private func models<T: PersistentModel>(
    _ plan: DescriptorPlan<T>, _ part: ObjectStore.ModelContext
  ) throws -> [T] {
    guard plan.isWhole else { return try plan.finish(try part.models(plan.request)) }
    return try part.models(plan.request)
  }

  /// How many models a descriptor asks for.
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    if let count = try foreignAnswer(descriptor, { try $0.fetchCount(descriptor, $1) }) {
      return count
    }
    let part = try part(askedFor: descriptor)
    let plan = try DescriptorPlan(descriptor, core)
    guard plan.isWhole else { return try models(plan, part).count }
    return try part.fetchCount(plan.request)
  }

  /// The identifiers of the models that a descriptor asks for.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    if let found = try foreignAnswer(descriptor, { try $0.fetchIdentifiers(descriptor, $1) }) {
      return found
    }
    let part = try part(askedFor: descriptor)
    let plan = try DescriptorPlan(descriptor, core)
    guard plan.isWhole, !(descriptor.includePendingChanges && part.hasChanges) else {
      return try models(plan, part).map(\.persistentModelID)
    }
    return try part.withIdentities(of: plan.request, PersistentIdentifier.list)
  }

  /// Calls `block` with each model that a descriptor asks for, in batches that are let go of one after the
  /// other.
  ///
  /// Changes that are not saved keep their models in memory, and batches come from the store. So it is an
  /// error where there are any that the descriptor means, and where `block` has left some at the end of a
  /// batch, unless `allowEscapingMutations` says that they are meant: then unsaved changes count, and where
  /// there are any at the beginning, all models are fetched at once.
  public func enumerate<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (T) throws -> Void
  ) throws {
    if allowEscapingMutations {
      if descriptor.includePendingChanges, try part(of: T.self).hasChanges {
        return try fetch(descriptor).forEach(block)
      }
      return try enumerateStored(descriptor, batchSize, block)
    }
    try refusePending(descriptor, try part(of: T.self))
    // What was changed before did not escape from here.
    let isGuarded = !hasChanges
    var count = 0
    try enumerateStored(descriptor, batchSize) { model in
      try block(model)
      count += 1
      if isGuarded && count.isMultiple(of: max(1, batchSize)) { try refuseEscaped(T.self) }
    }
    if isGuarded { try refuseEscaped(T.self) }
  }

  private func enumerateStored<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ batchSize: Int, _ block: (T) throws -> Void
  ) throws {
    var descriptor = descriptor
    descriptor.includePendingChanges = false
    let part = try part(askedFor: descriptor)
    let plan = try DescriptorPlan(descriptor, core)
    guard plan.isWhole else {
      // What SQL cannot ask is asked of all models, so that they are in memory together.
      return try models(plan, part).forEach(block)
    }
    try part.enumerate(plan.request, batchSize: batchSize) { try block($0.model(as: T.self)) }
  }

  private func refuseEscaped<T: PersistentModel>(_: T.Type) throws {
    guard hasChanges else { return }
    throw StoreError(
      .invalidFetch, T._$plan.entityName,
      "was enumerated with changes that are not saved, which keep their models in memory",
      fix: "save before a batch ends, or say allowEscapingMutations: true")
  }
}

extension ModelContext {
  /// Runs `body` in one read transaction: all that it reads is of one moment, and reading many models one
  /// by one costs less than half.
  ///
  /// A save within `body` is not seen by what it reads afterwards, but in stores in memory.
  public func reading<Result>(_ body: () throws -> Result) throws -> Result {
    // What is in memory of another's store has no moments: it is brought up to date by each fetch.
    try reading(allParts.filter { !isForeign($0) }[...], body)
  }

  private func reading<Result>(
    _ parts: ArraySlice<ObjectStore.ModelContext>, _ body: () throws -> Result
  ) throws -> Result {
    guard let first = parts.first else { return try body() }
    return try first.reading { try reading(parts.dropFirst(), body) }
  }
}

/// What of a descriptor the store does, and what is left to do in memory.
struct DescriptorPlan<T: PersistentModel> {
  private let descriptor: FetchDescriptor<T>
  /// What the store is asked for.
  private(set) var request: FetchRequest
  /// Whether the store does all of the predicate.
  let isTranslated: Bool
  /// Whether the store does all of the order.
  let isSorted: Bool

  /// Whether nothing is left to do.
  var isWhole: Bool { isTranslated && isSorted }

  /// Reads a descriptor for a container, whose names of models of others' stores are meant.
  init(_ descriptor: FetchDescriptor<T>, _ core: ContainerCore? = nil) throws {
    self.descriptor = descriptor
    let names = ModelNames()
    let translation = ForeignBridge.naming(core) {
      descriptor.predicate.map { QueryTranslation($0, names: names) }
    }
    isTranslated = translation?.isComplete ?? true
    let sorts = try? descriptor.sortBy.map { try QuerySort($0, names: SortNames()) }
    isSorted = sorts != nil
    if !isSorted { try ForcedPaths.refuse(descriptor.sortBy) }
    request = FetchRequest(
      T._$plan.entityName, where: translation?.expression, sort: sorts ?? [])
    request.includesPendingChanges = descriptor.includePendingChanges
    if isTranslated && isSorted {
      request.limit = descriptor.fetchLimit.map { max(0, $0) }
      request.offset = max(0, descriptor.fetchOffset ?? 0)
    }
    request.propertiesToFetch = try descriptor.propertiesToFetch.flatMap(Self.attributeNames)
    request.relationshipsToPrefetch = try descriptor.relationshipKeyPathsForPrefetching.map(
      Self.name)
  }

  /// Does what the store has left.
  func finish(_ models: [T]) throws -> [T] {
    var found = models
    if !isTranslated, let predicate = descriptor.predicate {
      found = try found.checked(by: predicate, T._$plan.entityName)
    }
    if !isSorted { found.sort(using: descriptor.sortBy) }
    let rest = found.dropFirst(max(0, descriptor.fetchOffset ?? 0))
    return Array(rest.prefix(descriptor.fetchLimit.map { max(0, $0) } ?? .max))
  }

  private static func name(_ path: PartialKeyPath<T>) throws(StoreError) -> String {
    if let property = ModelNames.property(of: path) { return property.name }
    throw StoreError(
      .unknownProperty, "\(T._$plan.entityName), \(path)",
      "leads to no property that is kept", fix: "name a stored property")
  }

  /// The names of a property's columns, one also where it is a relationship.
  static func columnNames(_ path: PartialKeyPath<T>) throws(StoreError) -> [String] {
    let names = try attributeNames(path)
    return names.isEmpty ? [try name(path)] : names
  }

  /// The names of a property's columns.
  private static func attributeNames(_ path: PartialKeyPath<T>) throws(StoreError) -> [String] {
    let name = try name(path)
    let slots = T._$plan.layout.slots.filter { $0.attribute != nil }.map(\.name)
    return slots.filter { $0 == name || $0.hasPrefix(name + ".") }
  }
}
