internal import CSQLite

/// One connection to one database, used by one thread at a time.
///
/// Statements are prepared once and kept: `statement(_:)` returns the same one for the same text.
public final class Connection {
  /// Where a database is.
  public enum Location: Hashable, Sendable {
    /// A file, made when it is absent and `Mode` allows it.
    case file(String)
    /// Memory of this connection alone.
    case memory
  }

  /// What may be done with the database.
  public enum Mode: Hashable, Sendable {
    /// Reading only; the file must exist.
    case readOnly
    /// Reading and writing; the file must exist.
    case readWrite
    /// Reading and writing; the file is made when it is absent.
    case create
  }

  /// How many prepared statements are kept; the least recently prepared go first.
  public static let statementsMax = 512

  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private var order: [String] = []

  /// Opens the database at `location`.
  public init(_ location: Location, mode: Mode = .create) throws(SQLiteError) {
    let access =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | access
    let path: String
    switch location {
    case .file(let file): path = file
    case .memory: path = ":memory:"
    }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw SQLiteError(code: SQLiteCode(rawValue: code), message: "\(message): \(path)")
    }
    handle = opened
    // A double-quoted word that names no column is a mistake, never a text.
    _ = contrail_sqlite3_switch(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    _ = contrail_sqlite3_switch(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    // A file that a stranger wrote must not run code by being opened.
    _ = contrail_sqlite3_switch(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
  }

  deinit {
    for statement in statements.values { statement.finalize() }
    sqlite3_close_v2(handle)
  }
}

extension Connection {
  /// The statement with the text `sql`, prepared at its first use and ready to be bound.
  ///
  /// Not for two uses of the same text at once: the second would restart the first.
  public func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    let statement = try Statement(sql, on: self, isKept: true)
    if order.count >= Self.statementsMax {
      statements.removeValue(forKey: order.removeFirst())?.finalize()
    }
    statements[sql] = statement
    order.append(sql)
    return statement
  }

  /// Prepares `sql` for one use.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, on: self, isKept: false)
  }

  /// Runs one statement or several, without values and without results.
  public func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw failure(code, sql: sql) }
  }

  /// How many rows the last insert, update or delete touched.
  public var changes: Int { Int(sqlite3_changes(handle)) }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Makes another thread's wait or work on this connection end soon with `interrupt`.
  public func interrupt() { sqlite3_interrupt(handle) }

  /// How long a call waits for another connection's lock before it fails with `busy`.
  public func setBusyTimeout(milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  /// Forgets the prepared statements, so that none holds on to tables that are to change.
  public func forgetStatements() {
    for statement in statements.values { statement.finalize() }
    statements = [:]
    order = []
  }

  func failure(_ code: Int32, sql: String?) -> SQLiteError {
    SQLiteError(
      code: SQLiteCode(rawValue: code), message: String(cString: sqlite3_errmsg(handle)), sql: sql)
  }
}
