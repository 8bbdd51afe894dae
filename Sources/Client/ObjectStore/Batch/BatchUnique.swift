import SQLiteDriver

/// Finds objects by what is unique about them, for many rows of one entity.
final class BatchUnique {
  private let layout: EntityLayout
  private let constraints: [(slots: [Int], statement: Statement)]

  /// An object that the store has.
  struct Match {
    var key: Int64
    var entity: Int
  }

  /// What a row is equal to.
  enum Found {
    case nothing
    case one(Match)
    /// By different constraints, different objects.
    case several
  }

  init(_ layout: EntityLayout, _ transaction: WriteTransaction) throws(SQLiteError) {
    self.layout = layout
    var constraints: [(slots: [Int], statement: Statement)] = []
    for slots in layout.uniqueness {
      let terms = slots.enumerated().map { index, slot in
        "t0.\(quoted(layout.slots[slot].column ?? "")) = ?\(index + 2)"
      }
      constraints.append(
        (
          slots,
          try transaction.connection.prepare(
            """
            SELECT t0._id, \(layout.entityNumber("t0")) FROM \(quoted(layout.table)) AS t0 \
            WHERE \(terms.joined(separator: " AND ")) AND t0._id <> ?1 LIMIT 1
            """)
        ))
    }
    self.constraints = constraints
  }

  /// The object that has what is unique about a new row.
  func match(_ row: Row) throws(SQLiteError) -> Found {
    var found: Match?
    for (slots, statement) in constraints {
      guard let match = try find(row, slots, statement, otherThan: 0) else { continue }
      if let found, found.key != match.key { return .several }
      found = match
    }
    return found.map { .one($0) } ?? .nothing
  }

  /// Whether an object but that with `key` has one of the changed values that are unique.
  func isTaken(_ row: Row, _ changed: [Int], otherThan key: Int64) throws(SQLiteError) -> Bool {
    for (slots, statement) in constraints where slots.contains(where: changed.contains) {
      if try find(row, slots, statement, otherThan: key) != nil { return true }
    }
    return false
  }

  private func find(
    _ row: Row, _ slots: [Int], _ statement: Statement, otherThan key: Int64
  ) throws(SQLiteError) -> Match? {
    // A value that is missing equals no other.
    guard slots.allSatisfy(row.isPresent) else { return nil }
    defer { statement.reset() }
    statement.bind(1, key)
    for (index, slot) in slots.enumerated() {
      row.bind(slot, layout, to: statement, at: Int32(index + 2))
    }
    guard try statement.step() else { return nil }
    return Match(key: statement.integer(0), entity: Int(clamping: statement.integer(1)))
  }
}
