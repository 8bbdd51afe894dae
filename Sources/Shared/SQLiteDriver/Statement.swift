internal import CSQLite

/// A prepared statement.
///
/// ```swift
/// let insert = try connection.statement("INSERT INTO note (text) VALUES (?1)")
/// insert.bind(1, "hello")
/// try insert.run()
/// ```
///
/// A value that cannot be bound is reported by the next `step`. Columns count from 0, parameters from
/// 1, as in SQLite.
public final class Statement {
  // NB: unchecked, since the check costs a tenth of an insert and a sixth of reading keys. A
  // connection has one thread, and nothing here calls out while it changes a property.
  @exclusivity(unchecked) @usableFromInline var handle: OpaquePointer?
  /// The statement's text.
  public let sql: String
  private unowned(unsafe) let connection: Connection
  private let keptConnection: Connection?
  @exclusivity(unchecked) private var bindFailure: Int32 = SQLITE_OK
  @exclusivity(unchecked) private var texts = TextArena()

  /// Prepares `sql`. A kept statement is owned by its connection, which finalizes it before it goes;
  /// any other keeps its connection alive. So `connection` is there as long as the handle is.
  init(_ sql: String, on connection: Connection, isKept: Bool) throws(SQLiteError) {
    self.sql = sql
    self.connection = connection
    keptConnection = isKept ? nil : connection
    let flags: UInt32 = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &handle, nil)
    if code != SQLITE_OK { throw connection.failure(code, sql: sql) }
  }

  deinit { finalize() }

  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
  }
}

extension Statement {
  /// Goes to the next row; false after the last.
  public func step() throws(SQLiteError) -> Bool {
    let code = bindFailure == SQLITE_OK ? sqlite3_step(handle) : bindFailure
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  /// Runs to the end and makes the statement ready for the next use.
  public func run() throws(SQLiteError) {
    let code = bindFailure == SQLITE_OK ? sqlite3_step(handle) : bindFailure
    if code == SQLITE_DONE {
      sqlite3_reset(handle)
      texts.removeAll()
      return
    }
    if code == SQLITE_ROW {
      while try step() {}
      reset()
      return
    }
    throw failure(code)
  }

  /// Ends a use: releases locks and texts; bound values stay until they are bound again.
  public func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    bindFailure = SQLITE_OK
    texts.removeAll()
  }

  private func failure(_ code: Int32) -> SQLiteError {
    let error = connection.failure(handle == nil ? SQLITE_MISUSE : code, sql: sql)
    reset()
    return error
  }

  /// How many columns a row has.
  public var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// The name of a column.
  public func columnName(_ index: Int32) -> String {
    sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
  }

  /// How many values the statement takes.
  public var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }
}

// Hot: public functions are specialised across modules, package ones are not.
extension Statement {
  /// Binds null.
  public func bindNull(_ index: Int32) { note(sqlite3_bind_null(handle, index)) }

  /// Binds a whole number.
  public func bind(_ index: Int32, _ value: Int64) {
    note(sqlite3_bind_int64(handle, index, value))
  }

  /// Binds a floating-point number; SQLite makes null of NaN.
  public func bind(_ index: Int32, _ value: Double) {
    note(sqlite3_bind_double(handle, index, value))
  }

  /// Binds text.
  public func bind(_ index: Int32, _ value: String) {
    var value = value
    // The text lies in the arena until the statement is reset, so SQLite need not copy it again.
    value.withUTF8 { bytes in
      let place = texts.copy(UnsafeRawBufferPointer(bytes))
      note(
        sqlite3_bind_text64(
          handle, index, place.baseAddress?.assumingMemoryBound(to: CChar.self),
          UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)))
    }
  }

  /// Binds bytes.
  public func bind(_ index: Int32, _ value: [UInt8]) {
    value.withUnsafeBytes { bind(index, $0) }
  }

  /// Binds bytes.
  public func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
    let place = texts.copy(bytes)
    note(sqlite3_bind_blob64(handle, index, place.baseAddress, UInt64(bytes.count), nil))
  }

  private func note(_ code: Int32) {
    if code != SQLITE_OK && bindFailure == SQLITE_OK { bindFailure = code }
  }
}

// Hot: public functions are specialised across modules, package ones are not.
extension Statement {
  /// The storage class of a column's value in this row.
  public func kind(_ index: Int32) -> StorageKind {
    StorageKind(rawValue: sqlite3_column_type(handle, index)) ?? .null
  }

  /// Whether a column is null in this row.
  public func isNull(_ index: Int32) -> Bool {
    sqlite3_column_type(handle, index) == SQLITE_NULL
  }

  /// A column as a whole number.
  public func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

  /// A column as a floating-point number.
  public func double(_ index: Int32) -> Double { sqlite3_column_double(handle, index) }

  /// A column as text; what is no UTF-8 is repaired.
  public func text(_ index: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, index) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, index))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// A column as bytes.
  public func bytes(_ index: Int32) -> [UInt8] {
    withBytes(index) { [UInt8]($0) }
  }

  /// A column's bytes where SQLite has them, valid within `body`.
  public func withBytes<Result>(_ index: Int32, _ body: (UnsafeRawBufferPointer) -> Result)
    -> Result
  {
    let start = sqlite3_column_blob(handle, index)
    let count = Int(sqlite3_column_bytes(handle, index))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}

/// The storage class of a value in SQLite.
public enum StorageKind: Int32, Hashable, Sendable {
  case integer = 1
  case real = 2
  case text = 3
  case blob = 4
  case null = 5
}
