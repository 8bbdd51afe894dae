import DataModel
import RecordServer
import SQLiteDriver

// Filling indexes.
extension SQLiteTransaction {
  func pendingIndexes() throws -> [PendingIndex] {
    let statement = try connection.statement(
      "SELECT type, field, indexes, has_values, position FROM index_pending")
    defer { statement.reset() }
    var pending: [PendingIndex] = []
    while try statement.step() {
      let key = IndexKey(
        type: statement.text(0), field: statement.text(1),
        index: RecordSchema.Indexes(rawValue: UInt8(clamping: statement.integer(2))))
      pending.append(
        PendingIndex(
          key, hasValues: statement.integer(3) != 0,
          position: UInt64(clamping: statement.integer(4))))
    }
    return pending
  }

  func setPendingIndex(_ key: IndexKey, _ pending: PendingIndex?) throws {
    try checkWriting()
    let statement = try connection.statement(
      pending == nil
        ? "DELETE FROM index_pending WHERE type = ?1 AND field = ?2 AND indexes = ?3"
        : "INSERT OR REPLACE INTO index_pending VALUES (?1, ?2, ?3, ?4, ?5)")
    statement.bind(1, key.type)
    statement.bind(2, key.field)
    statement.bind(3, Int64(key.index.rawValue))
    if let pending {
      statement.bind(4, Int64(pending.hasValues ? 1 : 0))
      statement.bind(5, Int64(clamping: pending.position))
    }
    try statement.run()
  }

  /// Records in the order of their numbers in the table, which only grow.
  func records(after position: UInt64, limit: Int) throws -> RecordBatch {
    let statement = try connection.statement(
      """
      SELECT \(SQLiteTransaction.recordColumns), number, zone FROM record WHERE number > ?1 \
      ORDER BY number LIMIT ?2
      """)
    defer { statement.reset() }
    statement.bind(1, Int64(clamping: position))
    statement.bind(2, Int64(max(1, limit)))
    var zones: [Int64: ZoneKey] = [:]
    var batch = RecordBatch([], position: position, isLast: true)
    var count = 0
    while try statement.step() {
      count += 1
      batch.position = UInt64(clamping: statement.integer(SQLiteTransaction.recordColumnCount))
      let number = statement.integer(SQLiteTransaction.recordColumnCount + 1)
      if let zone = try zones[number] ?? zoneKey(number) {
        zones[number] = zone
        batch.records.append(FoundRecord(zone, RecordRow(statement)))
      }
    }
    batch.isLast = count < max(1, limit)
    return batch
  }

  private func zoneKey(_ number: Int64) throws -> ZoneKey? {
    let statement = try connection.statement(
      "SELECT scope, owner, name FROM zone WHERE number = ?1")
    defer { statement.reset() }
    statement.bind(1, number)
    guard try statement.step(), let scope = DatabaseKey.Scope(rawValue: statement.text(0)) else {
      return nil
    }
    return ZoneKey(DatabaseKey(scope, owner: statement.text(1)), statement.text(2))
  }
}
