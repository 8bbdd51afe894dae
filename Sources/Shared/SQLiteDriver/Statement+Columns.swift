import CSQLite
public import DataModel

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

  /// A column as text; what is no UTF-8 is repaired, and zero bytes are kept.
  public func text(_ index: Int32) -> String { textIfAny(index) ?? "" }

  /// A column as text; nil where it is null, which costs no question of its own.
  public func textIfAny(_ index: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, index) else { return nil }
    // NB: after the text, whose making may change the count: https://www.sqlite.org/c3ref/column_blob.html
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

  /// A column as it is stored: null, integer, double, string or data.
  public func value(_ index: Int32) -> FieldValue {
    switch kind(index) {
    case .null: .null
    case .integer: .integer(integer(index))
    case .real: .double(double(index))
    case .text: .string(text(index))
    case .blob: .data(bytes(index))
    }
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
