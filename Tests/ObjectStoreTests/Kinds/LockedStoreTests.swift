import DataModel
import Foundation
import ObjectStore
import SQLiteDriver
import Testing

@Suite struct LockedStoreTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("album.sqlite")
    _ = try Store(at: .file(path), schema: Album.schema)
  }

  @Test func `what a store says about itself is read when another process lets go of it`() throws {
    let facts = try whileLocked { try Store.facts(at: path) }
    #expect(facts.schema == Album.schema)
  }

  @Test func `a store opens when another process lets go of it`() throws {
    let store = try whileLocked { try Store(at: .file(path), schema: Album.schema) }
    #expect(try store.history() == [])
  }

  @Test func `a store that is in use cannot be taken away, and is not waited for`() throws {
    let open = try Store(at: .file(path), schema: Album.schema)
    #expect(throws: StoreError.self) { try Store.destroy(at: path) }
    #expect(try open.history() == [])
  }

  /// Runs `body` while somebody has the file for himself, who lets go of it after a moment.
  private func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
    let isLocked = DispatchSemaphore(value: 0)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [path] in
      defer { isDone.signal() }
      guard let connection = try? Connection(.file(path), mode: .readWrite) else {
        isLocked.signal()
        return
      }
      try? connection.execute("PRAGMA locking_mode = EXCLUSIVE")
      try? connection.execute("BEGIN IMMEDIATE; COMMIT")
      isLocked.signal()
      Thread.sleep(forTimeInterval: 0.1)
      connection.close()
    }
    isLocked.wait()
    defer { isDone.wait() }
    return try body()
  }
}
