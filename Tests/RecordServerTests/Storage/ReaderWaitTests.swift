import RecordWire
import SQLiteDriver
import Testing

@testable import RecordServer
@testable import RecordStorageSQLite

/// Readers run on event loops, and on threads that all tasks share: they do not wait there.
@Suite struct ReaderWaitTests {
  @Test func `readers wait for other processes a moment only`() async throws {
    let folder = try ScratchFolder()
    let storage = try SQLiteStorage(at: folder.file("r"), newEpoch: 7)
    let wait = try await storage.read { transaction -> Int64 in
      let connection = try #require(transaction as? SQLiteTransaction).connection
      let statement = try connection.prepare("PRAGMA busy_timeout")
      return try statement.step() ? statement.integer(0) : -1
    }
    #expect(wait == Int64(SQLiteStorage.readerBusyMilliseconds))
  }

  @Test func `a file that is kept by another process is answered with the time to come again`()
    async throws
  {
    let folder = try ScratchFolder()
    let storage = try SQLiteStorage(at: folder.file("r"), newEpoch: 7)
    let failure = await #expect(throws: RequestFailure.self) {
      try await storage.read { _ in
        throw SQLiteError(code: SQLiteCode(rawValue: 261), message: "database is locked")
      }
    }
    #expect(failure?.code == .tryAgainLater && failure?.retryAfter == 1)
  }

  @Test func `a reader goes on while a writer writes`() async throws {
    let folder = try ScratchFolder()
    let path = folder.file("r")
    let storage = try SQLiteStorage(at: path, newEpoch: 7)
    try await storage.write { _ = try $0.createZone(Samples.notes, epoch: 1) }
    let other = try Connection(.file(path))
    try other.execute("BEGIN IMMEDIATE")
    try other.execute("UPDATE zone SET sequence = 5")
    let zone = try await storage.read { try $0.zone(Samples.notes) }
    #expect(zone?.sequence == 0)
    try other.execute("ROLLBACK")
  }
}
