public import PredicateSQL

/// Which objects to fetch, and how.
///
/// ```swift
/// var request = FetchRequest("LogEntry", where: .compare(.greater, .property("hours"), .literal(.double(2))))
/// request.sort = [QuerySort(.property("tailNumber"))]
/// let entries = try context.fetch(request)
/// ```
public struct FetchRequest: Sendable, Hashable {
  /// The entity of the objects.
  public var entity: String
  /// What must be true of an object; nil for all.
  public var filter: QueryExpression?
  /// The order of the objects, the most important first; what is equal in it comes by key.
  public var sort: [QuerySort]
  /// The most objects to fetch; nil for no limit.
  public var limit: Int?
  /// How many objects to pass over.
  public var offset = 0
  /// Whether objects of entities that inherit from `entity` are meant too.
  public var includesSubentities = true
  /// Whether changes that are not saved yet count.
  public var includesPendingChanges = true
  /// The attributes that are read at once; empty for all.
  ///
  /// The others are read when they are needed.
  public var propertiesToFetch: [String] = []
  /// Relationships whose objects are read at once, with one statement each.
  public var relationshipsToPrefetch: [String] = []

  /// Asks for the objects of `entity` that `filter` is true of.
  public init(_ entity: String, where filter: QueryExpression? = nil, sort: [QuerySort] = []) {
    self.entity = entity
    self.filter = filter
    self.sort = sort
  }
}
