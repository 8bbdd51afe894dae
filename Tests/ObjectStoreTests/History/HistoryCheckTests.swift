import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct HistoryCheckTests {
  /// A store after some hundred random saves; the seed is part of every message.
  private func worked(_ seed: UInt64) throws -> Store {
    let store = try HistorySamples.store()
    let context = ModelContext(store)
    var state = seed
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    var objects: [ManagedObject] = []
    for _ in 0..<100 {
      for _ in 0..<random(5) {
        objects.append(try context.insert(["Owner", "Car", "Vehicle"][random(3)]))
      }
      for _ in 0..<random(4) where !objects.isEmpty {
        let object = objects[random(objects.count)]
        if object.isDeleted { continue }
        switch random(3) {
        case 0: try context.delete(object)
        case 1 where object.entity == "Owner":
          try object.setValue("name", .string("\(random(1000))"))
        case 1: try object.setValue("wheels", .integer(Int64(random(1000))))
        default:
          guard object.entity != "Owner",
            let owner = objects.last(where: { $0.entity == "Owner" && !$0.isDeleted })
          else { continue }
          try object.setRelated("owner", owner)
        }
      }
      if random(10) == 0 { context.rollback() } else { try context.save() }
      objects.removeAll { $0.isDeleted }
    }
    return store
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `replaying history gives what the store has`(_ seed: UInt64) throws {
    let store = try worked(seed)
    let report = try store.verifyHistory()
    #expect(report.problems == [], "seed \(seed)")
    #expect(report.isComplete)
    #expect(report.transactions > 50)
    #expect(report.objects > 10)
    let changes = try store.historyCount().changes
    #expect(report.changes == changes)

    try store.purgeHistory(before: .transaction(report.transactions / 2))
    let half = try store.verifyHistory()
    #expect(half.problems == [], "seed \(seed)")
    #expect(!half.isComplete)
    #expect(half.objects == report.objects)
  }

  private static let damages: [(String, [String])] = [
    ("DELETE FROM Owner WHERE _id = 2", ["Owner: 1 object in history, and not in the store"]),
    (
      "INSERT INTO Owner (_id, _version) VALUES (90, 1)",
      [
        "Owner 90: is in the store, and history never inserted it",
        "Owner: would give the key 35 again: the highest one in use is 90",
      ]
    ),
    (
      "DELETE FROM contrail_transaction WHERE number = 2",
      [
        "transaction 2: is missing: the next one is 3",
        "transaction 3: begins with change 4, not with 3",
        "Owner 3: is in the store, and history never inserted it",
      ]
    ),
    (
      "DELETE FROM contrail_change WHERE number = 3",
      [
        "transaction 2: has changes up to 2, not to 3"
      ]
    ),
    (
      "INSERT INTO contrail_change VALUES (50, 2, 3, 1, 1, NULL, NULL)",
      ["history: has 1 change of no transaction"]
    ),
    (
      "UPDATE contrail_change SET key = 77 WHERE kind = 3",
      [
        "Vehicle 77: is deleted by change 5, and does not exist then",
        "Vehicle: 1 object in history, and not in the store",
      ]
    ),
    (
      "UPDATE contrail_change SET count = 9000000000000000000 WHERE number = 4",
      []
    ),
    (
      "INSERT INTO contrail_reader VALUES ('sync', 9, 0)",
      ["reader sync: is ahead of the newest transaction, 4"]
    ),
  ]

  @Test(arguments: damages.indices)
  func `a replay names what is damaged`(_ index: Int) throws {
    let (sql, expected) = Self.damages[index]
    let store = try HistorySamples.store()
    let context = ModelContext(store)
    let owners = try context.add("Owner", 2)
    try context.add("Owner")
    let vehicle = try context.add("Vehicle")[0]
    try context.delete(vehicle)
    try context.save()
    _ = owners
    #expect(try store.verifyHistory().problems == [])
    try store.write { try $0.connection.execute(sql) }
    let problems = try store.verifyHistory().problems.map { "\($0.subject): \($0.message)" }
    if expected.isEmpty { #expect(!problems.isEmpty) }
    for line in expected { #expect(problems.contains(line), "\(problems)") }
  }

  @Test func `a set of keys holds what was put in`() {
    var keys = KeySet()
    var model: Set<Int64> = []
    var state: UInt64 = 42
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = Int64(state >> 50) - 100 + (state & 8 == 0 ? 0 : Int64.max / 2)
      if state & 16 == 0 {
        #expect(keys.insert(key) == model.insert(key).inserted)
      } else {
        #expect(keys.remove(key) == (model.remove(key) != nil))
      }
      #expect(keys.contains(key) == model.contains(key))
    }
    #expect(keys.count == model.count)
  }
}
