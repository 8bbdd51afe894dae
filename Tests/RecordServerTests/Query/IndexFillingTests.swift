import DataModel
import RecordStorageSQLite
import RecordWire
import SchemaGenerator
import Testing

@testable import RecordServer

/// Indexes that come and go while records are there.
@Suite struct IndexFillingTests {
  static let plain = #"""
    RECORD TYPE T (i INT64, s STRING, "___recordID" REFERENCE QUERYABLE, GRANT WRITE TO "_creator");
    """#
  static let indexed = #"""
    RECORD TYPE T (i INT64 QUERYABLE SORTABLE, s STRING SEARCHABLE,
      "___recordID" REFERENCE QUERYABLE, GRANT WRITE TO "_creator");
    """#

  /// Changes the schema, and notes what that leaves to do.
  private func change(_ world: QueryWorld, to text: String) async throws {
    let bytes = Array("DEFINE SCHEMA \(text)".utf8)
    let outcome = world.writing.schema.importing(bytes, file: "new.ckdb", by: .test)
    world.writing.schema = try outcome.changed()
    let (schema, work) = (world.resolved, outcome.plan.indexes)
    try await world.storage.write { try IndexFilling(schema, in: $0).begin(work) }
  }

  @Test(arguments: TestedStorage.allCases)
  func `a query waits until the index is filled that it needs`(kind: TestedStorage) async throws {
    let world = try await QueryWorld(kind, Self.plain)
    try await world.save(
      (0..<50).map { ("r\($0)", ["i": .int64(Int64($0 % 5)), "s": .string("word \($0)")]) })
    try await world.save((50..<60).map { ("r\($0)", [:]) })
    try await change(world, to: Self.indexed)
    let equal = RecordQuery.of(QueryFilter(.field("i"), .equals, .int64(3)))
    let later = RequestFailure(
      .tryAgainLater, reason: "the index of the field 'i' is being filled", retryAfter: 1)
    #expect(try await world.failure(equal) == later)
    #expect(try await world.failure(.of(sorts: [QuerySort(.field("i"))])) == later)
    #expect(try await world.failure(.of()) == nil)
    try await world.fill(limit: 7)
    #expect(try await world.names(equal).count == 10)
    #expect(try await world.names(.of(sorts: [QuerySort(.field("i"))])).count == 60)
    #expect(try await world.names("s", .containsAllTokens, .string("WORD 7")) == ["r7"])
    #expect(try await world.storage.read { try $0.pendingIndexes() } == [])
  }

  @Test(arguments: TestedStorage.allCases)
  func `an index that was dropped is gone, and complete when it comes back`(
    kind: TestedStorage
  ) async throws {
    let world = try await QueryWorld(kind, Self.indexed)
    try await world.save((0..<30).map { ("r\($0)", ["i": .int64(Int64($0))]) })
    try await change(world, to: Self.plain)
    let query = RecordQuery.of(QueryFilter(.field("i"), .lessThan, .int64(5)))
    #expect(try await world.failure(query)?.reason == "Field 'i' is not marked sortable")
    let slot = IndexSlot(type: "T", field: "i", kind: .value)
    let left = try await world.storage.read {
      try $0.count(IndexScan(slot), in: Samples.notes, limit: 100)
    }
    #expect(left == 0)
    try await world.save([("r0", ["i": .int64(100)]), ("r40", ["i": .int64(0)])])
    try await world.fill(limit: 4)
    try await change(world, to: Self.indexed)
    try await world.fill(limit: 4)
    #expect(try await world.names(query) == ["r40", "r1", "r2", "r3", "r4"])
    // And dropped and back again before anything could be done about it.
    try await change(world, to: Self.plain)
    try await change(world, to: Self.indexed)
    try await world.fill(limit: 4)
    #expect(try await world.names(query) == ["r40", "r1", "r2", "r3", "r4"])
    try await world.storage.write { try $0.deleteZone(Samples.notes) }
    try await world.writing.begin()
    #expect(try await world.names(query) == [])
  }

  @Test(arguments: TestedStorage.allCases)
  func
    `of two indexes of a field one can go, and a field that is of another type has no old values`(
      kind: TestedStorage
    ) async throws
  {
    func schema(_ field: String) -> String {
      "RECORD TYPE T (i \(field), \"___recordID\" REFERENCE QUERYABLE, GRANT WRITE TO \"_creator\");"
    }
    let world = try await QueryWorld(kind, schema("INT64 QUERYABLE SORTABLE"))
    try await world.save((0..<10).map { ("r\($0)", $0 < 8 ? ["i": .int64(Int64($0))] : [:]) })
    try await change(world, to: schema("INT64 QUERYABLE"))
    #expect(try await world.names("i", .equals, .int64(3)) == ["r3"])
    try await world.fill(limit: 3)
    #expect(try await world.names("i", .equals, .int64(3)) == ["r3"])
    try await world.save([("r10", [:])])
    try await change(world, to: schema("INT64 QUERYABLE SORTABLE"))
    try await world.fill(limit: 3)
    let descending = RecordQuery.of(sorts: [QuerySort(.field("i"), isAscending: false)])
    #expect(
      try await world.names(descending).prefix(9) == [
        "r7", "r6", "r5", "r4", "r3", "r2", "r1", "r0", "r9",
      ])
    #expect(try await world.names(descending).suffix(2) == ["r8", "r10"])
    try await change(world, to: schema("STRING QUERYABLE SORTABLE"))
    try await world.save([("r11", ["i": .string("text")])])
    try await world.fill(limit: 3)
    #expect(try await world.names("i", .greaterThanOrEquals, .string("")) == ["r11"])
    #expect(try await world.names(descending).count == 12)
  }

  @Test(arguments: TestedStorage.allCases)
  func `a field that a save makes can be asked for at once, also for records without it`(
    kind: TestedStorage
  ) async throws {
    let world = try await QueryWorld(kind, Self.plain)
    try await world.save((0..<300).map { ("r\($0)", [:]) }.prefix(200).map { $0 })
    try await world.save((200..<300).map { ("r\($0)", [:]) })
    try await world.save([("x", [:]), ("y", ["new": .string("value")])])
    #expect(try await world.names("new", .equals, .string("value")) == ["y"])
    let sorted = RecordQuery.of(sorts: [QuerySort(.field("new"), isAscending: false)])
    #expect(try await world.failure(sorted)?.code == (kind == .memory ? nil : .tryAgainLater))
    try await world.fill()
    let names = try await world.names(sorted)
    #expect(names.count == 302)
    #expect(names.prefix(2) == ["y", "x"])
  }

  @Test(arguments: TestedStorage.allCases)
  func `what is written while an index is filled is found as it is`(
    kind: TestedStorage
  ) async throws {
    let world = try await QueryWorld(kind, Self.plain)
    var random = SeededGenerator(seed: 11)
    var values: [String: Int64?] = [:]
    func write() async throws {
      let changes = random.distinct(upTo: 8) { "r\($0.below(60))" }.map { name in
        (name, random.oneIn(4) ? nil : Int64(random.below(5)))
      }
      try await world.save(changes.map { ($0.0, $0.1.map { ["i": .int64($0)] } ?? [:]) })
      for (name, value) in changes { values[name] = .some(value) }
      if random.oneIn(3), let gone = values.keys.sorted().randomElement(using: &random) {
        _ = try await world.writing.modify([.op(.forceDelete, gone, type: nil)])
        values[gone] = nil
      }
    }
    for _ in 0..<10 { try await write() }
    try await change(world, to: Self.indexed)
    let schema = world.resolved
    for _ in 0..<1000 {
      try await write()
      if try await world.storage.write({ try IndexFilling(schema, in: $0).step(limit: 3) }) {
        break
      }
    }
    let expected = values.sorted { left, right in
      let (one, other) = (left.value ?? -1, right.value ?? -1)
      return one != other ? one < other : left.key < right.key
    }.map(\.key)
    #expect(try await world.names(.of(sorts: [QuerySort(.field("i"))]), limit: 7) == expected)
  }
}
