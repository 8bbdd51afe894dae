import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct HistoryReadingTests {
  /// Five transactions of three authors: see the first test.
  private func sample() throws -> Store {
    let store = try HistorySamples.store()
    let ann = ModelContext(store, author: "ann")
    let owner = try ann.insert("Owner")
    let cars = try (0..<3).map { _ in try ann.insert("Car") }
    try ann.save()
    try cars[0].setValue("plate", .string("A 1"))
    try cars[0].setValue("doors", .integer(4))
    ann.author = "bob"
    try ann.save()
    ann.author = nil
    try ann.add("Vehicle")
    ann.author = "sync"
    try owner.setRelated("vehicles", [cars[1]])
    try ann.save()
    ann.author = "ann"
    try ann.delete(cars[0])
    try ann.save()
    return store
  }

  private func lines(_ store: Store, _ change: (inout HistoryRequest) -> Void) throws -> [String] {
    var request = HistoryRequest()
    change(&request)
    return try store.history(request).map(\.line)
  }

  @Test func `history tells what was done, by whom and in which order`() throws {
    let store = try sample()
    let history = try store.history()
    #expect(
      history.map(\.line) == [
        "1 ann: #1 +Owner 1, #2 +Car 1, #3 +Car 2, #4 +Car 3",
        "2 bob: #5 ~Car 1 (plate doors)",
        "3 -: #6 +Vehicle 4",
        "4 sync: #7 ~Car 2 (owner)",
        "5 ann: #8 -Car 1",
      ])
    #expect(history.map(\.time.timeIntervalSinceReferenceDate) == [1001, 1002, 1003, 1004, 1005])
    #expect(Set(history.map(\.process)) == ["tests"])
    #expect(history.map(\.token.transaction) == [1, 2, 3, 4, 5])
    #expect(history.map(\.changeCount) == [4, 1, 1, 1, 1])
    let tombstone = try #require(history[4].changes[0].tombstone)
    #expect(tombstone.values == ["plate": .string("A 1")])
    #expect(tombstone["plate"] == .string("A 1"))
    #expect(
      tombstone.identity
        == ObjectIdentity(store: store.identifier, entity: "Car", key: 1))
    #expect(history.flatMap(\.changes).filter { $0.tombstone != nil }.count == 1)
  }

  @Test func `history begins behind a token, a transaction or a date, and ends before one`() throws
  {
    let store = try sample()
    func numbers(_ after: HistoryRequest.Place?, _ before: HistoryRequest.Place?) throws -> [Int64]
    {
      try store.history(HistoryRequest(after: after, before: before)).map(\.number)
    }
    func token(_ number: Int64) -> HistoryRequest.Place {
      .token(HistoryToken(store: store.identifier, transaction: number))
    }
    func date(_ time: Double) -> HistoryRequest.Place {
      .date(Date(timeIntervalSinceReferenceDate: time))
    }
    #expect(try numbers(token(0), nil) == [1, 2, 3, 4, 5])
    #expect(try numbers(token(3), nil) == [4, 5])
    #expect(try numbers(.transaction(3), nil) == [4, 5])
    #expect(try numbers(date(1003), nil) == [4, 5])
    #expect(try numbers(date(1002.5), nil) == [3, 4, 5])
    #expect(try numbers(nil, token(3)) == [1, 2, 3])
    #expect(try numbers(nil, .transaction(3)) == [1, 2])
    #expect(try numbers(nil, date(1003)) == [1, 2])
    #expect(try numbers(token(1), date(1004)) == [2, 3])
    #expect(try numbers(token(4), token(2)) == [])
  }

  @Test func `history is filtered by author, entity, kind and object`() throws {
    let store = try sample()
    #expect(
      try lines(store) { $0.authors = ["bob", "sync", "nobody"] } == [
        "2 bob: #5 ~Car 1 (plate doors)", "4 sync: #7 ~Car 2 (owner)",
      ])
    #expect(
      try lines(store) { $0.excludedAuthors = ["ann", "it's \"quoted\""] } == [
        "2 bob: #5 ~Car 1 (plate doors)", "3 -: #6 +Vehicle 4", "4 sync: #7 ~Car 2 (owner)",
      ])
    #expect(
      try lines(store) { $0.entities = ["Owner"] } == ["1 ann: #1 +Owner 1"])
    #expect(
      try lines(store) {
        $0.entities = ["Vehicle"]
        $0.kinds = [.insert]
      } == ["1 ann: #2 +Car 1, #3 +Car 2, #4 +Car 3", "3 -: #6 +Vehicle 4"])
    #expect(try lines(store) { $0.kinds = [.delete] } == ["5 ann: #8 -Car 1"])
    #expect(try lines(store) { $0.kinds = [] } == [])
    #expect(
      try lines(store) {
        $0.object = ObjectIdentity(store: store.identifier, entity: "Car", key: 2)
      } == ["1 ann: #3 +Car 2", "4 sync: #7 ~Car 2 (owner)"])
    #expect(
      try lines(store) {
        $0.kinds = [.update, .delete]
        $0.limit = 2
        $0.order = .newestFirst
      } == ["5 ann: #8 -Car 1", "4 sync: #7 ~Car 2 (owner)"])
    #expect(try lines(store) { $0.limit = 0 } == [])
    #expect(storeError { _ = try lines(store) { $0.entities = ["Boat"] } }?.code == .unknownEntity)
    let foreign = ObjectIdentity(store: UUID(), entity: "Car", key: 2)
    #expect(storeError { _ = try lines(store) { $0.object = foreign } } != nil)
  }

  @Test func `the same request gives transactions, changes, identities or counts`() throws {
    let store = try sample()
    var request = HistoryRequest()
    request.entities = ["Car"]
    let transactions = try store.historyTransactions(request)
    #expect(transactions.map(\.number) == [1, 2, 4, 5])
    #expect(transactions.allSatisfy { $0.changes.isEmpty })
    #expect(try store.historyChanges(request).map(\.number) == [2, 3, 4, 5, 7, 8])
    #expect(try store.historyIdentities(request).map(\.key) == [1, 2, 3])
    #expect(
      try store.historyCount(request) == HistoryCount(transactions: 4, changes: 6))
    request.limit = 2
    #expect(try store.historyCount(request) == HistoryCount(transactions: 2, changes: 4))
    #expect(try store.historyIdentities(request).map(\.key) == [1, 2, 3])
    request.limit = 0
    #expect(try store.historyCount(request) == HistoryCount(transactions: 0, changes: 0))
    request.limit = nil
    request.object = ObjectIdentity(store: store.identifier, entity: "Car", key: 3)
    #expect(try store.historyCount(request) == HistoryCount(transactions: 1, changes: 1))
    #expect(try store.historyIdentities(request).map(\.key) == [3])
  }

  @Test func `a change keeps its number whatever is asked for and purged`() throws {
    let store = try sample()
    try store.purgeHistory(before: .transaction(5))
    #expect(try store.history().map(\.line) == ["5 ann: #8 -Car 1"])
    try store.purgeHistory(before: .transaction(100))
    let context = ModelContext(store)
    try context.add("Owner", 2)
    #expect(
      try store.history().map(\.line) == ["5 ann: #8 -Car 1", "6 -: #9 +Owner 2, #10 +Owner 3"])
  }

  @Test func `names that the schema has no longer are the last known ones, and marked`() throws {
    let store = try sample()
    try store.write { transaction in
      try transaction.connection.execute(
        """
        INSERT INTO contrail_entity VALUES (90, 'Boat', 'Boat', 0);
        INSERT INTO contrail_property VALUES (91, 90, 'sails', 'sails', '', 0)
        """)
      try transaction.log.inserted(90, 1)
      try transaction.log.updated(90, 1, [91, 99])
    }
    let changes = try #require(try store.history(HistoryRequest(after: .transaction(5))).first)
      .changes
    #expect(
      changes.map(\.entity)
        == Array(repeating: HistoryName(number: 90, name: "Boat", isLive: false), count: 2))
    #expect(
      changes[1].updatedProperties == [
        HistoryName(number: 91, name: "sails", isLive: false),
        HistoryName(number: 99, name: "#99", isLive: false),
      ])
    #expect(try store.history().first?.changes.first?.entity.isLive == true)
  }

  private static let damages = [
    "UPDATE contrail_change SET count = -1 WHERE number = 2",
    "UPDATE contrail_change SET count = 9223372036854775807 WHERE number = 2",
    "UPDATE contrail_change SET key = 9223372036854775807 WHERE number = 2",
    "UPDATE contrail_change SET kind = 9 WHERE number = 2",
    "UPDATE contrail_change SET number = 9223372036854775807 WHERE number = 8",
    "UPDATE contrail_transaction SET number = 9223372036854775807 WHERE number = 5",
    "UPDATE contrail_transaction SET number = -5 WHERE number = 1",
    "UPDATE contrail_transaction SET change_count = 9223372036854775807",
    "UPDATE contrail_transaction SET first_change = -9223372036854775807",
    "UPDATE contrail_change SET properties = x'ffffffffffffffffffffffff', tombstone = x'0173ff'",
  ]

  @Test(arguments: damages)
  func `a damaged history is an error or is shown as it is, and never a trap`(_ sql: String) throws
  {
    let store = try sample()
    try store.write { try $0.connection.execute(sql) }
    for order in [HistoryRequest.Order.oldestFirst, .newestFirst] {
      var request = HistoryRequest()
      request.order = order
      _ = try? store.historyCount(request)
      _ = try? store.historyTransactions(request)
      _ = try? store.history(request)
      try? store.forEachHistoryPage(request, changesMax: 2) { _ in }
    }
    if !sql.contains("properties") {
      #expect((try? store.verifyHistory())?.problems != [])
    }
    _ = try? store.purgeHistory(before: .transaction(3))
    _ = try? ModelContext(store).add("Owner")
  }
}
