import CSQLite
public import DataModel

extension Connection {
  /// Adds a function to SQL, which takes and gives null, integer, double, string and data.
  ///
  /// A deterministic function always gives the same for the same values: only such may be used in an
  /// index. A function with an `argumentCount` of -1 takes any number of values.
  public func addFunction(
    _ name: String, argumentCount: Int32, isDeterministic: Bool = true,
    _ body: @escaping @Sendable ([FieldValue]) -> FieldValue
  ) throws(SQLiteError) {
    let handle = try database.opened()
    if name.isEmpty || name.utf8.contains(0) {
      throw .misuse("not a function's name: \"\(name)\"")
    }
    // Innocuous: it has no effects, so a schema that is not trusted may name it, in an index or a view.
    // https://www.sqlite.org/c3ref/c_deterministic.html
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    // SQLite releases the box when the function goes, also when it refuses the function.
    // https://www.sqlite.org/c3ref/create_function.html
    let box = Unmanaged.passRetained(FunctionBox(body)).toOpaque()
    let code = sqlite3_create_function_v2(
      handle, name, argumentCount, flags, box,
      { context, count, values in callFunction(context, count, values) }, nil, nil,
      { box in if let box { Unmanaged<FunctionBox>.fromOpaque(box).release() } })
    if code != SQLITE_OK { throw failure(code, sql: nil) }
  }
}

private final class FunctionBox {
  let body: @Sendable ([FieldValue]) -> FieldValue

  init(_ body: @escaping @Sendable ([FieldValue]) -> FieldValue) { self.body = body }
}

private func callFunction(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let box = sqlite3_user_data(context) else { return }
  let body = Unmanaged<FunctionBox>.fromOpaque(box).takeUnretainedValue().body
  let arguments = UnsafeBufferPointer(start: values, count: max(Int(count), 0))
  give(body(arguments.map(fieldValue)), to: context)
}

private func fieldValue(_ value: OpaquePointer?) -> FieldValue {
  switch StorageKind(rawValue: sqlite3_value_type(value)) ?? .null {
  case .null: return .null
  case .integer: return .integer(sqlite3_value_int64(value))
  case .real: return .double(sqlite3_value_double(value))
  case .text:
    guard let bytes = sqlite3_value_text(value) else { return .string("") }
    let count = Int(sqlite3_value_bytes(value))
    return .string(
      String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
  case .blob:
    guard let bytes = sqlite3_value_blob(value) else { return .data([]) }
    let count = Int(sqlite3_value_bytes(value))
    return .data([UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
  }
}

private func give(_ value: FieldValue, to context: OpaquePointer?) {
  switch value {
  case .null: sqlite3_result_null(context)
  case .integer(let number): sqlite3_result_int64(context, number)
  case .double(let number): sqlite3_result_double(context, number)
  case .string(var text):
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        // A nil address would be null, and empty text is not null.
        guard let start = $0.baseAddress else {
          contrail_sqlite3_result_copied_text(context, "", 0)
          return
        }
        contrail_sqlite3_result_copied_text(context, start, UInt64($0.count))
      }
    }
  case .data(let bytes):
    bytes.withUnsafeBytes {
      guard let start = $0.baseAddress, !$0.isEmpty else {
        sqlite3_result_zeroblob(context, 0)
        return
      }
      contrail_sqlite3_result_copied_blob(context, start, UInt64($0.count))
    }
  default:
    sqlite3_result_error(context, "a function gave a value of kind \(value.kind.rawValue)", -1)
    sqlite3_result_error_code(context, SQLITE_MISMATCH)
  }
}
