import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver
import Testing

@testable import ObjectStore

/// A small generator, so that a seed gives the same work everywhere.
private struct Dice {
  var state: UInt64

  mutating func roll(_ sides: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(sides))
  }
}

@Suite struct BatchRandomTests {
  /// Does one batch of any kind; some are refused.
  private func work(_ store: Store, _ dice: inout Dice) throws {
    let name = QueryExpression.property("name")
    let letter = FieldValue.string(["a", "b", "c", "d"][dice.roll(4)])
    switch dice.roll(7) {
    case 0:
      try store.insertBatch(
        "Club", rows: (0...dice.roll(3)).map { _ in ["name": letter] })
    case 1, 2:
      let count = dice.roll(6)
      var rows: [[String: FieldValue]] = []
      for _ in 0...count {
        var row: [String: FieldValue] = ["name": letter, "age": .integer(Int64(dice.roll(160)))]
        if dice.roll(2) == 0 { row["code"] = .string("c\(dice.roll(12))") }
        if dice.roll(2) == 0 {
          row["club"] = .objectID(store.identity("Club", Int64(1 + dice.roll(6))))
        }
        if dice.roll(3) == 0 {
          row["mentor"] = .objectID(store.identity("Member", Int64(1 + dice.roll(20))))
        }
        rows.append(row)
      }
      try store.insertBatch(dice.roll(4) == 0 ? "Guest" : "Member", rows: rows)
    case 3:
      try store.updateBatch(
        "Member", where: .compare(.equal, name, .literal(letter)),
        set: [
          "age": .arithmetic(.add, .property("age"), .literal(.integer(Int64(dice.roll(5))))),
          "name": .literal(.string("e")),
        ])
    case 4:
      try store.deleteBatch(
        dice.roll(2) == 0 ? "Club" : "Member", where: .compare(.equal, name, .literal(letter)),
        includesSubentities: dice.roll(2) == 0)
    case 5:
      let context = ModelContext(store)
      let group = try context.insert("Group")
      for member in try context.fetch(FetchRequest("Member")) where dice.roll(3) == 0 {
        try group.addRelated("members", member)
      }
      try context.save()
    default:
      try store.deleteBatch(
        "Group", where: dice.roll(2) == 0 ? nil : compare("name", .equal, .null))
    }
  }

  @Test(arguments: 1...12) func `history replayed from nothing gives the objects that live`(
    seed: Int
  ) throws {
    var dice = Dice(state: UInt64(seed) &* 0x9e37_79b9_7f4a_7c15)
    let rules: [Schema.Relationship.DeleteRule] = [.cascade, .nullify, .deny]
    let store = try BatchSamples.store(
      BatchSamples.schema(
        members: rules[dice.roll(3)], groups: rules[dice.roll(2)], isOrdered: dice.roll(2) == 0))
    let observer = ModelContext(store)
    var held: [ManagedObject] = []
    for step in 0..<60 {
      let before = (try store.wholeState(), try store.wholeHistory())
      do {
        try work(store, &dice)
      } catch is StoreError {
        #expect(try store.wholeState() == before.0, "seed \(seed), step \(step)")
        #expect(try store.wholeHistory() == before.1, "seed \(seed), step \(step)")
      }
      try store.checkHistory("seed \(seed), step \(step)")
      // What a context holds is what another reads.
      held = try observer.fetch(FetchRequest("Member")) + held.filter { !$0.isDeleted }
      let fresh = ModelContext(store)
      for object in held where !object.isDeleted {
        let other = try #require(object.identity.flatMap { fresh.object($0) })
        #expect(try object.value("age") == other.value("age"), "seed \(seed), step \(step)")
        #expect(
          try object.related("club")?.key == other.related("club")?.key,
          "seed \(seed), step \(step)")
        #expect(
          try object.relatedObjects("pupils").map(\.key)
            == other.relatedObjects("pupils").map(\.key), "seed \(seed), step \(step)")
      }
    }
  }

  @Test func `a call that fails in the middle of a batch changes nothing`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "contrail-batch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store(
      at: .file(folder.appendingPathComponent("store.sqlite").path),
      schema: BatchSamples.schema())
    try store.insertBatch("Club", rows: [["name": .string("A")]])
    let club = FieldValue.objectID(store.identity("Club", 1))
    let rows: [[String: FieldValue]] = (0..<3).map { ["club": club, "code": .string("x\($0)")] }
    try store.insertBatch("Member", rows: rows)
    let works: [(Store) throws -> Void] = [
      { try $0.insertBatch("Member", rows: rows + [["club": club]]) },
      {
        try $0.updateBatch(
          "Member",
          set: [
            "age": .arithmetic(.add, .property("age"), .literal(.integer(1))),
            "name": .literal(.string("x")),
          ])
      },
      { try $0.deleteBatch("Club") },
    ]
    for (index, work) in works.enumerated() {
      let before = (try store.wholeState(), try store.wholeHistory())
      var number = 1
      while true {
        let plan = FaultPlan(failing: number)
        try store.gate.write { $0.faults = plan }
        let error = storeError { try work(store) }
        try store.gate.write { $0.faults = nil }
        if plan.failureCount == 0 { break }
        // A commit that fails is the last call.
        #expect(error != nil, "work \(index), call \(number)")
        #expect(try store.wholeState() == before.0, "work \(index), call \(number)")
        #expect(try store.wholeHistory() == before.1, "work \(index), call \(number)")
        number += 1
        if number > 500 { break }
      }
      #expect(number > 5)
      try store.checkHistory("work \(index)")
    }
  }
}
