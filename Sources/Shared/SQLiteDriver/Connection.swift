import CSQLite

/// One connection to one database, used by one thread at a time.
///
/// Statements are prepared once and kept: `statement(_:)` returns the same one for the same text. A
/// statement that is still held keeps the database open; `close()` ends all of them.
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
    /// Reading only, a file that nobody changes meanwhile: without locks, and without the files that
    /// SQLite otherwise makes beside it.
    case frozen
    /// Reading and writing; the file must exist.
    case readWrite
    /// Reading and writing; the file is made when it is absent.
    case create
  }

  /// Ends what the connection is doing, from any thread.
  public typealias Interrupter = SQLiteDriver.Interrupter

  /// How many prepared statements are kept; the least recently used go first.
  public static let statementsMax = 512

  /// How long a call waits for another connection's lock unless `setBusyTimeout` says otherwise.
  ///
  /// Without patience whoever opens a database in the moment in which another process closes it is
  /// refused: the last one to close it takes a lock against all.
  public static let busyMilliseconds: Int32 = 10_000

  let database: OpenDatabase
  var statements: [String: Statement] = [:]
  var controls = ControlStatements()
  var uses: UInt64 = 0

  /// Opens the database at `location`, through the file system layer named `vfs` or `SQLiteLibrary.layer`.
  public init(_ location: Location, mode: Mode = .create, vfs: String? = nil) throws(SQLiteError) {
    let access =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .frozen: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | access
    let path = try location.path(isFrozen: mode == .frozen)
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags, vfs ?? SQLiteLibrary.layer)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw SQLiteError(code: SQLiteCode(rawValue: code), message: "\(message): \(path)")
    }
    database = OpenDatabase(opened)
    sqlite3_busy_timeout(opened, Self.busyMilliseconds)
    // A double-quoted word that names no column is a mistake, never a text.
    _ = contrail_sqlite3_switch(opened, SQLITE_DBCONFIG_DQS_DML, 0)
    _ = contrail_sqlite3_switch(opened, SQLITE_DBCONFIG_DQS_DDL, 0)
    // A file that a stranger wrote must not run code by being opened.
    _ = contrail_sqlite3_switch(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
  }

  /// Closes the database; statements that are still held, and all further calls, fail with `misuse`.
  public func close() {
    statements = [:]
    controls = ControlStatements()
    database.close()
  }
}

extension Connection.Location {
  /// The name that SQLite opens, without the meanings that it gives to some names.
  fileprivate func path(isFrozen: Bool) throws(SQLiteError) -> String {
    guard case .file(let file) = self else { return ":memory:" }
    // An empty name is a database that vanishes: https://www.sqlite.org/c3ref/open.html
    if file.isEmpty || file.utf8.contains(0) {
      throw SQLiteError(
        code: .cannotOpen, message: "not a file name: \"\(file)\"; name the database's file")
    }
    if isFrozen { return Self.frozenURI(file) }
    // Debian's SQLite takes what begins with "file:" for an address even where nobody asks for that.
    return file.hasPrefix(":") || file.hasPrefix("file:") ? "./" + file : file
  }
}

extension Connection.Location {
  // What the words mean: https://www.sqlite.org/uri.html
  private static func frozenURI(_ file: String) -> String {
    let plain = file.unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%25"
      case "?": "%3f"
      case "#": "%23"
      default: String(scalar)
      }
    }
    // Two slashes at the start of a path would name a host, and a colon a meaning of SQLite's.
    return "file:\(file.hasPrefix("/") ? "//" : "./")\(plain.joined())?immutable=1"
  }
}

extension Connection {
  /// SQLite's handle; nil once the connection is closed.
  var handle: OpaquePointer? { database.handle }

  /// Whether the connection was not closed yet.
  public var isOpen: Bool { handle != nil }

  /// How many rows the last insert, update or delete touched.
  public var changes: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }

  /// How many rows were inserted, updated or deleted since the connection was opened.
  public var totalChanges: Int { handle.map { Int(sqlite3_total_changes64($0)) } ?? 0 }

  /// The INTEGER key of the row that was inserted last; 0 before the first.
  public var lastInsertedKey: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// Whether the open transaction has begun to read, so that it sees the database as of one moment.
  public var hasSnapshot: Bool {
    // https://www.sqlite.org/c3ref/txn_state.html
    handle.map { sqlite3_txn_state($0, "main") != SQLITE_TXN_NONE } ?? false
  }

  /// What ends this connection's work from other threads.
  public var interrupter: Interrupter { database.interrupter }

  /// Makes what runs on this connection fail soon with `interrupt`.
  public func interrupt() { database.interrupter.interrupt() }

  /// How long a call waits for another connection's lock before it fails with `busy`.
  public func setBusyTimeout(milliseconds: Int32) {
    if let handle { sqlite3_busy_timeout(handle, milliseconds) }
  }

  func failure(_ code: Int32, sql: String?) -> SQLiteError { database.failure(code, sql: sql) }
}
