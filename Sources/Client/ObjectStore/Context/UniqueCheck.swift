import DataModel
import SQLiteDriver

/// What a save does with a new object whose values a unique constraint reserves for one that the store
/// has.
public enum UniquePolicy: Sendable, Hashable {
  /// The object that the store has gets the new one's values and keeps its identity.
  case upsert
  /// Nothing is saved, and the error names the constraint.
  case strict
}

/// Holds what is saved against the unique constraints.
struct UniqueCheck {
  let transaction: WriteTransaction

  init(_ transaction: WriteTransaction) { self.transaction = transaction }

  /// Throws for all objects that share what is unique.
  func check(_ inserted: [ManagedObject], _ updated: [ManagedObject]) throws {
    var failures: [StoreError] = []
    for (objects, isNew) in [(inserted, true), (updated, false)] {
      for object in objects where !object.layout.uniqueness.isEmpty {
        for constraint in object.layout.uniqueness
        where isNew || constraint.slots.contains(where: object.changed.contains) {
          guard try find(object, constraint, other: object.key) else { continue }
          failures.append(failure(object, constraint))
        }
      }
    }
    guard let first = failures.first else { return }
    throw failures.count == 1
      ? first
      : StoreError(
        .notUnique, "save", "\(counted(failures.count, "value")) taken already", failures: failures)
  }

  private func find(
    _ object: ManagedObject, _ constraint: UniqueConstraint, other: Int64
  ) throws(SQLiteError) -> Bool {
    var isTaken = false
    try transaction.rows(of: object, sharing: constraint) { key, _ in
      isTaken = key != other
      return !isTaken
    }
    return isTaken
  }

  private func failure(_ object: ManagedObject, _ constraint: UniqueConstraint) -> StoreError {
    let layout = object.layout
    let values = constraint.slots.map { slot in
      "\(layout.slots[slot].name) \(object.row?.value(slot, layout).shown ?? "")"
    }
    return StoreError(
      .notUnique, layout.name, "another object has \(values.joined(separator: ", "))",
      fix: "change the value, or update the object that has it")
  }
}

/// Finds the objects that new ones are written over: those that have what is unique about them, in the
/// store or among those inserted before in the same save.
struct UpsertSearch {
  private let transaction: WriteTransaction
  /// Objects that will not have in the end what the store's rows say now.
  private var leaving: [Int: Set<Int64>] = [:]
  private var changing: [Int: [Int64: SlotSet]] = [:]
  private var known: [Values: Int64] = [:]

  /// What is unique about an object: which constraint of which entity, and the values.
  private struct Values: Hashable {
    var entity: Int
    var constraint: [Int]
    var bytes: [[UInt8]]
  }

  init(_ transaction: WriteTransaction, updated: [ManagedObject], deleted: [ManagedObject]) {
    self.transaction = transaction
    for object in deleted { leaving[object.layout.root, default: []].insert(object.key) }
    for object in updated where !object.layout.uniqueness.isEmpty {
      changing[object.layout.root, default: [:]][object.key] = object.changed
    }
  }

  /// The key of the object of the same entity that has what is unique about `object`.
  func existing(_ object: ManagedObject) throws -> Int64? {
    let layout = object.layout
    for constraint in layout.uniqueness {
      if let values = Self.values(object, constraint), let key = known[values] { return key }
      var found: Int64?
      try transaction.rows(of: object, sharing: constraint) { key, entity in
        if leaving[layout.root]?.contains(key) == true { return true }
        if let changed = changing[layout.root]?[key],
          constraint.slots.contains(where: changed.contains)
        {
          return true
        }
        // An object does not become one of another entity: that is a failure, found at the end.
        if entity == nil || entity == Int64(layout.number) { found = key }
        return false
      }
      if let found { return found }
    }
    return nil
  }

  /// Notes an object that got a key of its own.
  mutating func note(_ object: ManagedObject) {
    for constraint in object.layout.uniqueness {
      if let values = Self.values(object, constraint) { known[values] = object.key }
    }
  }

  private static func values(_ object: ManagedObject, _ constraint: UniqueConstraint) -> Values? {
    guard let row = object.row, constraint.isWhole(in: row) else { return nil }
    let layout = object.layout
    let bytes = constraint.slots.map { slot in
      if layout.slots[slot].kind == .reference {
        let reference = row.reference(slot, layout)
        return Array("\(reference.object?.key ?? reference.key)".utf8)
      }
      var bytes: [UInt8] = []
      TombstoneValue.append(slot, row.value(slot, layout), to: &bytes)
      return bytes
    }
    return Values(entity: layout.index, constraint: constraint.slots, bytes: bytes)
  }
}

extension WriteTransaction {
  /// Calls `body` with key and entity of each row that has what is unique about an object, until it
  /// says false.
  fileprivate func rows(
    of object: ManagedObject, sharing constraint: UniqueConstraint,
    _ body: (Int64, Int64?) -> Bool
  ) throws(SQLiteError) {
    guard let row = object.row, constraint.isWhole(in: row) else { return }
    let layout = object.layout
    let equality = constraint.equality(1) { quoted(layout.slots[$0].column ?? "") }
    let entity = layout.sharesTable ? SystemColumn.entity : "NULL"
    let statement = try connection.statement(
      """
      SELECT _id, \(entity) FROM \(quoted(layout.table)) WHERE \(equality)
      """)
    defer { statement.reset() }
    for (index, slot) in constraint.slots.enumerated() {
      row.bind(slot, layout, to: statement, at: Int32(index + 1))
    }
    while try statement.step() {
      guard body(statement.integer(0), layout.sharesTable ? statement.integer(1) : nil) else {
        return
      }
    }
  }
}
