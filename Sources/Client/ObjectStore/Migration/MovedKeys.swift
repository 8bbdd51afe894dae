import SQLiteDriver

/// The keys of objects that moved to a table where others may have had them, so that an identity from
/// before still leads to its object.
struct MovedKeys: Sendable {
  /// By an entity's number: below which key, and by how much, in order.
  private var shifts: [Int: [Int64]] = [:]

  static func read(_ connection: Connection) throws(SQLiteError) -> MovedKeys {
    var moved = MovedKeys()
    let statement = try connection.prepare(
      "SELECT entity, shift FROM contrail_moved ORDER BY number")
    while try statement.step() {
      moved.shifts[Int(clamping: statement.integer(0)), default: []].append(statement.integer(1))
    }
    return moved
  }

  /// The key that an object of the entity with that number has now.
  ///
  /// A shift is beyond every key that the entity had, so that a lower key is one from before.
  func current(_ entity: Int, _ key: Int64) -> Int64 {
    (shifts[entity] ?? []).reduce(key) { $0 < $1 ? $0 + $1 : $0 }
  }
}
