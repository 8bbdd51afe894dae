import SQLiteDriver

/// The statements that write objects, prepared once for the connection that writes.
final class WriterStatements {
  private let connection: Connection
  private var inserts: [Int: Statement] = [:]
  private var deletes: [Int: Statement] = [:]
  private var updates: [UpdateKey: Statement] = [:]

  private struct UpdateKey: Hashable {
    var entity: Int
    var slots: [Int]
  }

  /// How many forms of updates are kept; an entity has one for each set of properties that change
  /// together.
  static let updatesMax = 256

  init(_ connection: Connection) { self.connection = connection }

  func insert(_ entity: EntityLayout, _ sql: EntitySQL) throws(SQLiteError) -> Statement {
    if let known = inserts[entity.index] { return known }
    let statement = try connection.prepare(sql.insert)
    inserts[entity.index] = statement
    return statement
  }

  func delete(_ entity: EntityLayout, _ sql: EntitySQL) throws(SQLiteError) -> Statement {
    if let known = deletes[entity.index] { return known }
    let statement = try connection.prepare(sql.delete)
    deletes[entity.index] = statement
    return statement
  }

  func update(_ entity: EntityLayout, _ slots: [Int], _ sql: EntitySQL) throws(SQLiteError)
    -> Statement
  {
    let key = UpdateKey(entity: entity.index, slots: slots)
    if let known = updates[key] { return known }
    let statement = try connection.prepare(sql.update(slots))
    if updates.count >= Self.updatesMax { updates.removeAll() }
    updates[key] = statement
    return statement
  }
}
