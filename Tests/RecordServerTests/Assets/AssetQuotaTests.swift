import Foundation
import RecordStorageSQLite
import RecordWire
import Testing

@testable import AssetFiles
@testable import RecordServer

/// How much may be uploaded for a database, and when that is given back.
@Suite struct AssetQuotaTests {
  static let bob = DatabaseKey.user("_bob")

  private static func held(_ storage: any RecordStorage) async throws -> [Int64] {
    try await storage.read { transaction in
      try [Samples.ann, bob].map { try transaction.assetBytes(heldFor: $0) }
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `a database holds an asset from its upload until neither record nor receipt has it`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    try await world.makeZone()
    let theirs = ZoneKey(Self.bob, "Notes")
    try await world.storage.write { transaction in
      _ = try transaction.createZone(theirs, epoch: 1)
      for _ in 0..<2 {
        try transaction.keepAsset(try AssetStorageTests.row("four", at: 10), for: Samples.ann)
      }
      try transaction.keepAsset(try AssetStorageTests.row("two", at: 5), for: Samples.ann)
      try transaction.keepAsset(try AssetStorageTests.row("four", at: 10), for: Self.bob)
      _ = try transaction.write([try AssetStorageTests.write("x", "four")], in: Samples.notes)
      _ = try transaction.write([try AssetStorageTests.write("y", "four")], in: theirs)
    }
    #expect(try await Self.held(world.storage) == [7, 4])
    func release(_ moment: Int64) async throws -> Int {
      try await world.storage.write { try $0.releaseAssets(keptBefore: moment, limit: 10) }
    }
    #expect(try await release(.max) == 1)
    #expect(try await Self.held(world.storage) == [4, 4])
    try await world.write([Samples.write("x", isDeleted: true)])
    #expect(try await release(10) == 0)
    #expect(try await release(11) == 1)
    #expect(try await Self.held(world.storage) == [0, 4])
    // Bob has the file still, so it is there; it goes with his record.
    try await world.storage.write { transaction in
      #expect(try transaction.asset(try AssetWorld.file("four").address) != nil)
      try transaction.deleteZone(theirs)
      _ = try transaction.forgetAssets(keptBefore: .max, limit: 10)
    }
    #expect(try await Self.held(world.storage) == [0, 0])
  }

  @Test(arguments: TestedStorage.allCases)
  func `a body that throws leaves what databases hold as it was`(kind: TestedStorage) async throws {
    let world = try StorageWorld(kind)
    try await world.makeZone()
    struct Stop: Error {}
    try await world.storage.write { transaction in
      try transaction.keepAsset(try AssetStorageTests.row("four"), for: Samples.ann)
      _ = try transaction.write([try AssetStorageTests.write("x", "four")], in: Samples.notes)
    }
    await #expect(throws: Stop.self) {
      try await world.storage.write { transaction in
        try transaction.keepAsset(try AssetStorageTests.row("two"), for: Self.bob)
        try transaction.deleteZone(Samples.notes)
        _ = try transaction.releaseAssets(keptBefore: .max, limit: 10)
        _ = try transaction.forgetAssets(keptBefore: .max, limit: 10)
        throw Stop()
      }
    }
    #expect(try await Self.held(world.storage) == [4, 0])
    // The record counts as before.
    let released = try await world.storage.write {
      try $0.releaseAssets(keptBefore: .max, limit: 10)
    }
    #expect(released == 0)
  }

  @Test(arguments: TestedStorage.allCases)
  func `a file beyond the quota is refused and goes at once, unless it is held already`(
    kind: TestedStorage
  ) async throws {
    let made = try kind.make()
    let folder = try AssetFolder(at: made.folder.file("assets"))
    func upload(_ text: String, _ database: DatabaseKey = Samples.ann) async throws {
      let file = try await AssetFolderTests.store(text, in: folder)
      let quota = AssetQuota(database, bytesMax: 8)
      try await folder.keep(file, within: quota, in: made.storage, now: 1)
    }
    try await upload("12345")
    try await upload("12345")
    let failure = await #expect(throws: RequestFailure.self) { try await upload("1234") }
    #expect(failure?.code == .quotaExceeded)
    #expect(failure?.reason == "the files of a database's assets take at most 8 bytes")
    #expect(folder.size(of: try AssetWorld.file("1234").address) == nil)
    #expect(try await Self.held(made.storage) == [5, 0])
    // Others' files stay where they are.
    try await upload("1234", Self.bob)
    await #expect(throws: RequestFailure.self) { try await upload("1234") }
    #expect(folder.size(of: try AssetWorld.file("1234").address) == 4)
    try await upload("123")
    #expect(try await Self.held(made.storage) == [8, 4])
    // What nobody used is given back with the next sweep after its receipts have expired.
    _ = try await AssetSweep(made.storage, folder).run(now: AssetLimits.receiptLife + 2)
    #expect(try await Self.held(made.storage) == [0, 0])
  }

  @Test func `no places are given where the database is full`() async throws {
    let world = try await AssetWorld()
    world.bytesMax = 5
    _ = try await world.upload("1234", to: "a")
    _ = try await world.upload("5", to: "a")
    let failure = await #expect(throws: RequestFailure.self) {
      _ = try await world.upload("6", to: "a")
    }
    #expect(failure?.code == .quotaExceeded)
  }

  @Test func `a file of the first format learns which databases hold its assets`() async throws {
    let folder = try ScratchFolder()
    try FileManager.default.copyItem(
      atPath: Self.oldFile, toPath: folder.file("development.sqlite"))
    let storage = try SQLiteStorage(at: folder.file("development.sqlite"), newEpoch: 1)
    let (held, released) = try await storage.write { transaction in
      let databases = try transaction.records(after: 0, limit: 100).records.map(\.zone.database)
      let held = try Set(databases).map { try transaction.assetBytes(heldFor: $0) }
      return (held, try transaction.releaseAssets(keptBefore: .max, limit: 10))
    }
    // "the file's bytes", which a record has.
    #expect(held.max() == 16)
    #expect(released == 0)
  }

  /// What release 0.1.0 left.
  static let oldFile =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appendingPathComponent(
      "Fixtures/data-directories/0.1.0/data/containers/contrail.local/development.sqlite"
    ).path
}
