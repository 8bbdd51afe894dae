public import Foundation

/// Which models to fetch, and how.
///
/// ```swift
/// var descriptor = FetchDescriptor<Trip>(
///   predicate: #Predicate { $0.name.contains("Rome") }, sortBy: [SortDescriptor(\.start)])
/// descriptor.fetchLimit = 10
/// ```
///
/// Unchecked: a key path does not say that it is Sendable; these lead to properties and hold nothing.
public struct FetchDescriptor<T: PersistentModel>: @unchecked Sendable {
  /// What must be true of a model; nil for all.
  public var predicate: Predicate<T>?
  /// The order, the most important first.
  public var sortBy: [SortDescriptor<T>]
  /// The most models to fetch; nil for no limit.
  public var fetchLimit: Int?
  /// How many models to pass over.
  public var fetchOffset: Int?
  /// Whether changes that are not saved yet count.
  public var includePendingChanges = true
  /// The attributes that are read at once; empty for all.
  ///
  /// The others are read when they are needed.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// Relationships whose models are read at once.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

  /// Asks for the models that `predicate` is true of.
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

extension FetchDescriptor: Equatable {
  /// Whether both ask for the same; predicates are the same when they say the same of the same values.
  public static func == (first: FetchDescriptor, second: FetchDescriptor) -> Bool {
    first.sortBy == second.sortBy && first.fetchLimit == second.fetchLimit
      && first.fetchOffset == second.fetchOffset
      && first.includePendingChanges == second.includePendingChanges
      && first.propertiesToFetch == second.propertiesToFetch
      && first.relationshipKeyPathsForPrefetching == second.relationshipKeyPathsForPrefetching
      && isSame(first.predicate, second.predicate)
  }

  private static func isSame(_ first: Predicate<T>?, _ second: Predicate<T>?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return "\(first)" == "\(second)"
  }
}
