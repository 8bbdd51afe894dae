import DataModel
import RecordWire
import Testing

@testable import RecordServer

/// What deletions take with them, what they may not, and how far that goes.
@Suite struct CascadeTests {
  let world = ModifyWorld()

  @Test(arguments: [true, false])
  func `a record is not saved in the call that deletes what takes it along`(isGiven: Bool)
    async throws
  {
    try await world.begin()
    let reference = RecordValue.refers(to: "c", .deleteSelf)
    _ = try await world.modify([
      .op(.create, "c"), .op(.create, "d", ["up": reference]),
      .op(.create, "e", ["up": .refers(to: "d", .deleteSelf)]),
    ])
    let update = RecordOperation.op(
      .forceUpdate, "d", isGiven ? ["up": reference] : ["text": .string("new")])
    let both = [RecordOperation.op(.forceDelete, "c", type: nil), update]
    let atomic = try await world.modify(both)
    #expect(atomic.words == ["c ATOMIC_ERROR", "d VALIDATING_REFERENCE_ERROR"])
    let other = try await world.modify(both, atomic: false)
    #expect(other.words == ["c deleted 4", "d VALIDATING_REFERENCE_ERROR"])
    #expect(other.cascaded.map(\.name) == ["d", "e"])
    #expect(try await world.contents() == [:])
  }

  @Test func `a new record cannot belong to one that the same call deletes`() async throws {
    try await world.begin()
    _ = try await world.modify([.op(.create, "c")])
    let made = try await world.modify(
      [
        .op(.forceDelete, "c", type: nil),
        .op(.create, "d", ["up": .refers(to: "c", .deleteSelf)]),
        .op(.create, "e", ["up": .refers(to: "never there", .deleteSelf)]),
      ], atomic: false)
    #expect(made.words == ["c deleted 2", "d VALIDATING_REFERENCE_ERROR", "e 3"])
  }

  @Test func `a record that must stay keeps all that would take it along`() async throws {
    try await world.begin()
    // root takes branch, branch takes leaf, keeper refers to leaf. free is apart, and held by branch.
    _ = try await world.modify([
      .op(.create, "root"), .op(.create, "free"),
      .op(
        .create, "branch",
        ["up": .refers(to: "root", .deleteSelf), "at": .refers(to: "free", .validate)]),
      .op(.create, "leaf", ["up": .refers(to: "branch", .deleteSelf)]),
      .op(.create, "keeper", ["at": .refers(to: "leaf", .validate)]),
    ])
    func delete(_ names: String...) async throws -> [String] {
      try await world.modify(
        names.map { .op(.forceDelete, $0, type: nil) }, atomic: false
      ).words
    }
    let error = "VALIDATING_REFERENCE_ERROR"
    #expect(try await delete("free", "root") == ["free \(error)", "root \(error)"])
    #expect(try await delete("leaf", "root") == ["leaf \(error)", "root \(error)"])
    #expect(
      try await delete("free", "root", "keeper")
        == ["free deleted 6", "root deleted 7", "keeper deleted 8"])
    #expect(try await world.contents() == [:])
  }

  @Test func `circles go as a whole, or stay as one`() async throws {
    try await world.begin()
    _ = try await world.modify([
      .op(.create, "root"), .op(.create, "apart"),
      .op(
        .create, "a",
        ["up": .refers(to: "root", .deleteSelf), "other": .refers(to: "b", .deleteSelf)]),
      .op(
        .create, "b",
        ["up": .refers(to: "a", .deleteSelf), "at": .refers(to: "apart", .validate)]),
      .op(.create, "keeper", ["at": .refers(to: "root", .validate)]),
    ])
    let both: [RecordOperation] = ["root", "apart"].map { .op(.forceDelete, $0, type: nil) }
    let kept = try await world.modify(both, atomic: false)
    #expect(
      kept.words == ["root VALIDATING_REFERENCE_ERROR", "apart VALIDATING_REFERENCE_ERROR"])
    _ = try await world.modify([.op(.forceDelete, "keeper", type: nil)])
    let gone = try await world.modify(both)
    #expect(gone.words == ["root deleted 7", "apart deleted 8"])
    #expect(gone.cascaded.map(\.name) == ["a", "b"])
  }

  @Test func `the deletions of a request follow so many references together and no more`()
    async throws
  {
    try await world.begin()
    let children = (0..<6).map { number in
      RecordOperation.op(
        .create, "child\(number)", ["up": .refers(to: "r\(number % 2)", .deleteSelf)])
    }
    _ = try await world.modify([.op(.create, "r0"), .op(.create, "r1")] + children)
    let both: [RecordOperation] = ["r0", "r1"].map { .op(.forceDelete, $0, type: nil) }
    world.cascadeRecordsMax = 5
    let cut = try await world.modify(both, atomic: false)
    #expect(cut.words == ["r0 BAD_REQUEST", "r1 BAD_REQUEST"])
    #expect(cut.reasons.first?.contains("more than 5 references") == true)
    let one = try await world.modify([both[0]])
    #expect(one.words == ["r0 deleted 9"])
    world.cascadeRecordsMax = 3
    #expect(try await world.modify([both[1]]).words == ["r1 deleted 13"])
    #expect(try await world.contents() == [:])
  }

  @Test func `a record is looked up once in a call, however many deletions reach it`() async throws
  {
    try await world.begin()
    let roots = (0..<50).map { "r\($0)" }
    _ = try await world.modify(
      roots.map { .op(.create, $0) } + [
        .op(
          .create, "shared",
          RecordFields(
            roots.map { ($0, RecordField(.refers(to: $0, .deleteSelf))) }))
      ])
    // One reference from each root, and none from the one that they share.
    world.cascadeRecordsMax = 50
    let outcome = try await world.modify(roots.map { .op(.forceDelete, $0, type: nil) })
    #expect(outcome.cascaded.map(\.name) == ["shared"])
  }
}
