import DataModel
import ObjectStore
import SQLiteDriver

// A migration that joins tables gives objects other keys: their records go with them.
extension SyncSetup {
  /// Follows objects whose keys were shifted since this was done last.
  static func followMoved(_ rows: SyncRows, _ objects: ObjectRecords) throws {
    let moves = try rows.moves(after: rows.integer(.moved) ?? 0)
    guard let last = moves.last else { return }
    for move in moves {
      try rows.run(
        "UPDATE contrail_sync_record SET key = key + ?2 WHERE owner = ?1", move.entity, move.shift)
      try rows.run(
        """
        UPDATE contrail_sync_backfill SET next = next + ?2, last = last + ?2 WHERE entity = ?1
        """, move.entity, move.shift)
    }
    try renewPairs(rows, objects)
    try rows.set(.moved, last.number)
  }

  /// Finds the pairs of records anew: a pair's name follows from those of its ends.
  private static func renewPairs(_ rows: SyncRows, _ objects: ObjectRecords) throws {
    let zones = try rows.zones()
    let local = LocalRecords(rows, objects)
    try rows.connection.execute(
      "UPDATE contrail_sync_record SET owner = 0, key = 0, far = 0 WHERE owner < 0")
    for type in objects.edgeTypes {
      try type.forEachPair(in: rows.connection) { pair in
        guard let name = try local.record(of: pair, type)?.name.text else { return }
        for zone in zones {
          guard let record = try rows.record(named: name, zone: zone.number) else { continue }
          let owner = RecordRow.Owner.pair(
            property: type.number, source: pair.source.key, target: pair.target.key)
          try rows.setOwner(owner, of: record.number)
        }
      }
    }
  }
}

/// Objects of an entity whose keys a migration has shifted.
private struct Move {
  var number: Int64
  var entity: Int64
  var shift: Int64
}

extension SyncRows {
  /// The shifts of keys after the one with a number, in order.
  fileprivate func moves(after number: Int64) throws(SQLiteError) -> [Move] {
    let statement = try connection.statement(
      "SELECT number, entity, shift FROM contrail_moved WHERE number > ?1 ORDER BY number")
    defer { statement.reset() }
    statement.bind(1, number)
    var moves: [Move] = []
    while try statement.step() {
      moves.append(
        Move(
          number: statement.integer(0), entity: statement.integer(1), shift: statement.integer(2)))
    }
    return moves
  }

  /// The number of the last shift of keys; 0 for none.
  func lastMove() throws(SQLiteError) -> Int64 {
    try integer("SELECT max(number) FROM contrail_moved") ?? 0
  }
}
