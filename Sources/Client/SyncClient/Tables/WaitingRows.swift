import SQLiteDriver

/// A to-one reference whose target is not here.
struct WaitingRow: Hashable {
  var record: Int64
  var field: String
  var target: String
}

extension SyncRows {
  func wait(_ row: WaitingRow) throws(SQLiteError) {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO contrail_sync_waiting (record, field, target) VALUES (?1, ?2, ?3)")
    statement.bind(1, row.record)
    statement.bind(2, row.field)
    statement.bind(3, row.target)
    try statement.run()
  }

  func deleteWaiting(record: Int64, field: String) throws(SQLiteError) {
    let statement = try connection.statement(
      "DELETE FROM contrail_sync_waiting WHERE record = ?1 AND field = ?2")
    statement.bind(1, record)
    statement.bind(2, field)
    try statement.run()
  }

  /// Forgets the references of a record that wait: its object goes.
  func deleteWaitingReferences(of record: Int64) throws(SQLiteError) {
    for row in try waiting(of: record) where row.isReference {
      try deleteWaiting(record: record, field: row.field)
    }
  }

  /// The references that wait for a record.
  func waiting(for target: String) throws(SQLiteError) -> [WaitingRow] {
    let statement = try connection.statement(
      "SELECT record, field, target FROM contrail_sync_waiting WHERE target = ?1")
    defer { statement.reset() }
    statement.bind(1, target)
    return try waiting(statement)
  }

  /// The references of a record that wait.
  func waiting(of record: Int64) throws(SQLiteError) -> [WaitingRow] {
    let statement = try connection.statement(
      "SELECT record, field, target FROM contrail_sync_waiting WHERE record = ?1")
    defer { statement.reset() }
    statement.bind(1, record)
    return try waiting(statement)
  }

  /// All references that wait.
  func allWaiting() throws(SQLiteError) -> [WaitingRow] {
    try waiting(
      try connection.statement(
        "SELECT record, field, target FROM contrail_sync_waiting ORDER BY record, field"))
  }

  private func waiting(_ statement: Statement) throws(SQLiteError) -> [WaitingRow] {
    var rows: [WaitingRow] = []
    while try statement.step() {
      rows.append(
        WaitingRow(
          record: statement.integer(0), field: statement.text(1), target: statement.text(2)))
    }
    return rows
  }
}
