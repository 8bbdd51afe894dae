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
    acts.append(.insert(uid: uid, entity: entity, device: device))
    return object
  }

  /// Writes a text that nobody has written before.
  func set(_ object: ManagedObject, _ field: String, _ value: String) throws {
    let edit = Ledger.Edit(value: value, device: device, replaced: try text(object, field))
    try object.setValue(field, .string(value))
    acts.append(.edit(Ledger.Place(uid: try uid(object), field: field), edit))
  }

  /// Writes bytes that nobody has written before, or takes them away; they begin with a line that tells.
  func setFile(_ object: ManagedObject, _ field: String, _ mark: String, byteCount: Int?) throws {
    let before = try PhotoMark(object.value(field))
    let edit = Ledger.Edit(
      value: byteCount == nil ? PhotoMark.none(mark) : mark, device: device, replaced: before?.text)
    try object.setValue(
      field, byteCount.map { .data(PhotoMark.bytes(mark, count: $0)) } ?? .null)
    acts.append(.file(Ledger.Place(uid: try uid(object), field: field), edit))
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

/// What tells the bytes of a photo from all others: their first line.
struct PhotoMark: Hashable {
  let text: String

  /// The mark of a value; nil where it is empty.
  init?(_ value: FieldValue) {
    guard case .data(let bytes) = value else { return nil }
    self.init(bytes)
  }

  init(_ bytes: [UInt8]) {
    text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Bytes with a mark.
  static func bytes(_ mark: String, count: Int) -> [UInt8] {
    Array("\(mark)\n".utf8) + [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: count)
  }

  /// What stands for a photo that was taken away.
  static func none(_ mark: String) -> String { "none \(mark)" }

  /// Whether a mark says that there is none.
  static func isNone(_ mark: String) -> Bool { mark.hasPrefix("none ") }
}
