import CSQLite
public import DataModel

// Hot: public functions are specialised across modules, package ones are not.
extension Statement {
  /// Binds null.
  public func bindNull(_ index: Int32) { note(sqlite3_bind_null(handle, index)) }

  /// Binds a whole number.
  public func bind(_ index: Int32, _ value: Int64) {
    note(sqlite3_bind_int64(handle, index, value))
  }

  /// Binds a floating-point number; SQLite makes null of NaN, so who keeps NaN writes it otherwise.
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

  /// Binds a value of SQLite's storage classes: null, integer, double, string or data.
  ///
  /// Any other makes the next `step` fail with `mismatch`: how it is stored is not the driver's choice.
  public func bind(_ index: Int32, value: FieldValue) {
    switch value {
    case .null: bindNull(index)
    case .integer(let number): bind(index, number)
    case .double(let number): bind(index, number)
    case .string(let text): bind(index, text)
    case .data(let bytes): bind(index, bytes)
    default: note(SQLITE_MISMATCH)
    }
  }

  private func note(_ code: Int32) {
    isBound = true
    if code != SQLITE_OK && bindFailure == SQLITE_OK { bindFailure = code }
  }
}
