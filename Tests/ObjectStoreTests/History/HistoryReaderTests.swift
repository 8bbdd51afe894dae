import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct HistoryReaderTests {
  private func sample(_ transactions: Int = 5) throws -> Store {
    let store = try HistorySamples.store()
    let context = ModelContext(store)
    for _ in 0..<transactions { try context.add("Owner") }
    return store
  }

  private func token(_ store: Store, _ number: Int64) -> HistoryToken {
    HistoryToken(store: store.identifier, transaction: number)
  }

  @Test func `readers stand where they have read to, and lag behind`() throws {
    let store = try sample()
    #expect(try store.registerReader("index") == token(store, 0))
    #expect(try store.registerReader("sync", at: token(store, 3)) == token(store, 3))
    try store.advanceReader("index", to: token(store, 5))
    let readers = try store.readers()
    #expect(readers.map(\.name) == ["index", "sync"])
    #expect(readers.map(\.token.transaction) == [5, 3])
    #expect(readers.map(\.lag) == [0, 2])
    #expect(
      readers.map(\.oldestUnread) == [nil, Date(timeIntervalSinceReferenceDate: 1004)])
    #expect(try store.registerReader("index") == token(store, 5))
    #expect(try store.removeReader("sync"))
    #expect(try !store.removeReader("sync"))
    #expect(try store.readers().map(\.name) == ["index"])
    // Readers are no objects: history does not know of them.
    #expect(try store.historyToken() == token(store, 5))
  }

  @Test func `a reader advances to where history is, and never back`() throws {
    let store = try sample()
    try store.registerReader("sync", at: token(store, 3))
    try store.advanceReader("sync", to: token(store, 3))
    #expect(
      storeError { try store.advanceReader("sync", to: token(store, 2)) }?.code == .invalidToken)
    #expect(
      storeError { try store.advanceReader("sync", to: token(store, 6)) }?.code == .invalidToken)
    #expect(
      storeError { try store.advanceReader("who", to: token(store, 3)) }?.code == .missingObject)
    #expect(storeError { try store.registerReader("") }?.code == .outOfRange)
    #expect(try store.readers().map(\.token) == [token(store, 3)])
  }

  @Test func `what a reader has not read is not purged unless it is forced`() throws {
    let store = try sample()
    try store.registerReader("sync", at: token(store, 2))
    try store.registerReader("index", at: token(store, 4))
    let error = storeError { try store.purgeHistory(before: .token(token(store, 3))) }
    #expect(error?.code == .historyUnread)
    #expect(error?.failures.map(\.subject) == ["reader sync"])
    #expect(error?.failures.map(\.message) == ["has read up to transaction 2"])
    #expect(try store.history().map(\.number) == [1, 2, 3, 4, 5])
    #expect(
      try store.purgeHistory(before: .token(token(store, 2)))
        == HistoryPurge(transactions: 2, changes: 2, oldestKept: 3))
    #expect(try store.history().map(\.number) == [3, 4, 5])
    #expect(
      try store.purgeHistory(before: .token(token(store, 4)), force: true)
        == HistoryPurge(transactions: 2, changes: 2, oldestKept: 5))
    #expect(
      storeError { _ = try store.history(HistoryRequest(after: .token(token(store, 2)))) }?.code
        == .historyExpired)
    #expect(
      try store.history(HistoryRequest(after: .token(token(store, 4)))).map(\.number) == [5])
  }

  @Test func `an expired token says what the oldest known transaction is`() throws {
    let store = try sample()
    try store.purgeHistory(before: .transaction(4))
    for place in [HistoryRequest.Place.token(token(store, 2)), .transaction(2)] {
      let error = storeError { _ = try store.history(HistoryRequest(after: place)) }
      #expect(error?.code == .historyExpired)
      #expect(error?.message.hasSuffix("the oldest known transaction is 4") == true)
    }
    #expect(try store.history(HistoryRequest(after: .transaction(3))).map(\.number) == [4, 5])
    #expect(try store.history().map(\.number) == [4, 5])
  }

  @Test func `the newest transaction is always kept, so that numbers go on`() throws {
    let store = try sample()
    let all = HistoryRequest.Place.date(.distantFuture)
    #expect(
      try store.purgeHistory(before: all)
        == HistoryPurge(transactions: 4, changes: 4, oldestKept: 5))
    #expect(
      try store.purgeHistory(before: all)
        == HistoryPurge(transactions: 0, changes: 0, oldestKept: 5))
    try ModelContext(store).add("Owner")
    #expect(try store.history().map(\.line) == ["5 -: #5 +Owner 5", "6 -: #6 +Owner 6"])
    let empty = try HistorySamples.store()
    #expect(try empty.purgeHistory(before: all) == HistoryPurge())
  }

  @Test func `a purge by date goes up to the first transaction that is not older`() throws {
    let store = try sample()
    // As if the clock had been set back before transaction 4.
    try store.write { transaction in
      try transaction.connection.execute(
        "UPDATE contrail_transaction SET time = 1 WHERE number = 4")
    }
    let date = Date(timeIntervalSinceReferenceDate: 1003)
    #expect(try store.purgeHistory(before: .date(date)).transactions == 2)
    #expect(try store.history().map(\.number) == [3, 4, 5])
  }

  @Test func `a long history is purged in several steps`() throws {
    let store = try HistorySamples.store()
    let owner = try #require(store.layout.entity("Owner"))
    for key in 1...2503 {
      try store.write { try $0.log.inserted(owner.number, Int64(key)) }
    }
    #expect(
      try store.purgeHistory(before: .transaction(2502))
        == HistoryPurge(transactions: 2501, changes: 2501, oldestKept: 2502))
  }

  @Test func `a reader advances together with what it writes, or not at all`() throws {
    let store = try sample()
    try store.registerReader("sync")
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try store.write { transaction in
        try transaction.advanceReader("sync", to: token(store, 4), in: store)
        throw Failure()
      }
    }
    #expect(try store.readers().map(\.token.transaction) == [0])
  }
}
