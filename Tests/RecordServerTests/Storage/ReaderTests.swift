import Foundation
import RecordStorageSQLite
import RecordWire
import SQLiteDriver
import Synchronization
import Testing

@testable import RecordServer

/// What connections for reading, which stay in one transaction while nobody writes, show and hold up.
@Suite struct ReaderTests {
  /// The number of the newest change that was answered.
  final class Written: Sendable {
    let last = Atomic<UInt64>(0)
  }

  @Test func `a write that has returned is seen by every read that begins afterwards`() async throws
  {
    let folder = try ScratchFolder()
    let storage = try SQLiteStorage(at: folder.file("records"), newEpoch: 7)
    try await storage.write { _ = try $0.createZone(Samples.notes, epoch: 1) }
    let written = Written()
    try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        for _ in 0..<300 {
          let rows = try await storage.write {
            try $0.write([Samples.write("a")], in: Samples.notes)
          }
          written.last.store(rows[0].sequence, ordering: .releasing)
        }
        return 0
      }
      for _ in 0..<6 {
        group.addTask {
          var stale = 0
          while written.last.load(ordering: .acquiring) < 300 {
            let number = written.last.load(ordering: .acquiring)
            let seen = try await storage.read { transaction in
              (
                zone: try transaction.zone(Samples.notes)?.sequence,
                record: number == 0
                  ? 0 : try transaction.records(["a"], in: Samples.notes)[0]?.sequence
              )
            }
            if seen.zone ?? 0 < number || seen.record ?? 0 < number { stale += 1 }
            await Task.yield()
          }
          return stale
        }
      }
      for try await stale in group { #expect(stale == 0) }
    }
  }

  @Test func `what another connection commits is seen by the next read, zones and schema too`()
    async throws
  {
    let folder = try ScratchFolder()
    let ours = try SQLiteStorage(at: folder.file("records"), newEpoch: 7)
    let others = try SQLiteStorage(at: folder.file("records"), newEpoch: 8)
    try await others.write { _ = try $0.createZone(Samples.notes, epoch: 1) }
    for number: Int64 in 1..<20 {
      try await others.write { transaction in
        try transaction.setSchema([UInt8(number)], version: number)
        _ = try transaction.write([Samples.write("a")], in: Samples.notes)
      }
      for _ in 0..<3 {
        let seen = try await ours.read { transaction in
          [
            try transaction.schemaVersion(),
            try transaction.zone(Samples.notes).map { Int64($0.sequence) },
            try transaction.records(["a"], in: Samples.notes)[0].map { Int64($0.sequence) },
          ]
        }
        #expect(seen == [number, number, number])
      }
    }
  }

  @Test func `reading all the time does not keep the log from being emptied`() async throws {
    let folder = try ScratchFolder()
    let path = folder.file("records")
    let storage = try SQLiteStorage(at: path, newEpoch: 7)
    try await storage.write { _ = try $0.createZone(Samples.notes, epoch: 1) }
    let large = String(repeating: "x", count: 100_000)
    // Sixty megabytes, through a log that is copied every four: SQLite's own 1000 pages.
    for number in 0..<600 {
      try await storage.write {
        _ = try $0.write([Samples.write("\(number % 20)", large)], in: Samples.notes)
      }
      for _ in 0..<5 { _ = try await storage.read { try $0.zone(Samples.notes) } }
    }
    let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
    #expect(try #require(size) < 10_000_000)
  }

  @Test func `another process can empty the log soon after the last read`() async throws {
    let folder = try ScratchFolder()
    let path = folder.file("records")
    let storage = try SQLiteStorage(at: path, newEpoch: 7)
    try await storage.write { _ = try $0.createZone(Samples.notes, epoch: 1) }
    for _ in 0..<5 { _ = try await storage.read { try $0.zone(Samples.notes) } }
    let other = try Connection(.file(path), mode: .readWrite)
    try other.execute("INSERT INTO storage_fact VALUES ('test', 1)")
    other.setBusyTimeout(milliseconds: 10_000)
    let checkpoint = try #require(try other.checkpoint(.truncate))
    #expect(checkpoint.isComplete && checkpoint.loggedPages == 0)
  }

  @Test func `a read that fails leaves nothing open for the next one`() async throws {
    struct Stop: Error {}
    let folder = try ScratchFolder()
    let storage = try SQLiteStorage(at: folder.file("records"), newEpoch: 7)
    for epoch: UInt64 in 1..<5 {
      let zone = ZoneKey(Samples.ann, "Zone\(epoch)")
      try await storage.write { _ = try $0.createZone(zone, epoch: epoch) }
      await #expect(throws: Stop.self) {
        try await storage.read { transaction in
          _ = try transaction.zone(zone)
          throw Stop()
        }
      }
      #expect(try await storage.read { try $0.zone(zone)?.epoch } == epoch)
    }
  }
}
