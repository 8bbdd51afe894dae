import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct WriterCacheTests {
  private struct Failure: Error {}

  private func names(_ store: Store) throws -> [String] {
    try store.read { connection in
      let statement = try connection.statement("SELECT text FROM contrail_name ORDER BY number")
      defer { statement.reset() }
      var names: [String] = []
      while try statement.step() { names.append(statement.text(0)) }
      return names
    }
  }

  @Test func `the name of an author whose transaction was rolled back is written again`() throws {
    let store = try HistorySamples.store()
    let owner = try #require(store.layout.entity("Owner"))
    try ModelContext(store).add("Owner")
    #expect(throws: Failure.self) {
      try store.write(author: "ann") { transaction in
        try transaction.log.inserted(owner.number, 2)
        try transaction.finish()
        throw Failure()
      }
    }
    #expect(try names(store) == ["tests"])
    try ModelContext(store, author: "ann").add("Owner")
    try ModelContext(store, author: "tests").add("Owner")
    #expect(try names(store) == ["tests", "ann"])
    #expect(try store.history().map(\.author) == [nil, "ann", "tests"])
    #expect(
      try store.history().map(\.line) == [
        "1 -: #1 +Owner 1", "2 ann: #2 +Owner 2", "3 tests: #3 +Owner 3",
      ])
  }

  @Test func `two stores on one file give every number, key and name once`() throws {
    let folder = try HistoryFolder()
    let location = Store.Location.file(folder.path("fleet.sqlite"))
    let stores = [
      try HistorySamples.store(at: location), try HistorySamples.store(at: location),
    ]
    let contexts = stores.map { ModelContext($0, author: "ann") }
    for round in 0..<20 {
      let context = contexts[round % 3 == 0 ? 0 : 1]
      context.author = "author \(round / 4)"
      try context.add("Owner")
      if round % 5 == 0 {
        #expect(throws: Failure.self) {
          try context.store.write(author: "author \(round / 4 + 1)") { transaction in
            let owner = try #require(context.store.layout.entity("Owner"))
            try transaction.log.inserted(owner.number, transaction.newKey(owner))
            try transaction.finish()
            throw Failure()
          }
        }
      }
    }
    let history = try stores[0].history()
    #expect(history.map(\.number) == Array(1...20))
    #expect(history.map(\.author) == (0..<20).map { "author \($0 / 4)" })
    let changes = history.flatMap(\.changes)
    #expect(changes.map(\.number) == Array(1...20))
    // Each store has keys of its own.
    #expect(
      changes.map(\.key)
        == [1, 34, 35, 2, 36, 37, 3, 38, 39, 4, 40, 41, 5, 42, 43, 6, 44, 45, 7, 46])
    #expect(try stores[1].verifyHistory().problems == [])
    #expect(try names(stores[0]) == ["author 0", "tests"] + (1..<5).map { "author \($0)" })
  }

  @Test func `keys that were reserved are used up, and no key is given twice`() throws {
    let folder = try HistoryFolder()
    let location = Store.Location.file(folder.path("fleet.sqlite"))
    func keys(_ objects: [ManagedObject]) -> ClosedRange<Int64>? {
      guard let first = objects.first, let last = objects.last else { return nil }
      return first.key...last.key
    }
    let one = try HistorySamples.store(at: location)
    let two = try HistorySamples.store(at: location)
    #expect(try keys(ModelContext(one).add("Owner", 3)) == 1...3)
    #expect(try keys(ModelContext(one).add("Owner", 3)) == 4...6)
    #expect(try keys(ModelContext(one).add("Owner", 100)) == 7...106)
    #expect(try keys(ModelContext(two).add("Owner", 2)) == 139...140)
    #expect(try keys(ModelContext(one).add("Owner", 32)) == 107...138)
    #expect(try keys(ModelContext(one).add("Owner")) == 173...173)
    #expect(try keys(ModelContext(two).add("Owner", 30)) == 141...170)
    #expect(throws: Failure.self) {
      try one.write { transaction in
        let owner = try #require(one.layout.entity("Owner"))
        #expect(try transaction.newKeys(owner, count: 3) == 174)
        #expect(try transaction.newKeys(owner, count: 1000) == 177)
        throw Failure()
      }
    }
    #expect(try keys(ModelContext(two).add("Owner", 2)) == 171...172)
    #expect(try keys(ModelContext(two).add("Owner")) == 206...206)
    #expect(try keys(ModelContext(one).add("Owner")) == 174...174)
    let three = try HistorySamples.store(at: location)
    #expect(try keys(ModelContext(three).add("Owner")) == 239...239)
    #expect(try one.verifyHistory().problems == [])
  }

  @Test func `where a store was put back to an older state, saving works again after one error`()
    throws
  {
    let folder = try HistoryFolder()
    let path = folder.path("fleet.sqlite")
    let one = try HistorySamples.store(at: .file(path))
    let two = try HistorySamples.store(at: .file(path))
    try ModelContext(one).add("Owner")
    try Connection(.file(path)).execute("UPDATE contrail_key SET next = 2")
    try ModelContext(two).add("Owner")
    let context = ModelContext(one)
    #expect(throws: StoreError.self) { try context.add("Owner") }
    try context.save()
    #expect(
      try one.history().map(\.line) == [
        "1 -: #1 +Owner 1", "2 -: #2 +Owner 2", "3 -: #3 +Owner 35",
      ])
    #expect(try two.verifyHistory().problems == [])
  }
}
