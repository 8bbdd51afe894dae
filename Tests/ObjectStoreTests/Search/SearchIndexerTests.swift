import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct SearchIndexerTests {
  let folder: ValuesFolder

  init() throws { folder = try ValuesFolder() }

  func open(_ schema: Schema = Album.schema) throws -> Store {
    try Store(at: .file(folder.storeFile), schema: schema)
  }

  func addPhotos(_ store: Store, _ texts: [String]) throws {
    let context = ModelContext(store)
    for text in texts { try context.add("Photo", ["caption": .string(text)]) }
    try context.save()
  }

  func number(_ sql: String, _ store: Store) throws -> Int64 {
    try store.read { connection in
      let statement = try connection.prepare(sql)
      return try statement.step() ? statement.integer(0) : -1
    }
  }

  @Test func `a run of inserts is taken in batch by batch, whichever is the last before a kill`()
    throws
  {
    let count = SearchIndex.batchMax * 3 + 5
    let store = try open()
    try addPhotos(store, ["zero"])
    try store.updateSearchIndex()
    try addPhotos(store, (1...count).map { "word\($0) all" })
    var steps = 0
    // Each step is one transaction: a process killed between two goes on where it was.
    while try !store.searchIndexer.catchUp(try open(), batches: 1) {
      steps += 1
      let rows = try number("SELECT count(*) FROM contrail_search", store)
      #expect(rows == min(Int64(steps * SearchIndex.batchMax), Int64(count)) + 1)
      if steps > 20 { break }
    }
    #expect(steps == 4)
    #expect(try store.search("all", limit: 5000).count == Store.searchHitsMax.clamped(count))
    #expect(try store.search("word\(count)").map(\.identity.key) == [Int64(count) + 1])
  }

  @Test func `a batch that fails leaves index and position as they were`() throws {
    let store = try open()
    try addPhotos(store, ["one"])
    try store.updateSearchIndex()
    try addPhotos(store, ["two"])
    let before = try store.read { try SearchPosition.read($0) }
    struct Kill: Error {}
    #expect(throws: Kill.self) {
      try store.maintain { connection in
        try connection.transaction(failingAs: { $0 as any Error }) { () throws(any Error) in
          _ = try SearchIndex(plan: store.searchIndexer.searchPlan, connection: connection)
            .advance(time: 0)
          throw Kill()
        }
      }
    }
    #expect(try store.read { try SearchPosition.read($0) } == before)
    #expect(try number("SELECT count(*) FROM contrail_search", store) == 1)
    #expect(try store.search("two").count == 1)
  }

  @Test func `objects that were there before the index are in it, with what changed meanwhile`()
    throws
  {
    let store = try open()
    try addPhotos(store, (0..<SearchIndex.batchMax * 2).map { "old\($0)" })
    #expect(try !store.searchIndexer.catchUp(store, batches: 2))
    // Changed while the index is being filled: behind and before where it is.
    let context = ModelContext(store)
    let photos = try context.all("Photo")
    try photos.first?.setValue("caption", .string("new first"))
    try photos.last?.setValue("caption", .string("new last"))
    try context.delete(photos[1])
    try context.save()
    #expect(try store.search("new").count == 2)
    #expect(try store.search("old0").isEmpty)
    #expect(try store.search("old1").isEmpty)
    #expect(try store.search("old2").count == 1)
  }

  @Test func `history is told how far the index has read`() throws {
    let store = try open()
    try addPhotos(store, ["one"])
    try store.updateSearchIndex()
    let sql = "SELECT transaction_number FROM contrail_reader WHERE name = 'contrail.search'"
    #expect(try number(sql, store) == 1)
    try addPhotos(store, ["two"])
    #expect(try number(sql, store) == 1)
    try store.updateSearchIndex()
    #expect(try number(sql, store) == 2)
    // Without its registration history may be gone: the index is made anew.
    try store.maintain { connection in
      try connection.execute("DELETE FROM contrail_reader")
      try connection.execute("DELETE FROM contrail_search")
    }
    #expect(try store.search("one").count == 1)
  }

  @Test func `history that was purged by force makes the index anew`() throws {
    let store = try open()
    try addPhotos(store, ["one"])
    try store.updateSearchIndex()
    try addPhotos(store, ["two"])
    try addPhotos(store, ["three"])
    try store.maintain { connection in
      try connection.execute("DELETE FROM contrail_change WHERE number <= 2")
      try connection.execute("DELETE FROM contrail_transaction WHERE number <= 2")
    }
    for word in ["one", "two", "three"] { #expect(try store.search(word).count == 1) }
  }

  @Test func `it keeps up with commits when asked to, and saving does not wait`() throws {
    let store = try open()
    store.followWithSearchIndex()
    try addPhotos(store, ["one"])
    let deadline = Date().addingTimeInterval(20)
    while try store.search("one", isCurrent: false).isEmpty, Date() < deadline {
      Thread.sleep(forTimeInterval: 0.005)
    }
    #expect(try store.search("one", isCurrent: false).count == 1)
    store.searchIndexer.stop()
    store.searchIndexer.waitForQueue()
    try addPhotos(store, ["two"])
    store.searchIndexer.waitForQueue()
    #expect(try store.search("two", isCurrent: false).isEmpty)
    #expect(try store.search("two").count == 1)
    #expect(store.searchIndexer.failure == nil)
  }

  @Test func `other attributes make another index`() throws {
    let store = try open()
    try addPhotos(store, ["one"])
    #expect(try store.search("one").count == 1)
    // As after a migration: the same store, other attributes to search.
    try store.maintain {
      try $0.execute("UPDATE contrail_store SET value = '1:' WHERE name = 'search.signature'")
      try $0.execute("DELETE FROM contrail_search")
    }
    #expect(try store.search("one").count == 1)
    try store.maintain { try $0.execute("DELETE FROM contrail_search") }
    #expect(try store.search("one").isEmpty)
    try store.rebuildSearchIndex()
    #expect(try store.search("one").count == 1)
  }

  @Test func `a search that has nothing to take in writes nothing`() throws {
    let store = try open()
    try addPhotos(store, ["one"])
    #expect(try store.search("one").count == 1)
    let reader = try Store(at: .file(folder.storeFile), schema: Album.schema, options: readOnly)
    #expect(try reader.search("one").count == 1)
  }

  private var readOnly: Store.Options {
    var options = Store.Options()
    options.allowsSave = false
    return options
  }
}

extension Int {
  fileprivate func clamped(_ count: Int) -> Int { Swift.min(self, count) }
}
