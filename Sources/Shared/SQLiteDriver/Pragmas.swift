public import DataModel

extension Connection {
  /// The value of a pragma, such as `journal_mode` or `main.user_version`; null where it has none.
  public func pragma(_ name: String) throws(SQLiteError) -> FieldValue {
    let statement = try prepare("PRAGMA " + checked(name))
    return try statement.step() ? statement.value(0) : .null
  }

  /// The value of a pragma that is a whole number; 0 where it has none.
  public func integerPragma(_ name: String) throws(SQLiteError) -> Int64 {
    let statement = try prepare("PRAGMA " + checked(name))
    return try statement.step() ? statement.integer(0) : 0
  }

  /// The value of a pragma as text; empty where it has none.
  public func textPragma(_ name: String) throws(SQLiteError) -> String {
    let statement = try prepare("PRAGMA " + checked(name))
    return try statement.step() ? statement.text(0) : ""
  }

  /// Sets a pragma, and returns the value that SQLite then answers; null where it answers none.
  @discardableResult
  public func setPragma(_ name: String, to value: Int64) throws(SQLiteError) -> FieldValue {
    try answer("PRAGMA \(checked(name)) = \(value)")
  }

  /// Sets a pragma to a word such as `WAL`, and returns the value that SQLite then answers.
  @discardableResult
  public func setPragma(_ name: String, to word: String) throws(SQLiteError) -> FieldValue {
    try answer("PRAGMA \(checked(name)) = \(checked(word))")
  }

  /// A number that changes when another connection has changed the database.
  public var dataVersion: Int64 {
    get throws(SQLiteError) {
      let statement = try statement("PRAGMA data_version")
      defer { statement.reset() }
      return try statement.step() ? statement.integer(0) : 0
    }
  }

  private func answer(_ sql: String) throws(SQLiteError) -> FieldValue {
    let statement = try prepare(sql)
    let value: FieldValue = try statement.step() ? statement.value(0) : .null
    try statement.forEachRow { _ in }
    return value
  }

  /// Pragmas take no parameters, so only words are let into their text.
  private func checked(_ word: String) throws(SQLiteError) -> String {
    let isWord = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    if isWord && !word.isEmpty { return word }
    throw .misuse("not a pragma's name or word: \"\(word)\"")
  }
}
