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

/// Holds what is saved against the unique constraints. A value that is missing equals no other.
struct UniqueCheck {
  let transaction: WriteTransaction

  init(_ transaction: WriteTransaction) { self.transaction = transaction }

  /// The object in the store that has what is unique about `object`.
  func existing(_ object: ManagedObject) throws -> Saving.Upsert? {
    for constraint in object.layout.uniqueness {
      if let found = try find(object, constraint, other: 0) { return found }
    }
    return nil
  }

  /// Throws for all objects that share what is unique.
  func check(_ inserted: [ManagedObject], _ updated: [ManagedObject]) throws {
    var failures: [StoreError] = []
    for (objects, isNew) in [(inserted, true), (updated, false)] {
      for object in objects where !object.layout.uniqueness.isEmpty {
        for constraint in object.layout.uniqueness
        where isNew || constraint.contains(where: object.changed.contains) {
          guard try find(object, constraint, other: object.key) != nil else { continue }
          failures.append(failure(object, constraint))
        }
      }
    }
    guard let first = failures.first else { return }
    throw failures.count == 1
      ? first
      : StoreError(
        .notUnique, "save", "\(failures.count) values are taken", failures: failures)
  }

  private func find(
    _ object: ManagedObject, _ constraint: [Int], other: Int64
  ) throws(SQLiteError) -> Saving.Upsert? {
    guard let row = object.row, constraint.allSatisfy(row.isPresent) else { return nil }
    let layout = object.layout
    let terms = constraint.enumerated().map { index, slot in
      "\(quoted(layout.slots[slot].column ?? "")) = ?\(index + 2)"
    }
    let statement = try transaction.connection.statement(
      """
      SELECT _id, _version FROM \(quoted(layout.table)) \
      WHERE \(terms.joined(separator: " AND ")) AND _id <> ?1 LIMIT 1
      """)
    defer { statement.reset() }
    statement.bind(1, other)
    for (index, slot) in constraint.enumerated() {
      row.bind(slot, layout, to: statement, at: Int32(index + 2))
    }
    guard try statement.step() else { return nil }
    return Saving.Upsert(key: statement.integer(0), version: statement.integer(1))
  }

  private func failure(_ object: ManagedObject, _ constraint: [Int]) -> StoreError {
    let layout = object.layout
    let values = constraint.map { slot in
      "\(layout.slots[slot].name) \(object.row?.value(slot, layout).shown ?? "")"
    }
    return StoreError(
      .notUnique, layout.name, "another object has \(values.joined(separator: ", "))",
      fix: "change the value, or update the object that has it")
  }
}
