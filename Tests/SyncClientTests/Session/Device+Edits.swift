import ObjectStore
import Testing

extension Device {
  /// Edits the device's objects in one transaction.
  func edit(_ body: (ModelContext) throws -> Void) throws {
    let context = ModelContext(store)
    try body(context)
    try context.save()
  }

  /// Edits the first object of an entity.
  func edit(first entity: String, _ body: (ManagedObject) throws -> Void) throws {
    try edit { context in try body(context.first(entity)) }
  }
}

extension ModelContext {
  /// The first object of an entity.
  func first(_ entity: String) throws -> ManagedObject {
    try #require(try fetch(FetchRequest(entity)).first)
  }
}
