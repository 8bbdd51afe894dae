import Foundation
import SQLiteDriver
import Synchronization

/// Lends a store's connections: one to write, and several to read.
///
/// `@unchecked Sendable`: `writer` is used only while `writing` is locked, and a reader only by the
/// thread that took it from `idle`, which nobody else can take it from until it is put back. A
/// connection has no ties to a thread (SQLITE_OPEN_NOMUTEX: "multi-thread" mode,
/// sqlite.org/threadsafe.html), so that it may be used by one thread after the other.
final class ConnectionGate: @unchecked Sendable {
  /// How many connections for reading are kept open.
  static let idleReadersMax = 4
  /// How many of those keep the pages that they have read.
  static let warmReadersMax = 2

  private let writer: Connection
  private let writing = NSRecursiveLock()
  private let idle = Mutex<[Reader]>([])
  private let openReader: (@Sendable () throws(SQLiteError) -> Connection)?
  /// The file that a commit has to write; nil where SQLite itself does.
  let atomicFile: AtomicFile?

  /// The file, where it is only read.
  private let readOnlyFile: ReadOnlyFile?

  private struct Reader: @unchecked Sendable {
    let connection: Connection
  }

  /// Takes the connection that writes, and how to open others that read; without, the one connection
  /// does both, as a database in memory has only one.
  init(
    writer: Connection, atomicFile: AtomicFile? = nil, readOnlyFile: ReadOnlyFile? = nil,
    openReader: (@Sendable () throws(SQLiteError) -> Connection)?
  ) {
    self.writer = writer
    self.readOnlyFile = readOnlyFile
    self.openReader = openReader
    self.atomicFile = atomicFile
  }

  // The writer last: it takes the write-ahead log away, which who only reads cannot.
  deinit { closeIdleReaders() }

  /// Runs `body` with the connection that writes, alone.
  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    writing.lock()
    defer { writing.unlock() }
    guard let atomicFile else { return try body(writer) }
    let changes = writer.totalChanges
    let result = try body(writer)
    if !writer.isInTransaction { try atomicFile.saveChanges(writer, since: changes) }
    return result
  }

  /// Runs `body` with the connection that writes, if nobody else has it now.
  func writeIfIdle<Result>(_ body: (Connection) throws -> Result) rethrows -> Result? {
    guard writing.try() else { return nil }
    defer { writing.unlock() }
    return try body(writer)
  }

  /// Runs `body` with a connection that reads: all that it reads is of one moment.
  ///
  /// Who has one connection for everything is alone with it; others read in a transaction.
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    guard let openReader else { return try write(body) }
    let reader = try idle.withLock { $0.popLast() } ?? Reader(connection: openReader())
    defer { putBack(reader) }
    func run() throws -> Result {
      try reader.connection.transaction(.deferred, failingAs: { $0 as any Error }) {
        try body(reader.connection)
      }
    }
    return try readOnlyFile?.reading(run) ?? run()
  }

  private func putBack(_ reader: Reader) {
    idle.withLock { idle in
      if idle.count >= Self.idleReadersMax { return }
      // Taken from the end, so that those at the front are needed by many readers at once only.
      if idle.count < Self.warmReadersMax { return idle.append(reader) }
      reader.connection.releaseMemory()
      idle.insert(reader, at: 0)
    }
  }

  /// Opens a connection that reads, for the caller alone; nil for a store in memory.
  func newReader() throws(SQLiteError) -> Connection? { try openReader?() }

  /// Closes the connections that nobody uses.
  func closeIdleReaders() { idle.withLock { $0.removeAll() } }
}
