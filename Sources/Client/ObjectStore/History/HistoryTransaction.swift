public import DataModel
public import FoundationEssentials

/// What was committed together.
public struct HistoryTransaction: Sendable, Hashable, Identifiable {
  /// The store that it was committed to.
  public let store: UUID
  /// Its number: one more than that of the transaction before it.
  public let number: Int64
  /// When it was begun, by the clock of the process that made it.
  public let time: Date
  /// Who made it, as the program said.
  public let author: String?
  /// The program that made it.
  public let process: String?
  /// How many changes it has, whatever was asked for.
  public let changeCount: Int64
  /// The changes that were asked for.
  public internal(set) var changes: [HistoryChange]
  /// Whether the next page goes on with this transaction; see `Store.forEachHistoryPage`.
  public internal(set) var isContinued = false

  /// What tells it from others.
  public var id: Int64 { number }
  /// The place behind the transaction.
  public var token: HistoryToken { HistoryToken(store: store, transaction: number) }
}

/// What was done to one object.
public struct HistoryChange: Sendable, Hashable, Identifiable {
  /// Its number in the store: later changes have higher ones, and none is given twice.
  public let number: Int64
  /// The number of the transaction that it belongs to.
  public let transaction: Int64
  /// What was done.
  public let kind: ChangeKind
  /// The object's entity.
  public let entity: HistoryName
  /// The store of the object.
  public let store: UUID
  /// The object's key.
  public let key: Int64
  /// The properties that an update changed.
  public let updatedProperties: [HistoryName]
  /// What is kept of a deleted object; nil unless it is a deletion.
  public let tombstone: HistoryTombstone?

  /// What tells it from others.
  public var id: Int64 { number }
  /// The object that was changed.
  public var identity: ObjectIdentity {
    ObjectIdentity(store: store, entity: entity.name, key: key)
  }
}

/// An entity or a property as history names it: by a number that outlives renaming and removal.
public struct HistoryName: Sendable, Hashable {
  /// The number in the store's catalogue.
  public let number: Int
  /// The name that it has now, or had last.
  public let name: String
  /// Whether the store's schema still has it.
  public let isLive: Bool
}

/// What is kept of an object that was deleted.
public struct HistoryTombstone: Sendable, Hashable {
  /// The object that was deleted.
  public let identity: ObjectIdentity
  /// The values of the attributes that are marked to be preserved, by the names of the properties.
  public let values: [String: FieldValue]

  /// The preserved value of a property; nil where there is none.
  public subscript(property: String) -> FieldValue? { values[property] }
}

/// How much history there is for a request.
public struct HistoryCount: Sendable, Hashable {
  /// The transactions that have such changes.
  public var transactions: Int64
  /// The changes.
  public var changes: Int64
}
