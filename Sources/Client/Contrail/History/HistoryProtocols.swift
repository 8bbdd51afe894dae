public import Foundation

/// Changes that were committed together.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
  /// The type of its place in history.
  associatedtype TokenType: Comparable & Hashable & Identifiable & Sendable
  /// The type of its number.
  associatedtype TransactionIdentifier: Hashable & Sendable
  /// When it was committed.
  var timestamp: Date { get }
  /// What it changed, in the order in which that was done.
  var changes: [HistoryChange] { get }
  /// Its place in history.
  var token: TokenType { get }
  /// Its number in its store.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The store.
  var storeIdentifier: String { get }
  /// Who made it.
  var author: String? { get }
}

/// A place in history.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
  /// What the place is told by.
  associatedtype TokenType: Codable & Hashable & Sendable
  /// What the place is told by.
  var tokenValue: TokenType? { get }
  /// The store whose history it is a place of; empty for a token that does not tell.
  var storeIdentifier: String { get }
}

extension HistoryToken {
  /// None is told.
  public var storeIdentifier: String { "" }
}

/// One change.
public enum HistoryChange: Sendable {
  /// A model was inserted.
  case insert(any HistoryInsert)
  /// A model was updated.
  case update(any HistoryUpdate)
  /// A model was deleted.
  case delete(any HistoryDelete)

  /// The model that was changed.
  public var changedPersistentIdentifier: PersistentIdentifier {
    switch self {
    case .insert(let change): change.changedPersistentIdentifier
    case .update(let change): change.changedPersistentIdentifier
    case .delete(let change): change.changedPersistentIdentifier
    }
  }
}

/// The insertion of a model.
public protocol HistoryInsert<Model>: Sendable {
  /// The model's class.
  associatedtype Model: PersistentModel
  /// The type of its number.
  associatedtype ChangeIdentifier: Comparable & Hashable & Sendable
  /// The type of its transaction's number.
  associatedtype TransactionIdentifier: Comparable & Hashable & Sendable
  /// Its number in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The number of its transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// A change of a model.
public protocol HistoryUpdate<Model>: Sendable {
  /// The model's class.
  associatedtype Model: PersistentModel
  /// The type of its number.
  associatedtype ChangeIdentifier: Comparable & Hashable & Sendable
  /// The type of its transaction's number.
  associatedtype TransactionIdentifier: Comparable & Hashable & Sendable
  /// Its number in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The number of its transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The properties that were changed; neither their old values nor their new ones.
  var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// The deletion of a model.
public protocol HistoryDelete<Model>: Sendable {
  /// The model's class.
  associatedtype Model: PersistentModel
  /// The type of its number.
  associatedtype ChangeIdentifier: Comparable & Hashable & Sendable
  /// The type of its transaction's number.
  associatedtype TransactionIdentifier: Comparable & Hashable & Sendable
  /// Its number in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The number of its transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// What is kept of the model's values.
  var tombstone: HistoryTombstone<Model> { get }
}

/// What is kept of a deleted model: the values of properties with `.preserveValueOnDeletion`.
public struct HistoryTombstone<Model: PersistentModel>: Sequence, Sendable {
  let values: [String: any Sendable]

  /// The value of a property.
  public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
    ModelNames.property(of: keyPath).flatMap { values[$0.name] }
  }

  /// The value of a property, by its type.
  public subscript<Value>(keyPath: KeyPath<Model, Value>) -> Value? {
    self[keyPath as PartialKeyPath<Model>] as? Value
  }

  /// Goes through the values.
  public func makeIterator() -> Dictionary<String, any Sendable>.Values.Iterator {
    values.values.makeIterator()
  }
}

/// Something that has a history.
public protocol HistoryProviding {
  /// The type of its transactions.
  associatedtype HistoryType: HistoryTransaction
  /// The type of its transactions.
  static var historyType: HistoryType.Type { get }
  /// The transactions that a descriptor asks for.
  func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
  /// Drops the transactions that a descriptor asks for.
  func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

/// Which transactions to fetch, and in which order.
public struct HistoryDescriptor<T: HistoryTransaction>: Sendable {
  /// What must be true of a transaction; nil for all.
  public var predicate: Predicate<T>?
  /// The most transactions to fetch; 0 for no limit.
  public var fetchLimit: UInt64 = 0
  /// The order; the order of the commits where there is none.
  public var sortBy: [SortDescriptor<T>]

  /// Asks for the transactions that `predicate` is true of.
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
