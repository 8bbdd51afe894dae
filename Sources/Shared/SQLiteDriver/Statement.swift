import CSQLite

/// A prepared statement.
///
/// ```swift
/// let insert = try connection.statement("INSERT INTO note (text) VALUES (?1)")
/// insert.bind(1, "hello")
/// try insert.run()
/// ```
///
/// A value that cannot be bound is reported by the next `step`. Columns count from 0, parameters from
/// 1, as in SQLite. A column that is not there, or a row that is not there, reads as null.
public final class Statement {
  /// SQLite's handle; nil once the connection was closed or has forgotten its statements.
  ///
  /// SQLite answers nil with SQLITE_MISUSE, no columns and null values in all calls that are made with
  /// it unchecked here: step, bind_*, column_*, column_count, bind_parameter_count, stmt_busy.
  // NB: unchecked here and below, since the check costs a tenth of an insert and a quarter of reading
  // keys. A connection has one thread, and nothing here calls out while it changes a property.
  @exclusivity(unchecked) private(set) var handle: OpaquePointer?
  /// The statement's text.
  public let sql: String
  let database: OpenDatabase
  /// Whether the connection keeps it, and `forgetStatements` ends it.
  let isKept: Bool
  /// When the connection last handed it out, counted in such uses.
  var lastUse: UInt64 = 0
  @exclusivity(unchecked) var bindFailure: Int32 = SQLITE_OK
  @exclusivity(unchecked) var isBound = false
  @exclusivity(unchecked) var texts = TextArena()

  init(_ sql: String, on database: OpenDatabase, isKept: Bool) throws(SQLiteError) {
    self.sql = sql
    self.database = database
    self.isKept = isKept
    handle = try database.prepare(sql, isKept: isKept)
    database.enter(self)
  }

  deinit {
    database.leave(self)
    sqlite3_finalize(handle)
  }

  /// Takes the handle away: what is done with the statement from now on fails with `misuse`.
  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
    // Only now: SQLite read the texts where they lie.
    texts.removeAll()
  }

  /// Whether a caller that holds the statement is in the middle of something.
  var isInUse: Bool { isBound || sqlite3_stmt_busy(handle) != 0 }
}

extension Statement {
  /// Goes to the next row; false after the last.
  public func step() throws(SQLiteError) -> Bool {
    let code = advance()
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  /// Runs to the end and makes the statement ready for the next use, its values null again.
  public func run() throws(SQLiteError) {
    let code = advance()
    if code == SQLITE_DONE {
      reset()
      return
    }
    if code == SQLITE_ROW {
      while try step() {}
      reset()
      return
    }
    throw failure(code)
  }

  /// Ends a use: releases locks and texts; values are null until they are bound again.
  public func reset() {
    if let handle {
      sqlite3_reset(handle)
      // NB: before the texts go, since values point to them.
      if isBound { sqlite3_clear_bindings(handle) }
    }
    isBound = false
    bindFailure = SQLITE_OK
    texts.removeAll()
    if database.isWatched { database.deliverReports() }
  }

  private func advance() -> Int32 {
    if database.isWatched { return watchedStep() }
    return bindFailure == SQLITE_OK ? sqlite3_step(handle) : bindFailure
  }

  private func watchedStep() -> Int32 {
    if let code = database.faults?.code(for: .step) { return code }
    if bindFailure != SQLITE_OK { return bindFailure }
    let debt = database.settle()
    if debt != SQLITE_OK { return debt }
    database.watch?.begin(handle)
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { database.watch?.pause() }
    database.deliverReports()
    return code
  }

  private func failure(_ code: Int32) -> SQLiteError {
    let error =
      handle == nil
      ? SQLiteError.misuse(
        database.handle == nil ? "the connection is closed" : "the statement was forgotten",
        sql: sql)
      : database.failure(code, sql: sql)
    reset()
    database.noticeRollback()
    return error
  }

  /// How many columns a row has.
  public var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// The name of a column; empty where there is none.
  public func columnName(_ index: Int32) -> String {
    guard let handle, index >= 0, let name = sqlite3_column_name(handle, index) else { return "" }
    return String(cString: name)
  }

  /// How many values the statement takes.
  public var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// Whether the statement writes nothing itself.
  public var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// Calls `body` for each row, and makes the statement ready for the next use.
  public func forEachRow(_ body: (Statement) throws(SQLiteError) -> Void) throws(SQLiteError) {
    while try step() {
      do {
        try body(self)
      } catch {
        reset()
        throw error
      }
    }
    reset()
  }
}
