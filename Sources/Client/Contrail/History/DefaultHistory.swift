import DataModel
public import Foundation
import ObjectStore

/// A place in the history of each of a container's stores.
public struct DefaultHistoryToken: HistoryToken {
  /// Mostly there is one store, and each save makes a token.
  private enum Places: Hashable {
    case one(UUID, Int64)
    case several([String: Int64])
  }

  private let places: Places
  /// Whether it is of a transaction that a predicate is evaluated for.
  private var isAsked = false

  init(_ values: [String: Int64]) {
    if values.count == 1, let (name, number) = values.first, let store = UUID(uuidString: name),
      store.uuidString == name
    {
      places = .one(store, number)
    } else {
      places = .several(values)
    }
  }

  init(_ token: ObjectStore.HistoryToken) { places = .one(token.store, token.transaction) }

  /// The number of the last transaction of each store, by the store's identifier.
  public var tokenValue: [String: Int64]? {
    switch places {
    case .one(let store, let number): [store.uuidString: number]
    case .several(let values): values
    }
  }

  /// The store; of several the first, in the order of their names.
  public var storeIdentifier: String {
    switch places {
    case .one(let store, _): store.uuidString
    case .several(let values): values.keys.min() ?? ""
    }
  }

  /// The place itself.
  public var id: DefaultHistoryToken { self }

  /// It as a predicate has it of a transaction: behind each place that says nothing of the transaction's store.
  ///
  /// So `token > place` means all of what another store has, and `token < place` nothing of it.
  var asked: DefaultHistoryToken {
    var asked = self
    asked.isAsked = true
    return asked
  }

  /// Whether both are one place.
  public static func == (first: DefaultHistoryToken, second: DefaultHistoryToken) -> Bool {
    first.places == second.places
  }

  /// Feeds the place into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(places) }

  /// Whether it comes before another place in the stores that both name.
  public static func < (first: DefaultHistoryToken, second: DefaultHistoryToken) -> Bool {
    let (left, right) = (first.tokenValue ?? [:], second.tokenValue ?? [:])
    let shared = left.keys.filter { right[$0] != nil }
    guard !shared.isEmpty else {
      if first.isAsked != second.isAsked { return second.isAsked }
      // Of different stores neither comes first; to sort, an order that is always the same will do.
      return left.keys.sorted().joined() < right.keys.sorted().joined()
    }
    return shared.allSatisfy { (left[$0] ?? 0) <= (right[$0] ?? 0) }
      && shared.contains { (left[$0] ?? 0) < (right[$0] ?? 0) }
  }

  /// The place in one store.
  func place(in store: Store) -> ObjectStore.HistoryToken? {
    tokenValue?[store.identifier.uuidString].map {
      ObjectStore.HistoryToken(store: store.identifier, transaction: $0)
    }
  }
}

extension DefaultHistoryToken: Codable {
  private enum CodingKeys: String, CodingKey {
    case tokenValue
  }

  /// Reads what `encode` wrote.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try values.decodeIfPresent([String: Int64].self, forKey: .tokenValue) ?? [:])
  }

  /// Writes the number of the last transaction of each store.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(tokenValue, forKey: .tokenValue)
  }
}

/// Changes that were committed together in one of our stores.
public struct DefaultHistoryTransaction: HistoryTransaction {
  /// The number in its store.
  public let transactionIdentifier: Int64
  /// When it was committed.
  public let timestamp: Date
  /// What it changed, in the order in which that was done.
  public let changes: [HistoryChange]
  /// Its place in history.
  public private(set) var token: DefaultHistoryToken
  /// The store.
  public let storeIdentifier: String
  /// The program that made it.
  public let bundleIdentifier: String
  /// The program that made it.
  public let processIdentifier: String
  /// Who made it.
  public let author: String?

  /// The number in its store.
  public var id: Int64 { transactionIdentifier }

  /// It as a predicate is evaluated for it.
  var asked: DefaultHistoryTransaction {
    var asked = self
    asked.token = token.asked
    return asked
  }

  /// Whether both are the same transaction.
  public static func == (first: Self, second: Self) -> Bool { first.token == second.token }

  /// Feeds what tells transactions apart into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(token) }

  init(_ transaction: ObjectStore.HistoryTransaction, _ plans: [String: ModelPlan]) {
    transactionIdentifier = transaction.number
    timestamp = transaction.time
    token = DefaultHistoryToken(transaction.token)
    storeIdentifier = transaction.store.uuidString
    bundleIdentifier = transaction.process ?? ""
    processIdentifier = transaction.process ?? ""
    author = transaction.author
    changes = transaction.changes.compactMap { change in
      // What a class stands for no longer cannot be told.
      plans[change.entity.name].map { HistoryChange(change, $0) }
    }
  }
}

/// The insertion of a model in one of our stores.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
  /// The number in its store.
  public let changeIdentifier: Int64
  /// The number of its transaction.
  public let transactionIdentifier: Int64
  /// The model.
  public let changedPersistentIdentifier: PersistentIdentifier
}

/// What tells a change from others.
private struct ChangeKey: Hashable {
  var change: Int64
  var transaction: Int64
  var model: PersistentIdentifier
}

/// A change of a model in one of our stores.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
  /// A property that was changed.
  public typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  /// The number in its store.
  public let changeIdentifier: Int64
  /// The number of its transaction.
  public let transactionIdentifier: Int64
  /// The model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The properties that were changed and that the class declares itself; neither their old values nor their new ones.
  ///
  /// Key paths of inherited properties are the superclass's: `updatedPropertyNames` has these, too.
  public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]
  /// The names of all properties that were changed, inherited ones too, in the order of their names.
  public let updatedPropertyNames: [String]

  private var key: ChangeKey {
    ChangeKey(
      change: changeIdentifier, transaction: transactionIdentifier,
      model: changedPersistentIdentifier)
  }

  /// Whether both are the same change.
  public static func == (first: Self, second: Self) -> Bool { first.key == second.key }

  /// Feeds what tells changes apart into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The deletion of a model in one of our stores.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
  /// The number in its store.
  public let changeIdentifier: Int64
  /// The number of its transaction.
  public let transactionIdentifier: Int64
  /// The model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// What is kept of the model's values.
  public let tombstone: HistoryTombstone<Model>

  private var key: ChangeKey {
    ChangeKey(
      change: changeIdentifier, transaction: transactionIdentifier,
      model: changedPersistentIdentifier)
  }

  /// Whether both are the same change.
  public static func == (first: Self, second: Self) -> Bool { first.key == second.key }

  /// Feeds what tells changes apart into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension HistoryChange {
  init(_ change: ObjectStore.HistoryChange, _ plan: ModelPlan) {
    self = Self.typed(change, plan.type)
  }

  private static func typed<Model: PersistentModel>(
    _ change: ObjectStore.HistoryChange, _ type: Model.Type
  ) -> HistoryChange {
    let identifier = PersistentIdentifier(change.identity)
    switch change.kind {
    case .insert:
      return .insert(
        DefaultHistoryInsert<Model>(
          changeIdentifier: change.number, transactionIdentifier: change.transaction,
          changedPersistentIdentifier: identifier))
    case .update:
      let names = Set(change.updatedProperties.map { String($0.name.prefix { $0 != "." }) })
      return .update(
        DefaultHistoryUpdate<Model>(
          changeIdentifier: change.number, transactionIdentifier: change.transaction,
          changedPersistentIdentifier: identifier,
          updatedAttributes: paths(names), updatedPropertyNames: names.sorted()))
    case .delete:
      return .delete(
        DefaultHistoryDelete<Model>(
          changeIdentifier: change.number, transactionIdentifier: change.transaction,
          changedPersistentIdentifier: identifier,
          tombstone: HistoryTombstone(values: values(change.tombstone?.values ?? [:], type))))
    }
  }

  /// The key paths of properties; those of what is inherited are the ancestor's, and left out.
  private static func paths<Model: PersistentModel>(
    _ names: Set<String>
  ) -> [any PartialKeyPath<Model> & Sendable] {
    Model._$plan.properties.all.compactMap { property in
      guard names.contains(property.name),
        let path = property.keypath as? PartialKeyPath<Model>
      else { return nil }
      // A path to a stored property captures nothing; being Sendable has no part in its memory.
      return unsafeBitCast(path, to: (any PartialKeyPath<Model> & Sendable).self)
    }
  }

  private static func values<Model: PersistentModel>(
    _ values: [String: FieldValue], _ type: Model.Type
  ) -> [String: any Sendable] {
    let properties = Model._$plan.properties
    return Dictionary(
      values.compactMap { name, value in
        value.plain(as: properties.property(name)?.kind).map { (name, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }
}
