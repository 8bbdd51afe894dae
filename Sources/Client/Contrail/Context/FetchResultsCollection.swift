import ObjectStore

/// What a fetch found, read batch by batch as it is looked at.
///
/// It keeps the models of one batch and drops them when another is looked at; those with changes, and those
/// that a program holds, stay as they are.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
  /// The first position.
  public let startIndex = 0
  /// The position behind the last.
  public let endIndex: Int
  private let element: (Int) -> Element

  init(_ found: some RandomAccessCollection<Element>) {
    endIndex = found.count
    element = { found[found.index(found.startIndex, offsetBy: $0)] }
  }

  /// The element at a position.
  public subscript(position: Int) -> Element { element(position) }
}

extension ModelContext {
  /// The models that a descriptor asks for, read `batchSize` at a time when they are looked at.
  ///
  /// Changes that are not saved yet cannot count: where there are any, the descriptor has to say so.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<T> {
    try refusePending(descriptor, try part(of: T.self))
    var descriptor = descriptor
    descriptor.includePendingChanges = false
    let part = try part(askedFor: descriptor)
    let plan = try DescriptorPlan(descriptor, core)
    guard plan.isWhole else { return FetchResultsCollection(try fetch(descriptor)) }
    return FetchResultsCollection(
      try part.models(plan.request, of: T.self, batchSize: batchSize))
  }

  /// The identifiers of the models that a descriptor asks for.
  ///
  /// They are small, and so are read at once whatever the size of a batch.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> {
    try refusePending(descriptor, try part(of: T.self))
    guard batchSize > 0 else {
      throw StoreError(
        .invalidFetch, T._$plan.entityName, "the batch size \(batchSize) is less than 1",
        fix: "ask for batches of 1 or more")
    }
    var descriptor = descriptor
    descriptor.includePendingChanges = false
    return FetchResultsCollection(try fetchIdentifiers(descriptor))
  }

  /// Throws where a descriptor means changes that batches cannot have.
  func refusePending<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ part: ObjectStore.ModelContext
  ) throws {
    guard descriptor.includePendingChanges, part.hasChanges else { return }
    throw SwiftDataError(
      SwiftDataError.includePendingChangesWithBatchSize.code, T._$plan.entityName,
      "has changes that are not saved, which batches cannot have",
      fix: "save first, or set includePendingChanges to false")
  }
}
