import DataModel
import RecordWire
import Testing

@testable import SyncCore

@Suite struct SmallWorldTests {
  private struct Move: Hashable {
    var step: SmallWorld.Step
    var device: Int
  }

  private static let moves = SmallWorld.Step.allCases.flatMap { step in
    (0..<3).map { Move(step: step, device: $0) }
  }

  /// Every order of four moves of three devices: 15 moves, 50,625 orders.
  private static func forEachOrder(_ body: ([Move]) -> Void) {
    for a in moves {
      for b in moves { for c in moves { for d in moves { body([a, b, c, d]) } } }
    }
  }

  private static func world(after order: [Move], skews: [Int64]) -> (SmallWorld, rounds: Int) {
    var world = SmallWorld(devices: 3, skews: skews)
    for move in order { world.take(move.step, on: move.device) }
    let rounds = world.settle()
    return (world, rounds)
  }

  /// A device a year ahead of another, and one a year behind.
  private static let year: Int64 = 365 * 24 * 3_600_000

  @Test(arguments: [[0, 0, 0], [0, year, -year]])
  func `three devices are equal after four moves in whatever order`(skews: [Int64]) {
    var (orders, different, tooLong, wrongSums, silent) = (0, 0, 0, 0, 0)
    Self.forEachOrder { order in
      orders += 1
      let (world, rounds) = Self.world(after: order, skews: skews)
      if rounds > 3 { tooLong += 1 }
      let isEqual = world.devices.allSatisfy { $0.fields == world.server.state?.fields }
      if !isEqual { different += 1 }
      let isDeleted = world.server.state == nil
      if !isDeleted, world.server.state?.value("hours") != .int64(world.added) { wrongSums += 1 }
      if isDeleted != order.contains(where: { $0.step == .delete }) { silent += 1 }
    }
    #expect(orders == 50_625)
    #expect(different == 0)
    #expect(tooLong == 0)
    #expect(wrongSums == 0)
    #expect(silent == 0)
  }

  @Test func `the last of four edits wins, whoever made it and whenever anybody syncs`() {
    var wrong = 0
    Self.forEachOrder { order in
      guard !order.contains(where: { $0.step == .delete }) else { return }
      let (world, _) = Self.world(after: order, skews: [0, 0, 0])
      let last = order.lastIndex { $0.step == .setName }
      let expected = last.map { "\(order[$0].device)@\(1_010 + 10 * $0)" } ?? ""
      if world.server.state?.value("name") != .string(expected) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `a device a year behind wins with an edit that it made in knowledge of the other's`() {
    var world = SmallWorld(devices: 3, skews: [0, Self.year, -Self.year])
    world.take(.setName, on: 1)
    world.take(.sync, on: 1)
    world.take(.sync, on: 2)
    world.take(.setName, on: 2)
    _ = world.settle()
    #expect(world.server.state?.value("name") == .string("2@1040"))
  }

  @Test func `edits of a record that is deleted elsewhere are kept as lost`() {
    var world = SmallWorld(devices: 3)
    world.take(.setName, on: 0)
    world.take(.delete, on: 1)
    world.take(.sync, on: 1)
    _ = world.settle()
    #expect(world.devices[0].lost.map(\.value) == [.string("0@1010")])
    #expect(world.devices.allSatisfy { $0.fields == nil })
  }
}

@Suite struct ReceptionTests {
  private let state = RecordState(fields: ["name": .string("a")])
  private let edit = LocalEdit(
    "name", .string("b"), FieldClock(HybridTime(milliseconds: 5), DeviceNumber(rawValue: 1)))

  @Test func `a record that nobody here knows becomes an object`() {
    #expect(
      Reception(base: nil, change: nil, news: .state(state)) == Reception(.insert))
  }

  @Test func `a tombstone of a record that never was here does nothing`() {
    #expect(Reception(base: nil, change: nil, news: .deleted) == Reception(.keep))
  }

  @Test func `a deletion here stays pending whatever others edit`() {
    let change = LocalChange(.delete)
    #expect(
      Reception(base: state, change: change, news: .state(state))
        == Reception(.keep, change: change))
  }

  @Test func `a deletion on both sides is done`() {
    #expect(
      Reception(base: state, change: LocalChange(.delete), news: .deleted) == Reception(.keep))
  }

  @Test func `the tombstone of an earlier record of a name leaves the new one alone`() {
    let change = LocalChange(.create, edits: [edit])
    #expect(
      Reception(base: nil, change: change, news: .deleted) == Reception(.keep, change: change))
  }

  @Test func `a new record that arrived and was deleted by others goes, and its edits are kept`() {
    let change = LocalChange(.create, edits: [edit], mayHaveArrived: true)
    #expect(
      Reception(base: nil, change: change, news: .deleted) == Reception(.delete, lost: [edit]))
  }
}

@Suite struct LocalChangeTests {
  private func edit(_ name: String, _ value: Int64) -> LocalEdit {
    LocalEdit(name, .int64(value), FieldClock(HybridTime(milliseconds: value), .unknown))
  }

  @Test func `a later edit of a field takes the place of the earlier one`() {
    let first = LocalChange(.create, edits: [edit("a", 1), edit("b", 2)])
    let later = LocalChange(.update, edits: [edit("b", 3), edit("c", 4)])
    #expect(
      first.followed(by: later)
        == LocalChange(.create, edits: [edit("a", 1), edit("b", 3), edit("c", 4)]))
  }

  @Test func `what was made and deleted before it was sent is nothing`() {
    #expect(LocalChange(.create).followed(by: LocalChange(.delete)) == nil)
    #expect(
      LocalChange(.create, mayHaveArrived: true).followed(by: LocalChange(.delete))
        == LocalChange(.delete, mayHaveArrived: true))
  }

  @Test func `what is made again under a deleted name gives the record that is there new fields`() {
    var anew = LocalChange(.update, edits: [edit("a", 1)])
    anew.isAnew = true
    #expect(
      LocalChange(.delete).followed(by: LocalChange(.create, edits: [edit("a", 1)])) == anew)
  }

  @Test func `what may have arrived may have, whatever was done before`() {
    let later = LocalChange(.update, edits: [edit("b", 2)], mayHaveArrived: true)
    #expect(
      LocalChange(.update, edits: [edit("a", 1)]).followed(by: later)
        == LocalChange(.update, edits: [edit("a", 1), edit("b", 2)], mayHaveArrived: true))
  }

  @Test func `what is made again stays so after an edit of what was there before`() {
    var anew = LocalChange(.update, edits: [edit("b", 2)])
    anew.isAnew = true
    var both = LocalChange(.update, edits: [edit("a", 1), edit("b", 2)])
    both.isAnew = true
    #expect(LocalChange(.update, edits: [edit("a", 1)]).followed(by: anew) == both)
    #expect(
      LocalChange(.create, edits: [edit("a", 1)]).followed(by: anew)
        == LocalChange(.create, edits: [edit("a", 1), edit("b", 2)]))
  }
}
