import DataModel
import Foundation
import PredicateSQL
import Testing

@testable import ObjectStore

@Suite struct FetchedBatchesTests {
  private func filled(_ count: Int) throws -> Store {
    let store = try BatchSamples.store()
    try store.insertBatch("Member", rows: (0..<count).map { ["age": .integer(Int64($0 % 150))] })
    return store
  }

  private func request() -> FetchRequest {
    var request = FetchRequest("Member", sort: [QuerySort(.property("age"), isAscending: false)])
    request.includesPendingChanges = false
    return request
  }

  @Test func `objects come in order, read batch by batch`() throws {
    let context = ModelContext(try filled(100))
    let batches = try context.fetch(request(), batchSize: 30)
    #expect(batches.count == 100 && batches.batchSize == 30)
    #expect(try batches.map { try $0.value("age") } == (0..<100).reversed().map { .integer($0) })
    #expect(try batches[99].value("age") == .integer(0))
    #expect(try batches[0].value("age") == .integer(99))
    #expect(batches.last === batches[99])
    #expect(try batches[40..<42].map { try $0.value("age") } == [.integer(59), .integer(58)])
  }

  @Test func `what was read is dropped`() throws {
    let context = ModelContext(try filled(3000))
    let batches = try context.fetch(request(), batchSize: 100)
    weak var first: ManagedObject?
    do { first = batches[0] }
    #expect(first != nil)
    var most = 0
    for index in stride(from: 0, to: 3000, by: 10) {
      _ = batches[index]
      most = max(most, context.identities[batches[index].layout.root].count)
    }
    #expect(first == nil)
    #expect(most <= 200)
  }

  @Test func `who hears of others' changes may look at the same fetch while a batch is read`()
    throws
  {
    let store = try filled(10)
    let context = ModelContext(store)
    let batches = try context.fetch(request(), batchSize: 3)
    _ = batches[0]
    var seen: [FieldValue] = []
    let listener = context.onChanges { _ in
      for position in [5, 9, 0] {
        if let age = try? batches[position].value("age") { seen.append(age) }
      }
    }
    defer { listener.cancel() }
    try store.deleteBatch("Member", where: compare("age", .equal, .integer(6)))
    #expect(try batches[4].value("age") == .integer(5))
    #expect(seen == [.integer(4), .integer(0), .integer(9)])
  }

  @Test func `an object that was deleted meanwhile keeps its place, and says so`() throws {
    let store = try filled(10)
    let context = ModelContext(store)
    let batches = try context.fetch(request(), batchSize: 3)
    _ = batches[0]
    try store.deleteBatch("Member", where: compare("age", .greaterOrEqual, .integer(5)))
    #expect(batches.count == 10)
    // The first batch is in memory: the context learns of the rest with the next that it reads.
    #expect(!batches[0].isDeleted)
    _ = batches[9]
    #expect(batches.map(\.isDeleted) == (0..<10).map { $0 < 5 })
    #expect(try batches[9].value("age") == .integer(0))
    #expect(try batches[4].value("age") == .integer(18))
    #expect(context.takeProblems().isEmpty)
  }

  @Test func `pending changes and a batch size are an error`() throws {
    let context = ModelContext(try filled(1))
    var request = request()
    request.includesPendingChanges = true
    #expect(
      storeError { _ = try context.fetch(request, batchSize: 5) }?.code
        == .includePendingChangesWithBatchSize)
    request.includesPendingChanges = false
    #expect(storeError { _ = try context.fetch(request, batchSize: 0) }?.code == .invalidFetch)
  }

  @Test func `an object with changes is shown with them`() throws {
    let context = ModelContext(try filled(5))
    let batches = try context.fetch(request(), batchSize: 2)
    try batches[0].setValue("name", .string("kept"))
    _ = batches[4]
    #expect(try batches[0].value("name") == .string("kept"))
  }
}
