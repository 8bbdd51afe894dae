import CSQLite

extension Connection {
  /// The statement with the text `sql`, prepared at its first use and ready to be bound.
  ///
  /// A caller that is in the middle of a statement keeps it to itself: a second caller of the same text
  /// gets a second statement.
  public func statement(_ sql: String) throws(SQLiteError) -> Statement {
    uses += 1
    if let place = statements.index(forKey: sql) {
      // What nobody else holds cannot be in use, even if it was left before its last row.
      let isHeld = !isKnownUniquelyReferenced(&statements.values[place])
      let kept = statements.values[place]
      if isHeld && kept.isInUse { return try Statement(sql, on: database, isKept: true) }
      if kept.isInUse { kept.reset() }
      kept.lastUse = uses
      return kept
    }
    let prepared = try Statement(sql, on: database, isKept: true)
    if statements.count >= Self.statementsMax { forgetLeastUsed() }
    prepared.lastUse = uses
    statements[sql] = prepared
    return prepared
  }

  /// Drops the reference alone: a caller that still holds the statement may go on with it.
  private func forgetLeastUsed() {
    guard let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    statements.removeValue(forKey: oldest.key)
  }

  /// Prepares `sql` for one use.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, on: database, isKept: false)
  }

  /// Runs one statement or several, without values and without results.
  public func execute(_ sql: String) throws(SQLiteError) {
    let handle = try database.opened()
    if sql.utf8.contains(0) { throw .misuse("the text holds a zero byte", sql: sql) }
    if database.isWatched {
      try database.meetFault(.execute, sql: sql)
      let debt = database.settle()
      if debt != SQLITE_OK { throw failure(debt, sql: sql) }
      database.watch?.begin(nil)
    }
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    defer { if database.isWatched { database.deliverReports() } }
    if code == SQLITE_OK { return }
    let error = failure(code, sql: sql)
    database.noticeRollback()
    throw error
  }

  /// Forgets the prepared statements, so that none holds on to tables that are to change.
  ///
  /// Those that are still held fail with `misuse` from now on; what `prepare(_:)` made stays.
  public func forgetStatements() {
    statements = [:]
    controls = ControlStatements()
    database.invalidate { $0.isKept }
  }
}
