import RecordStorageSQLite
import RecordWire
import SQLiteDriver
import Testing

@testable import RecordServer

/// What every storage does.
@Suite struct StorageTests {
  @Test(arguments: TestedStorage.allCases)
  func `a commit's records get the zone's next numbers, and the zone its database's next`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    let written = try await world.storage.write { transaction in
      _ = try transaction.createZone(Samples.notes, epoch: 1)
      _ = try transaction.write([Samples.write("a"), Samples.write("b")], in: Samples.notes)
      return try transaction.write([Samples.write("a", "2")], in: Samples.notes)
    }
    #expect(written.map(\.sequence) == [3])
    try await world.storage.read { transaction in
      let found = try transaction.records(["b", "none", "a"], in: Samples.notes)
      #expect(found.map { $0?.sequence } == [2, nil, 3])
      #expect(found.map { $0?.commit } == [1, nil, 3])
      #expect(try transaction.zone(Samples.notes)?.sequence == 3)
      #expect(try transaction.zone(Samples.notes)?.databaseSequence == 3)
      #expect(try transaction.databaseSequence(Samples.ann) == 3)
      #expect(
        try transaction.changes(
          of: Samples.notes, after: 0, upTo: 3, order: .oldestFirst, limit: PageLimit(records: 10),
          withTombstones: true
        ).rows.map(\.name) == ["b", "a"])
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `names that only look alike are of different zones, also for who reads both`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    let zones = ["caf\u{e9}", "cafe\u{301}"].map { ZoneKey(Samples.ann, $0) }
    try await world.storage.write { transaction in
      for (zone, name) in zip(zones, ["a", "b"]) {
        _ = try transaction.createZone(zone, epoch: 1)
        _ = try transaction.write([Samples.write(name)], in: zone)
      }
    }
    // Twice in one transaction, for what a reader remembers.
    let found = try await world.storage.read { transaction in
      try (zones + zones).map { zone in
        try transaction.records(["a", "b"], in: zone).map { $0?.name }
      }
    }
    #expect(found == [["a", nil], [nil, "b"], ["a", nil], [nil, "b"]])
  }

  @Test(arguments: TestedStorage.allCases)
  func `who asks whether records are there is told of live ones of exactly that name`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    try await world.makeZone()
    try await world.write([Samples.write("a"), Samples.write("gone", isDeleted: true)])
    let found = try await world.storage.read {
      try $0.areThere(["none", "a", "gone", "a", "A"], in: Samples.notes)
    }
    #expect(found == [false, true, false, true, false])
    await #expect(throws: StorageFailure.noZone(ZoneKey(Samples.ann, "None"))) {
      try await world.storage.read { try $0.areThere(["a"], in: ZoneKey(Samples.ann, "None")) }
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `records whose names only look alike are kept apart, with all that belongs to them`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    let names = ["caf\u{e9}", "cafe\u{301}"]
    let slot = IndexSlot(type: "Note", field: "text", kind: .value)
    let files = try ["a", "b"].map { try AssetWorld.file($0) }
    try await world.makeZone()
    try await world.storage.write { transaction in
      for file in files { try transaction.keepAsset(AssetRow(file, keptAt: 0), for: Samples.ann) }
      let writes = names.indices.map { index in
        RecordWrite(
          Samples.row(names[index], "\(index)"),
          references: [
            ReferenceRow(to: RecordKey(Samples.notes, names[1 - index]), .deleteSelf)
          ], assets: [files[index].address], entries: [IndexEntry(slot, [1, UInt8(index)])])
      }
      _ = try transaction.write(writes, in: Samples.notes)
    }
    func state() async throws -> [[String]] {
      try await world.storage.read { transaction in
        let rows = try transaction.records(names, in: Samples.notes)
        let found = try transaction.scan(IndexScan(slot), in: Samples.notes, limit: 9)
        let sources = try names.map { name in
          try transaction.sources(of: [RecordKey(Samples.notes, name)], limit: 9)
            .map(\.record.name)
        }
        return [
          rows.map { String(decoding: $0?.fields.json ?? [], as: UTF8.self) },
          found.map { "\($0.value) \($0.row.name.utf8.count)" },
          sources.map { "\($0.map(\.utf8.count))" },
        ]
      }
    }
    func json(_ text: String) -> String {
      String(decoding: Samples.row("", text).fields.json, as: UTF8.self)
    }
    #expect(
      try await state() == [
        [json("0"), json("1")], ["[1, 0] 5", "[1, 1] 6"], ["[6]", "[5]"],
      ])
    try await world.write([Samples.write(names[0], isDeleted: true)])
    #expect(try await state() == [["{}", json("1")], ["[1, 1] 6"], ["[6]", "[]"]])
    #expect(try await AssetStorageTests.unused(world.storage, ["a", "b"]) == ["a"])
  }

  @Test(arguments: TestedStorage.allCases)
  func `a body that throws leaves everything as it was`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    struct Stop: Error {}
    let target = RecordKey(Samples.notes, "a")
    try await world.storage.write { transaction in
      _ = try transaction.createZone(Samples.notes, epoch: 1)
      _ = try transaction.write([Samples.write("a"), Samples.write("b")], in: Samples.notes)
    }
    let before = try await world.contents()
    await #expect(throws: Stop.self) {
      try await world.storage.write { transaction in
        _ = try transaction.write(
          [
            Samples.write("a", "changed"), Samples.write("b", isDeleted: true),
            RecordWrite(Samples.row("c"), references: [ReferenceRow(to: target, .deleteSelf)]),
          ], in: Samples.notes)
        _ = try transaction.createZone(ZoneKey(Samples.ann, "Other"), epoch: 2)
        try transaction.dropTombstones(of: Samples.notes, upTo: 5)
        try transaction.deleteZone(Samples.notes)
        throw Stop()
      }
    }
    #expect(try await world.contents() == before)
    let sources = try await world.storage.read { try $0.sources(of: [target], limit: 100) }
    #expect(sources == [])
  }

  @Test(arguments: TestedStorage.allCases)
  func `who only reads cannot write`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    await #expect(throws: StorageFailure.readOnly) {
      try await world.storage.read { _ = try $0.createZone(Samples.notes, epoch: 1) }
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `references are found from their targets until they are written over`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    let (target, other) = (RecordKey(Samples.notes, "t"), RecordKey(Samples.notes, "u"))
    try await world.storage.write { transaction in
      _ = try transaction.createZone(Samples.notes, epoch: 1)
      _ = try transaction.write(
        [
          RecordWrite(
            Samples.row("x"),
            references: [ReferenceRow(to: target, .deleteSelf), ReferenceRow(to: other, .validate)]),
          RecordWrite(Samples.row("y"), references: [ReferenceRow(to: target, .validate)]),
        ], in: Samples.notes)
    }
    func found(_ targets: [RecordKey]) async throws -> [String] {
      try await world.storage.read { transaction in
        try transaction.sources(of: targets, limit: 100).map {
          "\($0.record.name) \($0.reference.action)"
        }
      }
    }
    #expect(try await found([target]) == ["x deleteSelf", "y validate"])
    #expect(try await found([other, target]) == ["x validate", "x deleteSelf", "y validate"])
    try await world.storage.write { transaction in
      _ = try transaction.write([Samples.write("x")], in: Samples.notes)
    }
    #expect(try await found([target, other]) == ["y validate"])
    try await world.storage.write { try $0.deleteZone(Samples.notes) }
    #expect(try await found([target]) == [])
  }

  @Test(arguments: TestedStorage.allCases)
  func `a deleted zone is remembered, and one of its name is another one`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    try await world.storage.write { transaction in
      _ = try transaction.createZone(Samples.notes, epoch: 1)
      _ = try transaction.write([Samples.write("a")], in: Samples.notes)
      try transaction.deleteZone(Samples.notes)
    }
    await #expect(throws: StorageFailure.noZone(Samples.notes)) {
      try await world.storage.read { _ = try $0.records(["a"], in: Samples.notes) }
    }
    let rows = try await world.storage.write { transaction in
      let deleted = try transaction.zones(of: Samples.ann, after: 0, limit: 5)
      _ = try transaction.createZone(Samples.notes, epoch: 2)
      return deleted + (try transaction.zones(of: Samples.ann, after: 0, limit: 5))
    }
    #expect(rows.map(\.isDeleted) == [true, false])
    #expect(rows.map(\.epoch) == [1, 2])
    #expect(rows.map(\.databaseSequence) == [3, 4])
    let record = try await world.storage.read { try $0.records(["a"], in: Samples.notes) }
    #expect(record == [nil])
  }
}

/// What a storage in a file does besides.
@Suite struct SQLiteStorageTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `many writers are committed together, and one that fails alone is undone alone`()
    async throws
  {
    struct Stop: Error {}
    let storage = try SQLiteStorage(at: folder.file("r"), newEpoch: 7)
    try await storage.write { _ = try $0.createZone(Samples.notes, epoch: 1) }
    let failed = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<300 {
        group.addTask {
          do {
            try await storage.write { transaction in
              _ = try transaction.write([Samples.write("r\(number)")], in: Samples.notes)
              if number % 10 == 0 { throw Stop() }
            }
            return false
          } catch { return error is Stop }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(failed == 30)
    let rows = try await storage.read {
      try $0.changes(
        of: Samples.notes, after: 0, upTo: .max, order: .oldestFirst,
        limit: PageLimit(records: 999), withTombstones: true
      ).rows
    }
    #expect(rows.map(\.sequence) == Array(1...270))
    #expect(Set(rows.map(\.name)).count == 270)
  }

  @Test func `a file that is opened again has everything, and another program's is refused`()
    async throws
  {
    let path = folder.file("r")
    do {
      let storage = try SQLiteStorage(at: path, newEpoch: 7)
      try await storage.write { transaction in
        _ = try transaction.createZone(Samples.notes, epoch: .max)
        _ = try transaction.write([Samples.write("a", "ä")], in: Samples.notes)
      }
    }
    let storage = try SQLiteStorage(at: path, newEpoch: 8)
    let (epoch, zone, row) = try await storage.read { transaction in
      (
        try transaction.epoch(), try transaction.zone(Samples.notes),
        try transaction.records(["a"], in: Samples.notes).first
      )
    }
    #expect(epoch == 7 && zone?.epoch == .max)
    var expected = Samples.row("a", "ä")
    (expected.sequence, expected.commit) = (1, 1)
    #expect(row == expected)
    for (sql, code) in [
      ("PRAGMA user_version = 99", StorageFileError.Code.newerFormat),
      ("PRAGMA application_id = 5", .notAStorage),
    ] {
      let other = folder.file(code.rawValue)
      _ = try SQLiteStorage(at: other, newEpoch: 1)
      try Connection(.file(other)).execute(sql)
      let error = try #require(throws: StorageFileError.self) {
        try SQLiteStorage(at: other, newEpoch: 1)
      }
      #expect(error.code == code)
    }
  }
}
