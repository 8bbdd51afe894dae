import RecordWire
import Testing

@testable import RecordServer

/// What every storage does.
@Suite struct StorageTests {
  let storage = MemoryStorage(epoch: 7)

  @Test func `a commit's records get the zone's next numbers, and the zone its database's next`()
    async throws
  {
    let written = try await storage.write { transaction in
      _ = try transaction.createZone(Samples.notes, epoch: 1)
      _ = try transaction.write([Samples.write("a"), Samples.write("b")], in: Samples.notes)
      return try transaction.write([Samples.write("a", "2")], in: Samples.notes)
    }
    #expect(written.map(\.sequence) == [3])
    try await storage.read { transaction in
      let found = try transaction.records(["b", "none", "a"], in: Samples.notes)
      #expect(found.map { $0?.sequence } == [2, nil, 3])
      #expect(found.map { $0?.commit } == [1, nil, 3])
      #expect(try transaction.zone(Samples.notes)?.sequence == 3)
      #expect(try transaction.zone(Samples.notes)?.databaseSequence == 3)
      #expect(try transaction.databaseSequence(Samples.ann) == 3)
      #expect(
        try transaction.changes(
          of: Samples.notes, after: 0, upTo: 3, limit: 10, withTombstones: true
        ).map(\.name) == ["b", "a"])
    }
  }

  @Test func `a body that throws leaves everything as it was`() async throws {
    struct Stop: Error {}
    let target = RecordKey(Samples.notes, "a")
    try await storage.write { transaction in
      _ = try transaction.createZone(Samples.notes, epoch: 1)
      _ = try transaction.write([Samples.write("a"), Samples.write("b")], in: Samples.notes)
    }
    let before = try await contents()
    await #expect(throws: Stop.self) {
      try await storage.write { transaction in
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
    #expect(try await contents() == before)
    let sources = try await storage.read { try $0.sources(of: [target]) }
    #expect(sources == [])
  }

  private func contents() async throws -> [[String]] {
    try await storage.read { transaction in
      let zones = try transaction.zones(of: Samples.ann, after: 0, limit: 10)
      let rows = try transaction.changes(
        of: Samples.notes, after: 0, upTo: .max, limit: 100, withTombstones: true)
      return [zones.map { "\($0)" }, rows.map { "\($0)" }]
    }
  }

  @Test func `who only reads cannot write`() async throws {
    await #expect(throws: StorageFailure.readOnly) {
      try await storage.read { _ = try $0.createZone(Samples.notes, epoch: 1) }
    }
  }

  @Test func `references are found from their targets until they are written over`() async throws {
    let (target, other) = (RecordKey(Samples.notes, "t"), RecordKey(Samples.notes, "u"))
    try await storage.write { transaction in
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
      try await storage.read { transaction in
        try transaction.sources(of: targets).map { "\($0.record.name) \($0.reference.action)" }
      }
    }
    #expect(try await found([target]) == ["x deleteSelf", "y validate"])
    #expect(try await found([other, target]) == ["x validate", "x deleteSelf", "y validate"])
    try await storage.write { transaction in
      _ = try transaction.write([Samples.write("x")], in: Samples.notes)
    }
    #expect(try await found([target, other]) == ["y validate"])
    try await storage.write { try $0.deleteZone(Samples.notes) }
    #expect(try await found([target]) == [])
  }

  @Test func `a deleted zone is remembered, and one of its name is another one`() async throws {
    try await storage.write { transaction in
      _ = try transaction.createZone(Samples.notes, epoch: 1)
      _ = try transaction.write([Samples.write("a")], in: Samples.notes)
      try transaction.deleteZone(Samples.notes)
    }
    await #expect(throws: StorageFailure.noZone(Samples.notes)) {
      try await storage.read { _ = try $0.records(["a"], in: Samples.notes) }
    }
    let rows = try await storage.write { transaction in
      let deleted = try transaction.zones(of: Samples.ann, after: 0, limit: 5)
      _ = try transaction.createZone(Samples.notes, epoch: 2)
      return deleted + (try transaction.zones(of: Samples.ann, after: 0, limit: 5))
    }
    #expect(rows.map(\.isDeleted) == [true, false])
    #expect(rows.map(\.epoch) == [1, 2])
    #expect(rows.map(\.databaseSequence) == [3, 4])
    let record = try await storage.read { try $0.records(["a"], in: Samples.notes) }
    #expect(record == [nil])
  }
}
