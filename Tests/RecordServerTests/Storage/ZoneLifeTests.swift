import RecordStorageSQLite
import RecordWire
import SQLiteDriver
import Testing

@testable import RecordServer

/// How zones go: at once for whoever reads, in steps for the disk, and for good after some time.
@Suite struct ZoneLifeTests {
  static let slot = IndexSlot(type: "Note", field: "text", kind: .value)

  /// A zone with seven records that have index entries, one of which refers to the first.
  private static func fill(_ storage: any RecordStorage) async throws {
    try await storage.write { transaction in
      _ = try transaction.createZone(Samples.notes, epoch: 1)
      try transaction.keepAsset(try AssetStorageTests.row("a"), for: Samples.ann)
      let target = RecordKey(Samples.notes, "r0")
      let asset = try AssetWorld.file("a").address
      let writes = (0..<7).map { number in
        RecordWrite(
          Samples.row("r\(number)"), references: [ReferenceRow(to: target, .deleteSelf)],
          assets: number == 6 ? [asset] : [], entries: [IndexEntry(slot, [1, UInt8(number)])])
      }
      _ = try transaction.write(writes, in: Samples.notes)
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `a deleted zone is gone for every reader before its records are`(kind: TestedStorage)
    async throws
  {
    let world = try StorageWorld(kind)
    try await Self.fill(world.storage)
    try await world.storage.write { try $0.deleteZone(Samples.notes, at: 5) }
    try await world.storage.read { transaction in
      let zone = try transaction.zone(Samples.notes)
      #expect(zone?.isDeleted == true)
      #expect(try transaction.bytesUsed(by: Samples.ann) == 0)
      #expect(try transaction.liveZones(of: Samples.ann, limit: 9) == [])
      #expect(try transaction.liveZoneCount(of: Samples.ann) == 0)
      #expect(
        try transaction.sources(of: [RecordKey(Samples.notes, "r0")], limit: 9) == [])
      #expect(try transaction.records(after: 0, limit: 100).records.isEmpty)
    }
    // A zone of its name has nothing of it, and the zones after it neither.
    let other = ZoneKey(Samples.ann, "Other")
    try await world.storage.write { transaction in
      for zone in [Samples.notes, other] {
        _ = try transaction.createZone(zone, epoch: 2)
        let names = (0..<7).map { "r\($0)" }
        #expect(try transaction.areThere(names, in: zone) == names.map { _ in false })
        #expect(try transaction.count(IndexScan(Self.slot), in: zone, limit: 9) == 0)
        #expect(try transaction.digest(of: zone) == ZoneDigest())
      }
      _ = try transaction.write([Samples.write("r0", "new")], in: Samples.notes)
    }
    while try await world.storage.write({ try $0.dropRemains(limit: 2) }) == false {}
    try await world.storage.read { transaction in
      let areThere = try transaction.areThere(["r0", "r1"], in: Samples.notes)
      #expect(areThere == [true, false])
      #expect(try transaction.liveZones(of: Samples.ann, limit: 1).map(\.key) == [other])
      #expect(try transaction.liveZoneCount(of: Samples.ann) == 2)
      #expect(
        try transaction.bytesUsed(by: Samples.ann) == Int64(Samples.row("r0", "new").byteCount))
    }
    #expect(try await AssetStorageTests.unused(world.storage, ["a"]) == ["a"])
  }

  @Test
  func `deleting a zone touches no record, and what is left goes in steps, also after a restart`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.file("r")
    func counts() throws -> [Int64] {
      let connection = try Connection(.file(path))
      return try ["record", "index_entry", "index_list", "reference", "zone_remains"].map { table in
        let rows = try connection.prepare("SELECT count(*) FROM \(table)")
        return try rows.step() ? rows.integer(0) : -1
      }
    }
    do {
      let storage = try SQLiteStorage(at: path, newEpoch: 7)
      try await Self.fill(storage)
      try await storage.write { try $0.deleteZone(Samples.notes, at: 5) }
      #expect(try counts() == [7, 7, 7, 7, 1])
      let isDone = try await storage.write { try $0.dropRemains(limit: 3) }
      #expect(!isDone)
      #expect(try counts() == [4, 4, 4, 4, 1])
    }
    let service = RecordService(
      .development, storage: try SQLiteStorage(at: path, newEpoch: 8))
    try await service.dropRemains()
    #expect(try counts() == [0, 0, 0, 0, 0])
  }

  @Test(arguments: TestedStorage.allCases)
  func `deleted zones are forgotten with old tombstones, and older tokens have expired`(
    kind: TestedStorage
  ) async throws {
    let made = try kind.make()
    let service = RecordService(.development, storage: made.storage)
    func key(_ name: String) -> ZoneKey { ZoneKey(Samples.ann, name) }
    func page(_ token: SyncToken?) async throws -> FeedPage<ZoneRow> {
      try await made.storage.read {
        try DatabaseFeed(Samples.ann, limit: 9).page(after: token, in: $0)
      }
    }
    let names = ["A", "B", "C"]
    let zones = names.map(key)
    try await made.storage.write { transaction in
      for zone in zones { _ = try transaction.createZone(zone, epoch: 1) }
    }
    let before = try await page(nil).token
    try await made.storage.write { try $0.deleteZone(zones[0], at: 10) }
    let between = try await page(before).token
    try await made.storage.write { try $0.deleteZone(zones[1], at: 20) }
    #expect(try await service.dropTombstones(madeBefore: 10) == 0)
    #expect(try await service.dropTombstones(madeBefore: 20) == 1)
    let left = try await made.storage.read { transaction in
      try transaction.zones(of: Samples.ann, after: 0, limit: 9).map(\.key.name)
    }
    #expect(left == ["C", "B"])
    await #expect(throws: RequestFailure.tokenExpired) { try await page(before) }
    #expect(try await page(between).elements.map(\.key.name) == ["B"])
    #expect(try await page(nil).elements.map(\.key.name) == ["C"])
    // One of its name can be made again.
    try await made.storage.write { _ = try $0.createZone(zones[0], epoch: 2) }
    #expect(try await page(between).elements.map(\.key.name) == ["B", "A"])
  }

  @Test(arguments: TestedStorage.allCases)
  func `a body that throws forgets no zone and deletes none`(kind: TestedStorage) async throws {
    let world = try StorageWorld(kind)
    struct Stop: Error {}
    let other = ZoneKey(Samples.ann, "Other")
    try await Self.fill(world.storage)
    try await world.storage.write { transaction in
      _ = try transaction.createZone(other, epoch: 1)
      try transaction.deleteZone(other, at: 1)
    }
    let before = try await world.contents()
    await #expect(throws: Stop.self) {
      try await world.storage.write { transaction in
        #expect(try transaction.forgetZones(deletedBefore: 2, limit: 9) == 1)
        try transaction.deleteAllZones(at: 2)
        _ = try transaction.dropRemains(limit: 100)
        throw Stop()
      }
    }
    #expect(try await world.contents() == before)
    let (floor, count) = try await world.storage.read { transaction in
      (
        try transaction.databaseFloor(Samples.ann),
        try transaction.count(IndexScan(Self.slot), in: Samples.notes, limit: 9)
      )
    }
    #expect(floor == 0 && count == 7)
  }
}
