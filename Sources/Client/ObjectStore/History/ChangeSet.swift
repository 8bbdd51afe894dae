/// What one transaction changed, as the contexts that are open need to know it: entities by their
/// numbers, objects by their keys.
public struct ChangeSet: Sendable, Hashable {
  /// The transaction's number in history.
  public let transaction: Int64
  /// Who made it.
  public let author: String?
  /// Runs of inserted objects.
  public private(set) var insertedRuns: [Run] = []
  /// Updated objects with the numbers of the properties that changed.
  public private(set) var updates: [Update] = []
  /// Deleted objects.
  public private(set) var deletions: [Deletion] = []
  /// Whether what changed is not known one by one: everything has to be read again.
  public var isUnknown = false
  /// Where the transaction came from, as its reader sees it.
  public var origin = Origin.otherContext

  /// Where a transaction came from.
  public enum Origin: Sendable, Hashable {
    /// The context itself that tells of it.
    case thisContext
    /// Another context of this process, or a write that no context made.
    case otherContext
    /// Another process.
    case otherProcess
  }

  /// Objects that were inserted one after the other.
  public struct Run: Sendable, Hashable {
    /// The entity's number.
    public var entity: Int
    /// The key of the first object.
    public var firstKey: Int64
    /// How many objects there are.
    public var count: Int64
  }

  /// An object that was updated.
  public struct Update: Sendable, Hashable {
    /// The entity's number.
    public var entity: Int
    /// The object's key.
    public var key: Int64
    /// The numbers of the properties that changed.
    public var properties: [Int]
  }

  /// An object that was deleted.
  public struct Deletion: Sendable, Hashable {
    /// The entity's number.
    public var entity: Int
    /// The object's key.
    public var key: Int64
  }

  init(transaction: Int64, author: String?) {
    self.transaction = transaction
    self.author = author
  }

  mutating func inserted(_ entity: Int, _ key: Int64, _ count: Int64) {
    insertedRuns.append(Run(entity: entity, firstKey: key, count: count))
  }

  mutating func updated(_ entity: Int, _ key: Int64, _ properties: [Int]) {
    updates.append(Update(entity: entity, key: key, properties: properties))
  }

  mutating func deleted(_ entity: Int, _ key: Int64) {
    deletions.append(Deletion(entity: entity, key: key))
  }

  /// Whether nothing changed.
  public var isEmpty: Bool {
    insertedRuns.isEmpty && updates.isEmpty && deletions.isEmpty && !isUnknown
  }

  /// The numbers of the entities that have changes.
  public var entities: Set<Int> {
    Set(insertedRuns.map(\.entity)).union(updates.map(\.entity)).union(deletions.map(\.entity))
  }
}
