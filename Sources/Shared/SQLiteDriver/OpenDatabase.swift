import CSQLite

/// What a connection and its statements share: SQLite's handle, as long as it is open.
///
/// Whoever holds a statement holds this too, so neither a statement nor its error can outlive the
/// handle that they speak to. The connection's cache holds statements, and this does not hold the
/// connection: there is no cycle.
final class OpenDatabase {
  /// Nil once the connection was closed.
  private(set) var handle: OpaquePointer?
  let interrupter: Interrupter
  /// Whether a call has to look at `faults`, `watch` and `mustRollBack`: one flag, read before each step.
  private(set) var isWatched = false
  var faults: FaultPlan? { didSet { updateWatched() } }
  var watch: StatementWatch? { didSet { updateWatched() } }
  /// Whether a transaction is open that can only be rolled back, since undoing a part of it failed.
  var mustRollBack = false { didSet { updateWatched() } }
  /// How many bodies of transactions and savepoints are running.
  var runningBodies = 0
  /// How many of them are savepoints.
  var savepoints = 0
  /// Whether pages are still kept in memory after the last savepoint, since letting them go failed.
  var keepsPages = false
  /// How many pages had gone to the log early when the transaction began.
  var earlyWrites: Int32 = 0
  /// What the progress handler calls, kept since SQLite holds its address alone.
  var progress: ProgressBox?
  /// Whether reports show values; kept here for a watch that comes later.
  var reportsValues = false { didSet { watch?.reportsValues = reportsValues } }
  /// The statements that have a handle, so that closing can take it from them.
  private var statements: [ObjectIdentifier: Entry] = [:]

  /// A statement that is alive.
  ///
  /// Proof: `Statement.init` enters itself as its last act, and `Statement.deinit` leaves as its first,
  /// so no entry outlives its object. Both, and every walk over the entries, are on the one thread that
  /// uses the connection.
  private struct Entry {
    unowned(unsafe) let statement: Statement
  }

  init(_ handle: OpaquePointer) {
    self.handle = handle
    interrupter = Interrupter(handle)
  }

  deinit { close() }

  /// Ends everything that goes on, and releases the file.
  func close() {
    guard let open = handle else { return }
    interrupter.forget()
    sqlite3_trace_v2(open, 0, nil, nil)
    invalidate { _ in true }
    handle = nil
    // Nothing is left that could make this fail: statements are finalized, backups end where they begin.
    // https://www.sqlite.org/c3ref/close.html
    sqlite3_close_v2(open)
    deliverReports()
  }

  /// Takes their handles from the statements that `isMeant` names.
  func invalidate(where isMeant: (Statement) -> Bool) {
    let meant = statements.values.map(\.statement).filter(isMeant)
    for statement in meant { statement.finalize() }
  }

  func enter(_ statement: Statement) {
    statements[ObjectIdentifier(statement)] = Entry(statement: statement)
  }

  func leave(_ statement: Statement) {
    statements.removeValue(forKey: ObjectIdentifier(statement))
  }

  private func updateWatched() { isWatched = faults != nil || watch != nil || mustRollBack }

  /// Hands on what `watch` collected, outside of SQLite's callback.
  func deliverReports() { watch?.deliver() }
}

extension OpenDatabase {
  /// The handle, or the error that a closed connection gives.
  func opened() throws(SQLiteError) -> OpaquePointer {
    guard let handle else { throw failure(SQLITE_MISUSE, sql: nil) }
    return handle
  }

  /// Throws what the fault plan wants this call to throw.
  func meetFault(_ call: FaultPlan.Call, sql: String?) throws(SQLiteError) {
    guard let code = faults?.code(for: call) else { return }
    throw failure(code, sql: sql)
  }

  /// Compiles `sql`, which has to be one statement.
  func prepare(_ sql: String, isKept: Bool) throws(SQLiteError) -> OpaquePointer {
    let database = try opened()
    if isWatched { try meetFault(.prepare, sql: sql) }
    if sql.utf8.contains(0) { throw .misuse("the statement holds a zero byte", sql: sql) }
    var prepared: OpaquePointer?
    var code = SQLITE_OK
    var hasMore = false
    var text = sql
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return }
        let flags: UInt32 = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        var tail: UnsafePointer<CChar>?
        code = sqlite3_prepare_v3(
          database, start, Int32(clamping: characters.count), flags, &prepared, &tail)
        guard code == SQLITE_OK, let tail else { return }
        let rest = characters.count - (tail - start)
        hasMore = rest > 0 && holdsStatement(tail, Int32(clamping: rest), in: database)
      }
    }
    guard code == SQLITE_OK else { throw failure(code, sql: sql) }
    // Only the first statement of a text is compiled: https://www.sqlite.org/c3ref/prepare.html
    if hasMore {
      sqlite3_finalize(prepared)
      throw .misuse("a second statement would not be run; use execute", sql: sql)
    }
    guard let prepared else { throw .misuse("the text holds no statement", sql: sql) }
    return prepared
  }

  /// Whether more than space and comments is left; a mistake counts as a statement.
  private func holdsStatement(
    _ text: UnsafePointer<CChar>, _ count: Int32, in database: OpaquePointer
  ) -> Bool {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(database, text, count, 0, &prepared, nil)
    sqlite3_finalize(prepared)
    return code != SQLITE_OK || prepared != nil
  }

  /// The error for `code`, in SQLite's own words where they are about this code.
  func failure(_ code: Int32, sql: String?) -> SQLiteError {
    guard let handle else { return .misuse("the connection is closed", sql: sql) }
    // What was injected, and what a binding refused a while ago, is not the connection's last error.
    let isLast = sqlite3_extended_errcode(handle) == code
    let words = isLast ? sqlite3_errmsg(handle) : sqlite3_errstr(code)
    return SQLiteError(
      code: SQLiteCode(rawValue: code), message: words.map { String(cString: $0) } ?? "", sql: sql)
  }
}

extension SQLiteError {
  /// A call that the program should not have made.
  static func misuse(_ message: String, sql: String? = nil) -> SQLiteError {
    SQLiteError(code: .misuse, message: message, sql: sql)
  }
}
