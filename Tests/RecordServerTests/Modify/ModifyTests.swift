import DataModel
import RecordStorageSQLite
import RecordWire
import SchemaGenerator
import Testing

@testable import RecordServer

@Suite struct ModifyTests {
  let world = ModifyWorld()

  @Test func `each operation does what its row says, or fails with the protocol's code`()
    async throws
  {
    try await world.begin()
    let first = try await world.modify([
      .op(.create, "a", ["text": .string("one"), "count": .int64(1)]), .op(.create, nil),
      .op(.forceUpdate, "b", ["text": .string("b")]), .op(.forceReplace, "c"),
    ])
    #expect(first.words == ["a 1", "NEW-1700000001000-1 2", "b 3", "c 4"])
    let rows: [(RecordOperation, String)] = [
      (.op(.create, "a"), "a EXISTS"),
      (.op(.update, "a", type: nil, tag: 1, ["text": .string("two")]), "a 5"),
      (.op(.update, "a", type: nil, tag: 1), "a CONFLICT"),
      (.op(.update, "a", type: nil), "a BAD_REQUEST"),
      (.op(.update, "none", type: nil, tag: 1), "none NOT_FOUND"),
      (.op(.update, nil, type: nil, tag: 1), " BAD_REQUEST"),
      (.op(.update, "a", type: "Other", tag: 5), "a BAD_REQUEST"),
      (.op(.create, "d", type: nil), "d BAD_REQUEST"),
      (.op(.replace, "a", type: nil, tag: 5, ["count": .int64(2)]), "a 6"),
      (.op(.forceUpdate, "a", ["text": .null]), "a 7"),
      (.op(.delete, "b", type: nil, tag: 9), "b CONFLICT"),
      (.op(.delete, "b", type: nil, tag: 3), "b deleted 8"),
      (.op(.delete, "b", type: nil, tag: 8), "b NOT_FOUND"),
      (.op(.forceDelete, "b", type: nil), "b deleted"),
      (.op(.forceDelete, "c", type: nil), "c deleted 9"),
      (.op(.create, "b", ["text": .string("again")]), "b 10"),
    ]
    for (operation, expected) in rows {
      #expect(try await world.modify([operation]).words == [expected], "\(operation.kind)")
    }
    #expect(
      try await world.contents() == [
        "a": #"{"count":{"value":2,"type":"INT64"}}"#,
        "b": #"{"text":{"value":"again","type":"STRING"}}"#, "NEW-1700000001000-1": "{}",
      ])
  }

  @Test func `an atomic batch is all or nothing, and another one does what it can`() async throws {
    try await world.begin()
    let batch: [RecordOperation] = [
      .op(.create, "a"), .op(.update, "none", type: nil, tag: 1), .op(.create, "b"),
      .op(.create, "a"),
    ]
    let atomic = try await world.modify(batch)
    #expect(
      atomic.words == ["a ATOMIC_ERROR", "none NOT_FOUND", "b ATOMIC_ERROR", "a BAD_REQUEST"])
    #expect(atomic.schema == nil)
    #expect(try await world.contents() == [:])
    let other = try await world.modify(batch, atomic: false)
    #expect(other.words == ["a 1", "none NOT_FOUND", "b 2", "a BAD_REQUEST"])
  }

  @Test func `a field that is cleared before anybody used it leaves no trace`() async throws {
    try await world.begin()
    _ = try await world.modify([
      .op(.create, "a", ["text": .string("one"), "fresh": .null]), .op(.create, "b"),
    ])
    _ = try await world.modify([.op(.forceUpdate, "b", ["fresh": .null])])
    let contents = try await world.contents()
    #expect(contents["a"]?.contains("fresh") == false)
    #expect(contents["b"]?.contains("fresh") == false)
  }

  @Test func `values take the types of the schema, which grows in development only`() async throws {
    try await world.begin()
    _ = try await world.modify([
      .op(
        .create, "a",
        [
          "when": .timestamp(5), "ratio": .double(2), "data": .bytes([1]), "whole": .int64(1),
          "tags": .list([.string("x")], of: .string),
        ])
    ])
    let untyped = try await world.modify([
      .op(
        .update, "a", type: nil, tag: 1,
        [
          "when": .untyped(.integer(7)), "ratio": .untyped(.integer(3)),
          "data": .untyped(.string("AQI=")), "whole": .untyped(.boolean(true)),
          "tags": .untyped(.array([])),
        ])
    ])
    #expect(untyped.words == ["a 2"])
    #expect(
      try await world.contents() == [
        "a": #"{"data":{"value":"AQI=","type":"BYTES"},"ratio":{"value":3.0,"type":"DOUBLE"},"#
          + #""tags":{"value":[],"type":"STRING_LIST"},"when":{"value":7,"type":"TIMESTAMP"},"#
          + #""whole":{"value":1,"type":"INT64"}}"#
      ])
    let wrong = try await world.modify(
      [
        .op(.update, "a", type: nil, tag: 2, ["when": .string("noon")]),
        .op(.create, "b", ["whole": .untyped(.string("many"))]),
      ], atomic: false)
    #expect(wrong.words == ["a BAD_REQUEST", "b BAD_REQUEST"])
    #expect(wrong.reasons.allSatisfy { $0.contains("when") || $0.contains("whole") })
    let refused = try await world.modify(
      [.op(.create, "p", ["text": .string("x")])], environment: .production)
    #expect(refused.reasons == ["Cannot create new type Note in production schema"])
  }

  @Test func `deleting a record takes those with it that refer to it so, and their own`()
    async throws
  {
    try await world.begin()
    _ = try await world.modify([
      .op(.create, "child", ["up": .refers(to: "root", .deleteSelf)]), .op(.create, "root"),
      .op(.create, "grandchild", ["up": .refers(to: "child", .deleteSelf)]),
      .op(.create, "friend", ["up": .refers(to: "root", .none)]),
      .op(.create, "moved", ["up": .refers(to: "root", .deleteSelf)]),
    ])
    let outcome = try await world.modify([
      .op(.forceDelete, "root", type: nil), .op(.forceUpdate, "moved", ["up": .null]),
    ])
    #expect(outcome.words == ["root deleted 6", "moved 7"])
    #expect(outcome.cascaded.map(\.name) == ["child", "grandchild"])
    #expect(outcome.cascaded.map(\.sequence) == [8, 9])
    #expect(Set(try await world.contents().keys) == ["friend", "moved"])
  }

  @Test func `a validating reference needs its target, and keeps it`() async throws {
    try await world.begin()
    let lost = try await world.modify(
      [
        .op(.create, "x", ["at": .refers(to: "none", .validate)]), .op(.create, "y"),
      ], atomic: false)
    #expect(lost.words == ["x VALIDATING_REFERENCE_ERROR", "y 1"])
    let chain = try await world.modify(
      [
        .op(.create, "p", ["at": .refers(to: "q", .validate)]),
        .op(
          .create, "q", ["at": .refers(to: "y", .validate), "bad": .unknown(type: "X", json: [])]),
        .op(.create, "r", ["at": .refers(to: "y", .validate)]),
      ], atomic: false)
    #expect(chain.words[2] == "r 2" || chain.words[2] == "r 4")
    let kept = try await world.modify([.op(.forceDelete, "y", type: nil)])
    #expect(kept.words == ["y VALIDATING_REFERENCE_ERROR"])
    #expect(
      kept.reasons == ["Record delete would violate validating reference, rejecting update"])
    let live = Set(try await world.contents().keys)
    let all = try await world.modify(live.sorted().map { .op(.forceDelete, $0, type: nil) })
    #expect(all.words.allSatisfy { $0.contains("deleted") })
    #expect(try await world.contents() == [:])
  }

  @Test func `a target stays while an update of the same call leaves a validating reference`()
    async throws
  {
    try await world.begin()
    _ = try await world.modify([
      .op(.create, "target"), .op(.create, "source", ["at": .refers(to: "target", .validate)]),
    ])
    let both: (RecordOperation) -> [RecordOperation] = { [.op(.forceDelete, "target"), $0] }
    let kept = try await world.modify(
      both(.op(.forceUpdate, "source", ["text": .string("new")])), atomic: false)
    #expect(kept.words == ["target VALIDATING_REFERENCE_ERROR", "source 3"])
    let cleared = try await world.modify(both(.op(.forceUpdate, "source", ["at": .null])))
    #expect(cleared.words == ["target deleted 4", "source 5"])
  }

  @Test func `clearing a field that nobody ever set leaves the record as it is`() async throws {
    try await world.begin()
    _ = try await world.modify([.op(.create, "typed", ["text": .string("a text")])])
    let before = try await world.contents()
    _ = try await world.modify([.op(.forceUpdate, "typed", ["unheard": .null])])
    #expect(try await world.contents() == before)
  }

  @Test func `fields are held against the schema once no reference fails`() async throws {
    try await world.begin()
    _ = try await world.modify([.op(.create, "typed", ["text": .string("a text")])])
    let batch = try await world.modify(
      [
        .op(.create, "first", ["at": .refers(to: "second", .validate), "text": .int64(1)]),
        .op(.create, "second", ["at": .refers(to: "none", .validate)]),
        .op(.create, "third", ["text": .int64(1)]), .op(.create, "fourth"),
      ], atomic: false)
    #expect(
      batch.words == [
        "first VALIDATING_REFERENCE_ERROR", "second VALIDATING_REFERENCE_ERROR",
        "third BAD_REQUEST", "fourth 2",
      ])
  }

  @Test func `names that only look alike are of different records`() async throws {
    let folder = try ScratchFolder()
    let world = ModifyWorld(try SQLiteStorage(at: folder.file("records"), newEpoch: 7))
    try await world.begin()
    let (one, other) = ("caf\u{e9}", "cafe\u{301}")
    let made = try await world.modify([
      .op(.create, one), .op(.create, other),
      .op(.create, "child", ["at": .refers(to: one, .deleteSelf)]),
    ])
    #expect(made.words == ["\(one) 1", "\(other) 2", "child 3"])
    let mixed = try await world.modify([
      .op(.forceDelete, other, type: nil),
      .op(.forceUpdate, "new", ["at": .refers(to: one, .validate)]),
    ])
    #expect(mixed.words == ["\(other) deleted 4", "new 5"])
  }

  @Test func `in the public database the grants decide, by who created a record`() async throws {
    world.zone = ZoneKey(.everyone, ZoneIdentity.defaultName)
    try await world.begin()
    #expect(try await world.modify([.op(.create, "a")]).words == ["a 1"])
    world.user = "_bob"
    #expect(
      try await world.modify([
        .op(.forceUpdate, "a", ["text": .string("mine")]), .op(.forceDelete, "a", type: nil),
        .op(.create, "b"),
      ]).words == ["a ACCESS_DENIED", "a BAD_REQUEST", "b 2"])
    world.user = nil
    #expect(try await world.modify([.op(.create, "c")]).words == ["c ACCESS_DENIED"])
    world.user = "_ann"
    #expect(try await world.modify([.op(.forceDelete, "a", type: nil)]).words == ["a deleted 3"])
  }

  @Test func `who may not delete a record is not told whether there is one`() async throws {
    world.zone = ZoneKey(.everyone, ZoneIdentity.defaultName)
    try await world.begin()
    _ = try await world.modify([.op(.create, "there"), .op(.create, "gone")])
    func delete(_ user: String?, _ name: String, type: String? = nil) async throws -> String {
      world.user = user
      return try await world.modify([.op(.forceDelete, name, type: type)]).words.joined()
    }
    #expect(try await delete("_ann", "gone") == "gone deleted 3")
    for user in ["_bob", nil] {
      for name in ["there", "gone", "never"] {
        for type in [nil, "Note", "Other"] {
          #expect(try await delete(user, name, type: type) == "\(name) ACCESS_DENIED")
        }
      }
    }
    // Whose it was may delete it again.
    #expect(try await delete("_ann", "gone") == "gone deleted")
    #expect(try await delete("_ann", "there") == "there deleted 4")
  }

  @Test func `a zone that is not there fails the whole call`() async throws {
    await #expect(throws: RequestFailure.zoneNotFound("Notes")) {
      try await world.modify([.op(.create, "a")])
    }
  }
}
