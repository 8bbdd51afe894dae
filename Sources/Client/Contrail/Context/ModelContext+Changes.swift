public import Foundation
import ObjectStore

extension ModelContext {
  /// Makes a model one to be inserted at the next save, and with it every new model that it is related to.
  public func insert<T: PersistentModel>(_ model: T) {
    keepingFailure {
      let object = model.managedObject
      if let owner = object.modelContext?.owner, owner !== self {
        throw StoreError(
          .otherContext, object.layout.name, "belongs to another context",
          fix: "fetch it in this context, by its persistentModelID")
      }
      try insert(object, model)
    }
  }

  /// The class of the model may be one that inherits from the one that is known here.
  private func insert(_ object: ManagedObject, _ model: some PersistentModel) throws(StoreError) {
    try part(of: Swift.type(of: model)).insert(object)
  }

  /// Marks a model to be deleted at the next save, and does to what it is related to what the delete rules
  /// say.
  public func delete<T: PersistentModel>(_ model: T) {
    keepingFailure {
      let object = model.managedObject
      // What was never inserted has nothing to be deleted from.
      guard let context = object.modelContext else { return }
      guard context.owner === self else {
        throw StoreError(
          .otherContext, object.layout.name, "belongs to another context",
          fix: "fetch it in this context, by its persistentModelID")
      }
      try context.delete(object)
    }
  }

  /// Deletes all models of a class that `predicate` is true of when the context is saved next.
  ///
  /// Until then nothing changes: a fetch still finds them, and `rollback()` forgets it.
  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws {
    let part = try part(of: model)
    if let bridge = bridge(of: part) {
      try deleteForeign(predicate, includeSubclasses, bridge)
    } else {
      try part.delete(model: model, where: predicate, includeSubclasses: includeSubclasses)
    }
  }

  /// Whether there is anything to save.
  public var hasChanges: Bool { madeParts.contains(where: \.hasChanges) }

  /// The models that the next save inserts.
  public var insertedModelsArray: [any PersistentModel] {
    madeParts.flatMap(\.insertedObjects).compactMap(model)
  }
  /// The models that the next save updates.
  public var changedModelsArray: [any PersistentModel] {
    madeParts.flatMap(\.updatedObjects).compactMap(model)
  }
  /// The models that the next save deletes.
  public var deletedModelsArray: [any PersistentModel] {
    madeParts.flatMap(\.deletedObjects).compactMap(model)
  }

  /// Writes all changes: those of each store in one transaction, one store after the other.
  ///
  /// What went wrong since the last save in calls that do not throw is thrown first, and nothing is
  /// written then. When it throws, the changes of the store that refused are still there.
  public func save() throws {
    try throwFailures()
    for part in madeParts where part.hasChanges {
      try part.save()
      // The store may have made something else of it.
      if isForeign(part) { part.receiveChanges() }
    }
  }

  /// Drops every change since the last save.
  public func rollback() {
    failures = []
    foreignDeletions = []
    for part in madeParts { part.rollback() }
  }

  /// Takes in what others have committed; changes of relationships need no processing.
  public func processPendingChanges() {
    for part in madeParts { part.receiveChanges() }
  }

  /// Runs `block` and saves what it changed; drops all changes when it throws.
  public func transaction(block: () throws -> Void) throws {
    do {
      try block()
    } catch {
      rollback()
      throw error
    }
    try save()
  }
}
