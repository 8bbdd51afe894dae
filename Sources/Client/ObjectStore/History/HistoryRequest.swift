public import DataModel
public import FoundationEssentials

/// Which part of a store's history is asked for; without conditions all that is kept.
///
/// ```swift
/// var request = HistoryRequest(after: .token(token))
/// request.excludedAuthors = ["sync"]
/// request.entities = ["LogEntry"]
/// for transaction in try store.history(request) { … }
/// ```
public struct HistoryRequest: Sendable, Hashable {
  /// A place in history, or a moment.
  public enum Place: Sendable, Hashable {
    /// Behind the transaction that the token stands for.
    case token(HistoryToken)
    /// The transactions whose time is later, or earlier; clocks may have been set back in between.
    /// Unlike a token, a date does not tell whether something behind it was purged.
    case date(Date)
    /// The transaction with that number.
    case transaction(Int64)
  }

  /// The order of the transactions; changes are always in the order in which they were made.
  public enum Order: Sendable, Hashable {
    case oldestFirst
    case newestFirst
  }

  /// Only what came after this place.
  public var after: Place?
  /// Only what came before this place.
  ///
  /// What a token stands behind came before it; a transaction did not come before itself.
  public var before: Place?
  /// Only transactions of these authors; nil for those of all, and of none.
  public var authors: Set<String>?
  /// No transactions of these authors.
  public var excludedAuthors: Set<String> = []
  /// Only changes to objects of these entities, and of those that inherit from them; nil for all.
  public var entities: Set<String>?
  /// Only changes of these kinds.
  public var kinds = Set(ChangeKind.allCases)
  /// Only changes to this object.
  public var object: ObjectIdentity?
  /// At most so many transactions; they are always whole.
  public var limit: Int?
  /// The order of the transactions.
  public var order = Order.oldestFirst

  /// Asks for what lies between two places.
  public init(after: Place? = nil, before: Place? = nil) {
    self.after = after
    self.before = before
  }
}
