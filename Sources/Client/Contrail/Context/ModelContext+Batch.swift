import DataModel
public import Foundation
public import ObjectStore
import PredicateSQL

extension ModelContext {
  /// Inserts models that are in no context, straight into the store and in one transaction; returns how many
  /// objects were inserted or updated.
  ///
  /// The models do not pass through the context, so that a million of them, made one after the other, cost
  /// little more than the store's own work:
  ///
  /// ```swift
  /// try context.insertBatch(features.lazy.map { Quake($0) })
  /// ```
  ///
  /// The store's contexts and history are told as of a save. Where a model has what is unique about an object
  /// that the store has, it updates that object, or with `unique` as `strict` is a failure. Every model is
  /// validated; where one fails, the error names all that do, and nothing is written. Models that are related
  /// to others are refused: insert those and save.
  @discardableResult
  public func insertBatch<T: PersistentModel>(
    _ models: some Sequence<T>, unique: UniquePolicy = .upsert
  ) throws -> Int {
    let part = try part(of: T.self)
    if isForeign(part) { return try insertAll(models) }
    var rest = models.makeIterator()
    let result = try part.store.insertBatch(
      T.self, author: author, unique: unique, result: .count
    ) { row in
      guard let model = rest.next() else { return false }
      row.take(model.managedObject)
      return true
    }
    return result.count ?? 0
  }

  /// Sets a property of all models that `predicate` is true of, straight in the store and in one
  /// transaction; returns how many were changed.
  ///
  /// ```swift
  /// try context.updateBatch(Country.self, where: #Predicate { $0.isVisited }, set: \.isVisited, to: false)
  /// ```
  ///
  /// The store's contexts and history are told as of a save. Changes that are not saved do not count.
  @discardableResult
  public func updateBatch<T: PersistentModel, Value>(
    _ type: T.Type, where predicate: Predicate<T>? = nil, set property: KeyPath<T, Value>,
    to value: Value, includeSubclasses: Bool = true
  ) throws -> Int {
    let part = try part(of: type)
    if isForeign(part) {
      return try updateAll(type, predicate, property, value, includeSubclasses)
    }
    let translation = predicate.map { QueryTranslation($0, names: ModelNames()) }
    if let problem = translation?.problems.first { throw StoreError(problem, T._$plan.entityName) }
    guard let name = ModelNames().propertyName(of: property), !name.isEmpty,
      let stored = FieldValue(captured: value)
    else { throw Self.unsettable(property) }
    let result = try part.store.updateBatch(
      T._$plan.entityName, where: translation?.expression, set: [name: .literal(stored)],
      includesSubentities: includeSubclasses, author: author, result: .count)
    return result.count ?? 0
  }

  private static func unsettable<T: PersistentModel>(_ property: PartialKeyPath<T>) -> StoreError {
    StoreError(
      .unknownProperty, "\(T._$plan.entityName), \(property)",
      "is no property that a batch can set", fix: "name an attribute with a column of its own")
  }

  /// Another's store is told of each model.
  private func updateAll<T: PersistentModel, Value>(
    _ type: T.Type, _ predicate: Predicate<T>?, _ property: KeyPath<T, Value>, _ value: Value,
    _ includeSubclasses: Bool
  ) throws -> Int {
    guard let property = property as? ReferenceWritableKeyPath<T, Value> else {
      throw Self.unsettable(property)
    }
    var stored = FetchDescriptor(predicate: predicate)
    stored.includePendingChanges = false
    let found = try fetch(stored).filter { includeSubclasses || Swift.type(of: $0) == type }
    for model in found { model[keyPath: property] = value }
    try save()
    return found.count
  }

  /// Another's store is told of each model.
  private func insertAll<T: PersistentModel>(_ models: some Sequence<T>) throws -> Int {
    var count = 0
    for model in models {
      insert(model)
      count += 1
    }
    try save()
    return count
  }
}

extension ModelContext {
  /// What becomes of a new model that has what is unique about another.
  public typealias UniquePolicy = ObjectStore.UniquePolicy

  /// What becomes of a new model that has what is unique about another: at first, that it updates the other.
  public var uniquePolicy: UniquePolicy {
    get { settings.uniquePolicy }
    set {
      settings.uniquePolicy = newValue
      for part in madeParts { part.uniquePolicy = newValue }
    }
  }
}
