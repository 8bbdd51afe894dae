import CSQLite

/// What a database's file says of itself, read from its first bytes without opening it.
///
/// The format: https://www.sqlite.org/fileformat.html#the_database_header
public struct DatabaseFile: Hashable, Sendable {
  /// The size of the header that is read.
  public static let headerBytes = 100

  /// The file.
  public var path: String
  /// The file's size in bytes.
  public var byteCount: Int64
  /// The size of its pages in bytes.
  public var pageSize: Int64
  /// How many pages it has; some may still be in the write-ahead log.
  public var pageCount: Int64
  /// Whose file it is: a number that its maker chose.
  public var applicationID: Int32
  /// A number that its maker counts versions with.
  public var userVersion: Int32
  /// Whether it is written through a write-ahead log.
  public var isWriteAheadLogged: Bool

  /// Reads the header of the file at `path`.
  public init(reading path: String) throws(DatabaseFileError) {
    let (header, byteCount) = try Self.start(of: path)
    func refuse(_ problem: DatabaseFileError.Problem) -> DatabaseFileError {
      DatabaseFileError(path: path, problem: problem)
    }
    if byteCount == 0 { throw refuse(.empty) }
    guard header.starts(with: Self.magic) else {
      throw refuse(Self.looksEncrypted(header, byteCount) ? .encrypted : .notADatabase)
    }
    guard header.count == Self.headerBytes else {
      throw refuse(.truncated(expectedBytes: Int64(Self.headerBytes), foundBytes: byteCount))
    }
    func number(at place: Int, bytes: Int) -> UInt32 {
      header[place..<place + bytes].reduce(0) { $0 << 8 | UInt32($1) }
    }
    // 1 stands for 65536, which two bytes cannot hold.
    let storedSize = number(at: 16, bytes: 2)
    let pageSize = storedSize == 1 ? 65_536 : Int64(storedSize)
    guard pageSize >= 512, pageSize.nonzeroBitCount == 1 else { throw refuse(.notADatabase) }
    // Old writers leave a stale count, which shows in these two numbers.
    let storedCount = Int64(number(at: 28, bytes: 4))
    let isCountValid = storedCount > 0 && number(at: 24, bytes: 4) == number(at: 92, bytes: 4)

    self.path = path
    self.byteCount = byteCount
    self.pageSize = pageSize
    pageCount = isCountValid ? storedCount : max(1, byteCount / pageSize)
    applicationID = Int32(bitPattern: number(at: 68, bytes: 4))
    userVersion = Int32(bitPattern: number(at: 60, bytes: 4))
    isWriteAheadLogged = header[18] == 2
    let expected = pageSize * pageCount
    // A log or a journal beside it may hold what is missing; only SQLite can tell.
    if byteCount < expected && !Self.isUnsettled(path) {
      throw refuse(.truncated(expectedBytes: expected, foundBytes: byteCount))
    }
  }

  private static let magic = Array("SQLite format 3\u{0}".utf8)

  private static func start(of path: String) throws(DatabaseFileError) -> ([UInt8], Int64) {
    var bytes = [UInt8](repeating: 0, count: headerBytes)
    var count = 0
    var byteCount: Int64 = 0
    var reason: Int32 = 0
    let outcome: Int =
      path.utf8.contains(0)
      ? CONTRAIL_FILE_ABSENT
      : Int(contrail_file_start(path, &bytes, headerBytes, &count, &byteCount, &reason))
    switch outcome {
    case CONTRAIL_FILE_READ: return (Array(bytes.prefix(count)), byteCount)
    case CONTRAIL_FILE_ABSENT: throw DatabaseFileError(path: path, problem: .absent)
    case CONTRAIL_FILE_OTHER: throw DatabaseFileError(path: path, problem: .notAFile)
    default:
      let words = contrail_error_text(reason).map { String(cString: $0) } ?? "error \(reason)"
      throw DatabaseFileError(path: path, problem: .unreadable(words))
    }
  }

  /// Encrypted pages are indistinguishable from random bytes, and a whole number of pages long.
  private static func looksEncrypted(_ header: [UInt8], _ byteCount: Int64) -> Bool {
    // Of 100 random bytes 82.8 are different, with a deviation of 3.2; text and formats have fewer.
    header.count == headerBytes && byteCount % 512 == 0 && Set(header).count >= 65
  }

  private static func isUnsettled(_ path: String) -> Bool {
    contrail_file_size(path + "-wal") > 0 || contrail_file_size(path + "-journal") > 0
  }
}

/// Why a file cannot be taken for a database.
public struct DatabaseFileError: Error, Hashable, Sendable {
  /// What is the matter with a file.
  public enum Problem: Hashable, Sendable {
    /// There is no such file.
    case absent
    /// It is a folder, a pipe or a device.
    case notAFile
    /// The system refuses to read it, for this reason.
    case unreadable(String)
    /// It has no bytes: SQLite would make a new database of it.
    case empty
    /// It is something else.
    case notADatabase
    /// It looks like an encrypted database, which SQLite cannot read.
    case encrypted
    /// It ends before its last page.
    case truncated(expectedBytes: Int64, foundBytes: Int64)
  }

  /// The file.
  public var path: String
  /// What is the matter with it.
  public var problem: Problem

  /// Describes a problem with a file.
  public init(path: String, problem: Problem) {
    self.path = path
    self.problem = problem
  }
}

extension DatabaseFileError: CustomStringConvertible {
  /// The file, what is the matter with it, and what to do.
  public var description: String {
    switch problem {
    case .absent: "\(path): no such file; check the path"
    case .notAFile: "\(path): not a file; name the database's file"
    case .unreadable(let reason): "\(path): cannot be read: \(reason)"
    case .empty: "\(path): empty; take it away, or restore it from a copy"
    case .notADatabase: "\(path): not an SQLite database; check the path"
    case .encrypted: "\(path): looks encrypted; decrypt it first with the program that wrote it"
    case .truncated(let expected, let found):
      "\(path): cut short: \(found) of \(expected) bytes; restore it from a copy"
    }
  }
}
