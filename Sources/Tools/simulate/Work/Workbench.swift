import DataModel
import ObjectStore

/// One transaction of a worker: edits objects and notes down what was done.
final class Workbench {
  let context: ModelContext
  private let device: Int
  private(set) var acts: [Ledger.Act] = []

  init(_ context: ModelContext, device: Int) {
    self.context = context
    self.device = device
  }

  /// The objects of an entity that are not deleted, in a fixed order.
  func all(_ entity: String) throws -> [ManagedObject] {
    try context.fetch(FetchRequest(entity)).filter { !$0.isDeleted }
      .sorted { try uid($0).utf8.lexicographicallyPrecedes(uid($1).utf8) }
  }

  func uid(_ object: ManagedObject) throws -> String { try text(object, "uid") ?? "" }

  func insert(_ entity: String, _ uid: String) throws -> ManagedObject {
    let object = try context.insert(entity)
    try object.setValue("uid", .string(uid))
    acts.append(.insert(uid: uid, entity: entity))
    return object
  }

  /// Writes a text that nobody has written before.
  func set(_ object: ManagedObject, _ field: String, _ value: String) throws {
    let edit = Ledger.Edit(value: value, device: device, replaced: try text(object, field))
    try object.setValue(field, .string(value))
    acts.append(.edit(Ledger.Place(uid: try uid(object), field: field), edit))
  }

  func add(_ object: ManagedObject, _ field: String, _ added: Int64) throws {
    var sum = added
    if case .integer(let value) = try object.value(field) { sum += value }
    try object.setValue(field, .integer(sum))
    acts.append(.count(Ledger.Place(uid: try uid(object), field: field), added))
  }

  func delete(_ object: ManagedObject, _ uid: String) throws {
    try context.delete(object)
    acts.append(.delete(uid: uid))
  }

  private func text(_ object: ManagedObject, _ field: String) throws -> String? {
    if case .string(let text) = try object.value(field) { text } else { nil }
  }
}
