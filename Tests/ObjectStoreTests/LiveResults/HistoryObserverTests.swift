import ChildPrograms
import DataModel
import Foundation
import Observation
import Testing

@testable import ObjectStore

@Suite struct HistoryObserverTests {
  private func write(_ store: Store, _ author: String?, _ entity: String) throws {
    let context = ModelContext(store, isolation: nil)
    context.author = author
    try context.insert(entity)
    try context.save()
  }

  @Test func `transactions that matter are counted from now on`() throws {
    let store = try HistorySamples.store()
    let container = StoreContainer(store)
    try write(store, "old", "Car")
    let all = try HistoryObserver(container, isolation: nil)
    let vehicles = try HistoryObserver(container, entities: ["Vehicle"], isolation: nil)
    let sync = try HistoryObserver(
      container, entities: ["Owner", "Car"], authors: ["sync"], isolation: nil)
    func counts() -> [Int] { [all, vehicles, sync].map(\.eventCounter) }
    #expect(counts() == [0, 0, 0])
    for (author, entity) in [
      ("sync", "Car"), ("app", "Owner"), (nil, "Vehicle"), ("sync", "Owner"), ("sync", "Vehicle"),
    ] {
      try write(store, author, entity)
    }
    #expect(counts() == [5, 3, 2])
    #expect(counts() == [5, 3, 2])
    #expect(sync.tokens == [try store.historyToken()])
  }

  @Test func `an observer catches up from a token`() async throws {
    let store = try HistorySamples.store()
    let container = StoreContainer(store)
    try write(store, "one", "Car")
    let token = try store.historyToken()
    try write(store, "two", "Owner")
    try write(store, "three", "Car")
    let observer = try HistoryObserver(
      container, tokens: [token], entities: ["Vehicle"], isolation: nil)
    #expect(observer.eventCounter == 1)
    var lines: [String] = []
    for try await transaction in observer.transactions(after: [token]) {
      lines.append(transaction.line)
      if lines.count == 1 { try write(store, "four", "Vehicle") }
      if lines.count == 2 { break }
    }
    #expect(lines == ["3 three: #3 +Car 2", "4 four: #4 +Vehicle 3"])
    #expect(observer.eventCounter == 2)
  }

  @MainActor
  @Test(.timeLimit(.minutes(5)))
  func `on an actor it counts by itself, and tells whoever observes it`() async throws {
    let store = try HistorySamples.store()
    let observer = try HistoryObserver(StoreContainer(store))
    let (told, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = observer.eventCounter
    } onChange: {
      continuation.yield()
    }
    try await BackgroundContext(store).perform { context in
      try context.insert("Owner")
      try context.save()
    }
    for await _ in told { break }
    #expect(observer.eventCounter == 1)
  }

  @Test func `an unknown entity and a purged token are errors`() throws {
    let store = try HistorySamples.store()
    let container = StoreContainer(store)
    #expect(throws: StoreError.self) {
      try HistoryObserver(container, entities: ["Ship"], isolation: nil)
    }
    let observer = try HistoryObserver(container, isolation: nil)
    let other = try HistoryObserver(container, isolation: nil)
    let token = HistoryToken(store: store.identifier, transaction: 99)
    #expect(throws: StoreError.self) {
      try HistoryObserver(container, tokens: [token], isolation: nil)
    }
    try write(store, nil, "Car")
    #expect(other.eventCounter == 1)
    #expect(other.error == nil)
    #expect(observer.eventCounter == 1)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a sequence waits for other processes, and ends when its task is cancelled`() async throws {
    let folder = try HistoryFolder()
    let path = folder.path("fleet.sqlite")
    let store = try HistorySamples.store(at: .file(path))
    let transactions = try HistoryObserver(StoreContainer(store), isolation: nil).transactions()
    let reader = Task {
      var authors: [String?] = []
      for try await transaction in transactions { authors.append(transaction.author) }
      return authors
    }
    let child = ChildProgram.beside("StoreChild")
    _ = try ChildProgram.run([child, "once", path, "Owner", "name", "child", "5"])
    try await Task.sleep(for: .milliseconds(300))
    reader.cancel()
    #expect(try await reader.value == ["child"])
  }
}
