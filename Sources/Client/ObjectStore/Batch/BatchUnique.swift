import SQLiteDriver

/// Finds objects by what is unique about them, for many rows of one entity.
final class BatchUnique {
  private let layout: EntityLayout
  private let constraints: [(constraint: UniqueConstraint, statement: Statement)]

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
    var constraints: [(constraint: UniqueConstraint, statement: Statement)] = []
    for constraint in layout.uniqueness {
      let equality = constraint.equality(2) { "t0.\(quoted(layout.slots[$0].column ?? ""))" }
      constraints.append(
        (
          constraint,
          try transaction.connection.prepare(
            """
            SELECT t0._id, \(layout.entityNumber("t0")) FROM \(quoted(layout.table)) AS t0 \
            WHERE \(equality) AND t0._id <> ?1 LIMIT 1
            """)
        ))
    }
    self.constraints = constraints
  }

  /// The object that has what is unique about a new row.
  func match(_ row: Row) throws(SQLiteError) -> Found {
    var found: Match?
    for (constraint, statement) in constraints {
      guard let match = try find(row, constraint, statement, otherThan: 0) else { continue }
      if let found, found.key != match.key { return .several }
      found = match
    }
    return found.map { .one($0) } ?? .nothing
  }

  /// Whether an object but that with `key` has one of the changed values that are unique.
  func isTaken(_ row: Row, _ changed: [Int], otherThan key: Int64) throws(SQLiteError) -> Bool {
    for (constraint, statement) in constraints
    where constraint.slots.contains(where: changed.contains) {
      if try find(row, constraint, statement, otherThan: key) != nil { return true }
    }
    return false
  }

  private func find(
    _ row: Row, _ constraint: UniqueConstraint, _ statement: Statement, otherThan key: Int64
  ) throws(SQLiteError) -> Match? {
    guard constraint.isWhole(in: row) else { return nil }
    defer { statement.reset() }
    statement.bind(1, key)
    for (index, slot) in constraint.slots.enumerated() {
      row.bind(slot, layout, to: statement, at: Int32(index + 2))
    }
    guard try statement.step() else { return nil }
    return Match(key: statement.integer(0), entity: Int(clamping: statement.integer(1)))
  }
}
