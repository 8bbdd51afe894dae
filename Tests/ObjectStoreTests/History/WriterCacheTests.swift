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
    #expect(
      try stores[0].history().map(\.line)
        == (0..<20).map { "\($0 + 1) author \($0 / 4): #\($0 + 1) +Owner \($0 + 1)" })
    #expect(try stores[1].verifyHistory().problems == [])
    #expect(try names(stores[0]) == ["author 0", "tests"] + (1..<5).map { "author \($0)" })
  }
}
