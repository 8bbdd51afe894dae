import CSQLite

extension Connection {
  /// When a transaction takes its locks.
  public enum TransactionKind: Hashable, Sendable {
    /// At the first read and the first write, where the latter may fail with `busy` at once.
    case deferred
    /// The write lock now, waiting as long as the busy timeout says.
    case immediate

    fileprivate var control: Control {
      switch self {
      case .deferred: .beginDeferred
      case .immediate: .beginImmediate
      }
    }
  }

  /// Runs `body` in a transaction, which is committed when it returns and rolled back when it throws.
  ///
  /// The error is always the first one: a rollback that fails is made up for before the next call.
  /// Where SQLite itself rolled back, as it may when a disk is full, `body` cannot go on as if nothing
  /// were: all that it does from then on fails with `abortedByRollback`.
  public func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try transaction(kind, failingAs: { $0 }, body)
  }

  /// Runs `body`, which has an error type of its own, in a transaction.
  public func transaction<Result, Failure: Error>(
    _ kind: TransactionKind = .immediate, failingAs failure: (SQLiteError) -> Failure,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try runBody(begin: kind.control, end: .commit, undo: rollBack, failingAs: failure, body)
  }

  /// Runs `body` in a part of the open transaction, which alone is undone when `body` throws.
  ///
  /// Without an open transaction it is one itself, a deferred one.
  public func savepoint<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError)
    -> Result
  {
    try savepoint(failingAs: { $0 }, body)
  }

  /// Runs `body`, which has an error type of its own, in a part of the open transaction.
  public func savepoint<Result, Failure: Error>(
    failingAs failure: (SQLiteError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do { try database.beginSavepoint() } catch { throw failure(error) }
    defer { database.endSavepoint() }
    return try runBody(
      begin: .beginPart, end: .endPart, undo: undoSavepoint, failingAs: failure, body)
  }

  private func runBody<Result, Failure: Error>(
    begin: Control, end: Control, undo: () -> Void,
    failingAs failure: (SQLiteError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do { try run(begin) } catch { throw failure(error) }
    database.noteEarlyWrites()
    database.runningBodies += 1
    let result: Result
    do {
      result = try body()
    } catch {
      database.runningBodies -= 1
      undo()
      throw error
    }
    database.runningBodies -= 1
    do { try finish(end) } catch {
      undo()
      throw failure(error)
    }
    return result
  }

  private func finish(_ end: Control) throws(SQLiteError) {
    if database.mustRollBack { throw self.failure(Self.abortedByRollback, sql: end.sql) }
    try run(end)
  }
}

extension Connection {
  static let abortedByRollback = SQLiteCode.abortedByRollback.rawValue

  func rollBack() { database.rollBack() }

  private func undoSavepoint() {
    // Some errors make SQLite roll back the whole transaction, savepoints and all:
    // https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
    database.noticeRollback()
    guard isInTransaction, !database.mustRollBack else { return database.rollBackUnlessInBody() }
    let code = database.undo("ROLLBACK TO contrail; RELEASE contrail")
    if code == SQLITE_OK { return }
    // What should be undone is still there: then nothing of the transaction may stay.
    database.mustRollBack = true
    database.rollBackUnlessInBody()
  }
}

extension OpenDatabase {
  /// Undoes something without the statement cache: what fails here has no one to report to.
  fileprivate func undo(_ sql: String) -> Int32 {
    if let code = faults?.code(for: .rollback) { return code }
    return sqlite3_exec(handle, sql, nil, nil, nil)
  }

  fileprivate func rollBackUnlessInBody() {
    if runningBodies == 0 { rollBack() }
  }

  /// Rolls back what is open, or notes that it has still to be done.
  fileprivate func rollBack() {
    guard let handle, sqlite3_get_autocommit(handle) == 0 else {
      mustRollBack = false
      return
    }
    mustRollBack = undo("ROLLBACK") != SQLITE_OK
  }

  /// Called after a failure: whether SQLite ended the transaction that a body still runs in.
  ///
  /// What the body does next would otherwise be committed statement by statement. A transaction whose log could not be
  /// read after a crash is not committed either.
  func noticeRollback() {
    guard let handle, runningBodies > 0 else { return }
    if sqlite3_get_autocommit(handle) != 0 || hasUndoneEarlyWrites { mustRollBack = true }
  }

  /// Makes up for a rollback that failed; what it gives other than SQLITE_OK is the call's failure.
  func settle() -> Int32 {
    guard mustRollBack else { return SQLITE_OK }
    // In a body that goes on after its savepoint failed, nothing more can succeed.
    if runningBodies > 0 { return Connection.abortedByRollback }
    guard let handle, sqlite3_get_autocommit(handle) == 0 else {
      mustRollBack = false
      return SQLITE_OK
    }
    let code = undo("ROLLBACK")
    if code == SQLITE_OK { mustRollBack = false }
    return code
  }
}
