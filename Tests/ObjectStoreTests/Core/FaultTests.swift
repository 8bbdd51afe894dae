import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct FaultingTests {
  /// Runs `body` and says how many statements read from the tables of entities.
  static func selects(_ store: Store, _ body: () throws -> Void) throws -> Int {
    var count = 0
    try store.gate.write { connection in
      connection.onStatement = {
        if $0.sql.hasPrefix("SELECT") && !$0.sql.contains("contrail_") { count += 1 }
      }
    }
    defer { try? store.gate.write { $0.onStatement = nil } }
    try body()
    return count
  }

  @Test func `members of a list are read together`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let person = try context.add("Person", "p")
    for number in 0..<300 {
      try person.addRelated("items", context.add("Item", "i\(number)"))
    }
    try context.save()
    let other = ModelContext(store)
    let there = try other.same(person)
    let count = try Self.selects(store) {
      let names = try there.names("items")
      #expect(names.count == 300)
    }
    #expect(count == 4)
    // Also when each is asked for something else in between.
    let third = ModelContext(store)
    let again = try third.same(person)
    let more = try Self.selects(store) {
      for item in try again.relatedObjects("items") {
        _ = item.named
        _ = try item.related("owner")?.named
      }
    }
    #expect(more == 4)
  }

  @Test func `prefetching reads each relationship with one statement, also for old lists`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    for number in 0..<20 {
      let person = try context.add("Person", "p\(number)")
      for _ in 0..<3 { try person.addRelated("items", context.add("Item", "i")) }
    }
    try context.save()
    let other = ModelContext(store)
    var request = FetchRequest("Person")
    request.relationshipsToPrefetch = ["items"]
    let first = try Self.selects(store) { _ = try other.fetch(request) }
    #expect(first == 3)
    let people = try other.fetch(request)
    _ = try context.add("Item", "late").setRelated("owner", context.fetchAll("Person")[0])
    try context.save()
    let second = try Self.selects(store) {
      _ = try other.fetch(request)
      for person in people { _ = try person.names("items") }
    }
    #expect(second <= 3)
    #expect(try people[0].relatedObjects("items").count == 4)
  }

  @Test func `some properties are read at once, and the others when they are needed`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let item = try context.add("Item", "i")
    try item.setValue("number", .integer(4))
    try context.save()
    let other = ModelContext(store)
    var request = FetchRequest("Tag")
    request.propertiesToFetch = ["word"]
    _ = try context.add("Tag", "t")
    try context.save()
    let tag = try #require(try other.fetch(request).first)
    let none = try Self.selects(store) { #expect(tag.named == "t") }
    #expect(none == 0)
    #expect(tag.isFault)
    try tag.rename("u")
    try other.save()
    #expect(try store.rows("SELECT word FROM Tag") == [[.string("u")]])
  }

  @Test func `an object that cannot be read now can be read later, and is not saved over`() throws {
    let store = try Store(at: .memory, schema: Zoo.schema)
    let context = ModelContext(store)
    let item = try context.add("Item", "i")
    try context.save()
    let other = ModelContext(store)
    other.mergePolicy = .overwrite
    let there = try other.same(item)
    try store.gate.write { $0.faults = FaultPlan(failing: 1, .lasting) }
    #expect(there.named == "-")
    try there.setValue("number", .integer(3))
    #expect(other.takeProblems().contains { $0.code == .writeFailed || $0.code == .readFailed })
    try store.gate.write { $0.faults = nil }
    #expect(there.named == "i")
    try other.save()
    #expect(try store.rows("SELECT name FROM Item") == [[.string("i")]])
  }

  @Test(arguments: FaultPlan.Duration.allCases)
  func `whichever call of a save fails, the store is old or new, and the next save succeeds`(
    duration: FaultPlan.Duration
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for number in 1...2000 {
      let file = Store.Location.file(folder.appending(path: "\(number).store").path)
      let store = try Store(at: file, schema: Zoo.schema)
      let context = ModelContext(store)
      let people = try (0..<2).map { try context.add("Person", "p\($0)") }
      let items = try (0..<3).map { try context.add("Gadget", "i\($0)") }
      let passport = try context.add("Passport", "x")
      try people[0].setRelated("favourites", items)
      try people[0].setRelated("watched", items)
      try people[0].setRelated("passport", passport)
      try context.save()
      let old = try state(store)
      try items[0].rename("renamed")
      try people[0].setRelated("favourites", [items[2], items[1]])
      try context.delete(items[1])
      let new = try context.add("Item", "new")
      try new.setRelated("owner", people[1])
      try people[1].addRelated("favourites", new)
      let upsert = try context.add("Passport", "x")
      try upsert.setRelated("holder", people[1])
      let plan = FaultPlan(failing: number, duration, with: .full)
      try store.gate.write { $0.faults = plan }
      var failure: (any Error)?
      do { try context.save() } catch { failure = error }
      try store.gate.write { $0.faults = nil }
      if failure != nil {
        #expect(try state(store) == old, "call \(number)")
        // And so it is for a program that opens it now.
        #expect(try state(Store(at: file, schema: Zoo.schema)) == old, "call \(number)")
        #expect(new.identity == nil && upsert.identity == nil)
        #expect(try people[0].names("favourites") == ["i2"])
        #expect(try people[1].names("favourites") == ["new"])
        try context.save()
      }
      #expect(try store.replayedKeys() == store.storedKeys())
      let fresh = ModelContext(store)
      #expect(try fresh.same(people[0]).names("favourites") == ["i2"])
      #expect(try fresh.same(people[0]).names("watched") == ["renamed", "i2"])
      #expect(try fresh.same(people[1]).names("favourites") == ["new"])
      #expect(try fresh.same(people[1]).related("passport")?.named == "x")
      #expect(try fresh.same(items[0]).named == "renamed")
      #expect(try store.rows("SELECT * FROM Passport").count == 1)
      if plan.failureCount == 0 {
        #expect(number > 20)
        return
      }
    }
    Issue.record("the save never succeeded")
  }

  private func state(_ store: Store) throws -> [[[FieldValue]]] {
    try [
      "Item", "Person", "Passport", "Person_watched", "Item_fans", "contrail_change",
      "contrail_transaction",
    ].map { try store.rows("SELECT * FROM \($0) ORDER BY 1, 2") }
  }
}
