import RecordStorageSQLite
import RecordWire
import Testing

@testable import RecordServer

/// What every storage knows of assets.
@Suite struct AssetStorageTests {
  static let other = ZoneKey(Samples.ann, "Other")

  static func row(_ text: String, at moment: Int64 = 0) throws -> AssetRow {
    AssetRow(try AssetWorld.file(text), keptAt: moment)
  }

  static func write(_ name: String, _ texts: String...) throws -> RecordWrite {
    RecordWrite(Samples.row(name), assets: try texts.map { try AssetWorld.file($0).address })
  }

  /// The texts of the assets that go when all may go that nobody has; nothing is changed.
  static func unused(_ storage: any RecordStorage, _ texts: [String]) async throws -> [String] {
    struct Undo: Error {}
    var names: [AssetAddress: String] = [:]
    for text in texts { names[try AssetWorld.file(text).address] = text }
    do {
      return try await storage.write { transaction in
        throw Found(addresses: try transaction.forgetAssets(keptBefore: .max, limit: 1000))
      }
    } catch let found as Found {
      return found.addresses.map { names[$0] ?? "?" }.sorted()
    }
  }

  private struct Found: Error { var addresses: [AssetAddress] }

  @Test(arguments: TestedStorage.allCases)
  func `an asset is kept until the moment that was told last`(kind: TestedStorage) async throws {
    let world = try StorageWorld(kind)
    let address = try Self.row("a").file.address
    try await world.storage.write { transaction in
      #expect(try transaction.asset(address) == nil)
      try transaction.keepAsset(try Self.row("a", at: 20), for: Samples.ann)
      try transaction.keepAsset(try Self.row("a", at: 10), for: Samples.ann)
      try transaction.keepAsset(try Self.row("b", at: 5), for: Samples.ann)
      try transaction.keepAsset(try Self.row("c", at: 7), for: Samples.ann)
      #expect(try transaction.asset(address) == Self.row("a", at: 20))
    }
    let rounds = try await world.storage.write { transaction in
      try [(21, 1), (21, 1), (20, 9), (21, 9), (21, 9)].map { moment, limit in
        try transaction.forgetAssets(keptBefore: moment, limit: limit)
      }
    }
    let (a, b, c) = (
      try Self.row("a").file.address, try Self.row("b").file.address,
      try Self.row("c").file.address
    )
    #expect(rounds == [[b], [c], [], [a], []])
    let gone = try await world.storage.read { try $0.asset(address) }
    #expect(gone == nil)
  }

  @Test(arguments: TestedStorage.allCases)
  func `an asset stays as long as some record has it, however records change`(kind: TestedStorage)
    async throws
  {
    let world = try StorageWorld(kind)
    let texts = ["a", "b", "c"]
    func unused() async throws -> [String] { try await Self.unused(world.storage, texts) }
    try await world.storage.write { transaction in
      for zone in [Samples.notes, Self.other] { _ = try transaction.createZone(zone, epoch: 1) }
      for text in texts { try transaction.keepAsset(try Self.row(text), for: Samples.ann) }
      _ = try transaction.write(
        [
          try Self.write("x", "a", "b"), try Self.write("y", "b"),
          try Self.write("twice", "c", "c"),
        ], in: Samples.notes)
      let rows = try transaction.write([try Self.write("z", "a")], in: Self.other)
      #expect(rows.map(\.hasAssets) == [true])
    }
    #expect(try await unused() == [])
    let steps: [(RecordWrite, [String])] = [
      (try Self.write("twice"), ["c"]),
      // The record has them anew.
      (try Self.write("x", "a", "c"), []),
      (Samples.write("y", isDeleted: true), ["b"]),
      (try Self.write("y", "b"), []),
      (try Self.write("x"), ["c"]),
    ]
    for (write, expected) in steps {
      try await world.write([write])
      #expect(try await unused() == expected, "\(write.row.name)")
    }
    try await world.storage.write { try $0.deleteZone(Self.other) }
    #expect(try await unused() == ["a", "c"])
    try await world.storage.write { transaction in
      try transaction.deleteZone(Samples.notes)
      _ = try transaction.createZone(Samples.notes, epoch: 2)
    }
    #expect(try await unused() == ["a", "b", "c"])
  }

  @Test(arguments: TestedStorage.allCases)
  func `a body that throws leaves assets as they were`(kind: TestedStorage) async throws {
    let world = try StorageWorld(kind)
    struct Stop: Error {}
    try await world.storage.write { transaction in
      _ = try transaction.createZone(Samples.notes, epoch: 1)
      for text in ["a", "b"] { try transaction.keepAsset(try Self.row(text), for: Samples.ann) }
      _ = try transaction.write(
        [try Self.write("x", "a"), try Self.write("y", "a")], in: Samples.notes)
    }
    for step in 0..<4 {
      await #expect(throws: Stop.self) {
        try await world.storage.write { transaction in
          try transaction.keepAsset(try Self.row("c"), for: Samples.ann)
          try transaction.keepAsset(try Self.row("b", at: 9), for: Samples.ann)
          _ = try transaction.write(
            [try Self.write("x", "c"), try Self.write("y", "b"), try Self.write("n", "b")],
            in: Samples.notes)
          if step > 0 { _ = try transaction.forgetAssets(keptBefore: .max, limit: 9) }
          if step > 1 { try transaction.deleteZone(Samples.notes) }
          if step > 2 { _ = try transaction.createZone(Samples.notes, epoch: 2) }
          throw Stop()
        }
      }
      #expect(try await Self.unused(world.storage, ["a", "b", "c"]) == ["b"], "step \(step)")
      let found = try await world.storage.read { transaction in
        try ["b", "c"].map { try transaction.asset(try AssetWorld.file($0).address)?.keptAt }
      }
      #expect(found == [0, nil], "step \(step)")
    }
    // The counts are right still: both records have to go.
    try await world.write([try Self.write("x")])
    #expect(try await Self.unused(world.storage, ["a", "b"]) == ["b"])
    try await world.write([try Self.write("y")])
    #expect(try await Self.unused(world.storage, ["a", "b"]) == ["a", "b"])
  }

  @Test(arguments: TestedStorage.allCases)
  func `no record gets an asset that the storage does not know, and readers keep nothing`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    try await world.makeZone()
    let file = try AssetWorld.file("a")
    await #expect(throws: StorageFailure.noAsset(file.address)) {
      try await world.write([try Self.write("x", "a")])
    }
    #expect(try await world.contents().last == [])
    await #expect(throws: StorageFailure.readOnly) {
      try await world.storage.read { try $0.keepAsset(AssetRow(file, keptAt: 0), for: Samples.ann) }
    }
    await #expect(throws: StorageFailure.readOnly) {
      try await world.storage.read { _ = try $0.forgetAssets(keptBefore: 0, limit: 0) }
    }
  }

  @Test func `a file that is opened again knows which records have assets`() async throws {
    let folder = try ScratchFolder()
    do {
      let storage = try SQLiteStorage(at: folder.file("r"), newEpoch: 7)
      try await storage.write { transaction in
        _ = try transaction.createZone(Samples.notes, epoch: 1)
        for text in ["a", "b"] { try transaction.keepAsset(try Self.row(text), for: Samples.ann) }
        _ = try transaction.write([try Self.write("x", "a")], in: Samples.notes)
      }
    }
    let storage = try SQLiteStorage(at: folder.file("r"), newEpoch: 8)
    let row = try await storage.read { try $0.records(["x"], in: Samples.notes) }
    #expect(row.map { $0?.hasAssets } == [true])
    #expect(try await Self.unused(storage, ["a", "b"]) == ["b"])
  }
}
