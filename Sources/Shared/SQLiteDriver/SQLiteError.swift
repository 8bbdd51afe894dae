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

  /// Nothing failed.
  public static let ok = SQLiteCode(rawValue: SQLITE_OK)
  /// A row is there.
  public static let row = SQLiteCode(rawValue: SQLITE_ROW)
  /// There are no more rows.
  public static let done = SQLiteCode(rawValue: SQLITE_DONE)
  /// The statement is wrong, or asks for what is not there.
  public static let error = SQLiteCode(rawValue: SQLITE_ERROR)
  /// Another connection holds the lock.
  public static let busy = SQLiteCode(rawValue: SQLITE_BUSY)
  /// This connection itself holds the lock.
  public static let locked = SQLiteCode(rawValue: SQLITE_LOCKED)
  /// Memory ran out.
  public static let noMemory = SQLiteCode(rawValue: SQLITE_NOMEM)
  /// The database may only be read.
  public static let readOnly = SQLiteCode(rawValue: SQLITE_READONLY)
  /// The work was interrupted.
  public static let interrupt = SQLiteCode(rawValue: SQLITE_INTERRUPT)
  /// The disk failed.
  public static let io = SQLiteCode(rawValue: SQLITE_IOERR)
  /// The file is damaged.
  public static let corrupt = SQLiteCode(rawValue: SQLITE_CORRUPT)
  /// The disk is full.
  public static let full = SQLiteCode(rawValue: SQLITE_FULL)
  /// The file cannot be opened.
  public static let cannotOpen = SQLiteCode(rawValue: SQLITE_CANTOPEN)
  /// The schema changed meanwhile.
  public static let schema = SQLiteCode(rawValue: SQLITE_SCHEMA)
  /// A text, a value or a statement is too big.
  public static let tooBig = SQLiteCode(rawValue: SQLITE_TOOBIG)
  /// A constraint refused a row.
  public static let constraint = SQLiteCode(rawValue: SQLITE_CONSTRAINT)
  /// The program made a call that it should not have made.
  public static let misuse = SQLiteCode(rawValue: SQLITE_MISUSE)
  /// A value has the wrong type.
  public static let mismatch = SQLiteCode(rawValue: SQLITE_MISMATCH)
  /// The transaction was rolled back meanwhile.
  public static let abortedByRollback = SQLiteCode(rawValue: SQLITE_ABORT | (2 << 8))
  /// There is no parameter or column of this number.
  public static let range = SQLiteCode(rawValue: SQLITE_RANGE)
  /// The file is no database.
  public static let notADatabase = SQLiteCode(rawValue: SQLITE_NOTADB)
  /// A unique index refused a row.
  public static let constraintUnique = SQLiteCode(rawValue: SQLITE_CONSTRAINT | (8 << 8))
  /// A primary key is taken.
  public static let constraintPrimaryKey = SQLiteCode(rawValue: SQLITE_CONSTRAINT | (6 << 8))
}
