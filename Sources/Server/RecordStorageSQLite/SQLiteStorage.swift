public import RecordServer
import RecordWire
import SQLiteDriver

/// Keeps the records of one container's environment in one SQLite file.
///
/// A write that has returned is on the disk. Writes that wait for one another are committed together, so
/// that many clients cost few waits for the disk; one that fails is undone alone.
///
/// ```swift
/// let storage = try SQLiteStorage(at: "/srv/contrail/notes.development.sqlite", newEpoch: random)
/// try await storage.write { _ = try $0.createZone(zone, epoch: epoch) }
/// ```
public final class SQLiteStorage: RecordStorage {
  private let writer: CommitQueue
  private let readers: ReaderPool

  /// How much of the file the writer, and each reader, keeps in memory at most.
  static let cacheKiB = 16 * 1024
  /// How long the writer waits for another process that writes, in milliseconds: on its own queue.
  static let busyMilliseconds: Int32 = 5000
  /// How long a reader waits, in milliseconds: on an event loop, or on a thread that all tasks share.
  ///
  /// Writers and checkpoints do not make readers wait: only a process does that mends the file after a
  /// crash, or keeps it for itself.
  static let readerBusyMilliseconds: Int32 = 50
  /// In how many seconds whoever met such a process is asked to come again.
  static let busyRetrySeconds: Int64 = 1

  /// Opens the file at `path`, or makes it, with an epoch that no other storage has.
  public init(at path: String, newEpoch: @autoclosure () -> UInt64) throws {
    readers = ReaderPool(path)
    do {
      let connection = try Connection(.file(path))
      connection.setBusyTimeout(milliseconds: Self.busyMilliseconds)
      try StorageFile.prepare(connection, path, newEpoch: newEpoch)
      try connection.execute("PRAGMA journal_mode = WAL")
      // A write that was answered is durable: https://www.sqlite.org/pragma.html#pragma_synchronous
      try connection.execute("PRAGMA synchronous = FULL")
      try connection.execute("PRAGMA cache_size = -\(Self.cacheKiB)")
      writer = CommitQueue(connection, readers)
    } catch let error as SQLiteError {
      throw StorageFileError(
        code: .cannotOpen, path: path, message: "cannot be opened: \(error.message)",
        fix: "check who may write to the file and its folder")
    }
  }

  /// Runs `body` in a transaction that is on the disk when this returns.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      writer.add(WriteJob(body, continuation))
    }
  }

  /// Runs `body` at once, on the caller's executor: reading waits for nobody.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result {
    try run(body)
  }

  /// Runs `body` at once; never nil.
  public func readAtOnce<Result>(
    _ body: (any StorageTransaction) throws -> Result
  ) throws -> Result? {
    try run(body)
  }

  /// Reads; a process that mends the file, or keeps it for itself, is not waited for.
  private func run<Result>(_ body: (any StorageTransaction) throws -> Result) throws -> Result {
    do {
      return try readers.read { try body($0) }
    } catch let error as SQLiteError where .busy ~= error.code {
      throw RequestFailure(.tryAgainLater, retryAfter: Self.busyRetrySeconds)
    }
  }
}

extension SQLiteStorage {
  /// Makes SQLite quicker in a process that has it to itself; to be called before anything opens a database.
  public static func claimSQLite() { SQLiteLibrary.keepNoMemoryStatistics() }
}

/// Recognises and makes the file.
enum StorageFile {
  static func prepare(
    _ connection: Connection, _ path: String, newEpoch: () -> UInt64
  ) throws {
    try connection.transaction(.immediate, failingAs: { $0 as any Error }) {
      if try isBlank(connection) { try create(connection, newEpoch()) }
      guard try connection.integerPragma("application_id") == StorageSQL.applicationID else {
        throw StorageFileError(
          code: .notAStorage, path: path, message: "is a database of another program",
          fix: "name another file, or one that does not exist yet")
      }
      let version = try connection.integerPragma("user_version")
      guard version <= StorageSQL.formatVersion else {
        throw StorageFileError(
          code: .newerFormat, path: path,
          message:
            "has format \(version), and this version reads up to \(StorageSQL.formatVersion)",
          fix: "open it with the newer version that made it")
      }
      try bringUp(connection, from: version)
    }
  }

  /// Makes the newest format of an older one.
  private static func bringUp(_ connection: Connection, from version: Int64) throws {
    guard version >= StorageSQL.firstFormat, version < StorageSQL.formatVersion else { return }
    for step in StorageSQL.steps.dropFirst(Int(version - StorageSQL.firstFormat)) {
      for sql in step { try connection.execute(sql) }
    }
    try connection.execute("PRAGMA user_version = \(StorageSQL.formatVersion)")
  }

  private static func isBlank(_ connection: Connection) throws -> Bool {
    let statement = try connection.prepare("SELECT count(*) FROM sqlite_schema")
    return try statement.step() && statement.integer(0) == 0
  }

  private static func create(_ connection: Connection, _ epoch: UInt64) throws {
    for table in StorageSQL.firstTables { try connection.execute(table) }
    try connection.execute("PRAGMA application_id = \(StorageSQL.applicationID)")
    try connection.execute("PRAGMA user_version = \(StorageSQL.firstFormat)")
    let statement = try connection.prepare("INSERT INTO storage_fact VALUES ('epoch', ?1)")
    statement.bind(1, Int64(bitPattern: epoch))
    try statement.run()
  }
}
