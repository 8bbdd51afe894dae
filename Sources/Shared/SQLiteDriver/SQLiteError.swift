import CSQLite

/// What SQLite refused, with its own code and words.
public struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code.
  public var code: SQLiteCode
  /// SQLite's message.
  public var message: String
  /// The statement that failed, without its values; nil where no statement was at work.
  public var sql: String?

  /// Describes a failure.
  public init(code: SQLiteCode, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }
}

extension SQLiteError: CustomStringConvertible {
  /// Code, message and statement in one line.
  public var description: String {
    "SQLite: \(message) (\(code.rawValue))" + (sql.map { " in \($0)" } ?? "")
  }
}

/// A result code of SQLite; a primary code matches all of its extended codes in a pattern.
public struct SQLiteCode: RawRepresentable, Hashable, Sendable {
  /// SQLite's number.
  public let rawValue: Int32

  /// Takes SQLite's number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The code without what extends it.
  public var primary: SQLiteCode { SQLiteCode(rawValue: rawValue & 0xff) }

  /// Whether `code` is `pattern`, or an extended form of it.
  public static func ~= (pattern: SQLiteCode, code: SQLiteCode) -> Bool {
    pattern == code || (pattern == pattern.primary && pattern == code.primary)
  }

  public static let ok = SQLiteCode(rawValue: SQLITE_OK)
  public static let row = SQLiteCode(rawValue: SQLITE_ROW)
  public static let done = SQLiteCode(rawValue: SQLITE_DONE)
  public static let error = SQLiteCode(rawValue: SQLITE_ERROR)
  public static let busy = SQLiteCode(rawValue: SQLITE_BUSY)
  public static let locked = SQLiteCode(rawValue: SQLITE_LOCKED)
  public static let noMemory = SQLiteCode(rawValue: SQLITE_NOMEM)
  public static let readOnly = SQLiteCode(rawValue: SQLITE_READONLY)
  public static let interrupt = SQLiteCode(rawValue: SQLITE_INTERRUPT)
  public static let io = SQLiteCode(rawValue: SQLITE_IOERR)
  public static let corrupt = SQLiteCode(rawValue: SQLITE_CORRUPT)
  public static let full = SQLiteCode(rawValue: SQLITE_FULL)
  public static let cannotOpen = SQLiteCode(rawValue: SQLITE_CANTOPEN)
  public static let schema = SQLiteCode(rawValue: SQLITE_SCHEMA)
  public static let tooBig = SQLiteCode(rawValue: SQLITE_TOOBIG)
  public static let constraint = SQLiteCode(rawValue: SQLITE_CONSTRAINT)
  public static let misuse = SQLiteCode(rawValue: SQLITE_MISUSE)
  public static let mismatch = SQLiteCode(rawValue: SQLITE_MISMATCH)
  public static let range = SQLiteCode(rawValue: SQLITE_RANGE)
  public static let notADatabase = SQLiteCode(rawValue: SQLITE_NOTADB)
  /// A unique index refused a row.
  public static let constraintUnique = SQLiteCode(rawValue: SQLITE_CONSTRAINT | (8 << 8))
  /// A primary key is taken.
  public static let constraintPrimaryKey = SQLiteCode(rawValue: SQLITE_CONSTRAINT | (6 << 8))
}
