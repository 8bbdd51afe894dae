import DataModel
import Foundation
import Synchronization
import Testing

@testable import ObjectStore

@Suite struct BackgroundContextTests {
  let folder: TestFolder
  let store: Store
  let background: BackgroundContext

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
    background = BackgroundContext(store, author: "importer")
  }

  struct Refused: Error, Equatable {}

  @Test func `perform returns what the block returns and throws what it throws`() async throws {
    let name = try await background.perform { context in
      try context.make("Pilot", "Ann").name
    }
    #expect(name == "Ann")
    await #expect(throws: Refused.self) {
      try await background.perform { _ in throw Refused() }
    }
  }

  @Test func `performAndWait runs before, during and after in that order, and blocks`() throws {
    let notes = Notes()
    notes.add("before")
    let result = try background.performAndWait { context -> String in
      Thread.sleep(forTimeInterval: 0.02)
      notes.add("during")
      try context.make("Pilot", "Ann")
      try context.save()
      return context.author ?? ""
    }
    notes.add("after")
    #expect(notes.all == ["before", "during", "after"])
    #expect(result == "importer")
    #expect(throws: Refused.self) {
      try background.performAndWait { _ throws(Refused) in throw Refused() }
    }
  }

  @Test func `a block is never run on the thread of who made the context or waits for it`() throws {
    let here = UInt(pthread_self())
    let there = background.performAndWait { _ in UInt(pthread_self()) }
    #expect(here != there)
  }

  @MainActor
  @Test func `a context made on the main actor works beside the main thread`() async throws {
    let made = BackgroundContext(store)
    #expect(try await made.perform { _ in Thread.isMainThread } == false)
    #expect(made.performWaiting { Thread.isMainThread } == false)
  }

  @Test func `blocks run in the order in which they were handed over`() async throws {
    let notes = Notes()
    for number in 0..<100 { background.performLater { _ in notes.add("\(number)") } }
    try await background.perform { _ in notes.add("last") }
    #expect(notes.all == (0..<100).map(String.init) + ["last"])
  }

  @Test func `immediate runs inline where the executor is held already, enqueued at the end`()
    async throws
  {
    let actor = Importer(background)
    #expect(
      try await actor.order() == [
        "block begins", "immediate", "block ends", "waiting", "enqueued",
      ])
  }

  @Test func `immediate from another executor waits for its turn`() async throws {
    let notes = Notes()
    let gate = DispatchSemaphore(value: 0)
    background.performLater { _ in
      gate.wait()
      notes.add("first")
    }
    background.performLater { _ in notes.add("second") }
    async let third: Void = background.perform { _ in notes.add("third") }
    gate.signal()
    try await third
    #expect(notes.all == ["first", "second", "third"])
  }

  @Test func `performAndWait inside a block of the same context runs inline`() throws {
    let notes = Notes()
    let background = background
    background.performWaiting {
      notes.add("outer begins")
      background.performWaiting { notes.add("inner") }
      notes.add("outer ends")
    }
    #expect(notes.all == ["outer begins", "inner", "outer ends"])
  }

  @Test func `two contexts may wait for each other in a chain`() throws {
    let other = BackgroundContext(store)
    let background = background
    let notes = Notes()
    background.performWaiting {
      other.performWaiting {
        background.performWaiting { notes.add("innermost") }
      }
    }
    #expect(notes.all == ["innermost"])
  }

  @Test func `many actors may block in performAndWait at once`() async throws {
    let background = background
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 0..<64 {
        group.addTask { background.performWaiting { number } }
      }
      return await group.reduce(0, +)
    }
    #expect(sum == (0..<64).reduce(0, +))
  }

  @Test func `a block whose task was cancelled before it began does not run`() async throws {
    let notes = Notes()
    let gate = DispatchSemaphore(value: 0)
    background.performLater { _ in gate.wait() }
    let task = Task { [background] in
      try await background.perform(schedule: .enqueued) { _ in notes.add("ran") }
    }
    // Whether it waits already or has not begun to is the same.
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.signal()
    try await background.perform { _ in notes.add("next") }
    #expect(notes.all == ["next"])
  }

  @Test func `a block that has begun is not stopped by a cancellation`() async throws {
    let begun = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    let task = Task { [background] in
      try await background.perform { _ in
        begun.signal()
        gate.wait()
        return "done"
      }
    }
    await Task.detached { waitFor(begun) }.value
    task.cancel()
    gate.signal()
    #expect(try await task.value == "done")
  }

  @Test func `what performLater throws is kept and told`() async throws {
    let notes = Notes()
    try await background.perform { context in
      context.onProblem = { notes.add($0.code.rawValue) }
    }
    background.performLater { _ in throw Refused() }
    let problems = try await background.perform { $0.takeProblems() }
    #expect(problems.map(\.description) == ["background block: failed: Refused() [blockFailed]"])
    #expect(notes.all == ["blockFailed"])
  }

  @Test func `changes that a block leaves unsaved are there in the next`() async throws {
    try await background.perform {
      try $0.make("Pilot", "Ann"); return
    }
    #expect(try await background.perform { $0.hasChanges })
    try await background.perform { try $0.save() }
    #expect(try ModelContext(store).all("Pilot").map(\.name) == ["Ann"])
  }

  @Test func `the store runs blocks one after the other, each with a context of its own`()
    async throws
  {
    let store = store
    try await store.perform { context in
      try context.make("Pilot", "kept")
      try context.save()
      try context.make("Pilot", "dropped")
    }
    let names = try await store.perform { context in try context.all("Pilot").map(\.name) }
    #expect(names == ["kept"])
    let counts = try await store.perform { context in
      try context.make("Pilot", "unsaved")
      let inner = store.performWaitingContext { $0.hasChanges }
      return [context.hasChanges, inner]
    }
    #expect(counts == [true, false])
  }

  @Test func `a snapshot, an identity and a dictionary leave the block`() async throws {
    let snapshot = try await background.perform { context in
      let pilot = try context.make("Pilot", "Ann")
      let flight = try context.make("Flight", "Paris")
      try flight.setRelated("pilot", pilot)
      try context.save()
      return pilot.snapshot()
    }
    let flight = try #require(snapshot.related["flights"]?.first)
    #expect(
      snapshot
        == ObjectSnapshot(
          entity: "Pilot",
          identity: ObjectIdentity(store: store.identifier, entity: "Pilot", key: 1), version: 1,
          values: ["name": .string("Ann"), "hours": .integer(0)],
          related: ["flights": [flight], "friends": [], "licence": [], "ratings": []]))
    let context = ModelContext(store)
    #expect(context.object(flight)?.name == "Paris")
  }

  @Test func `an actor that names the executor as its own works with the context`() async throws {
    let actor = Importer(background)
    try await actor.importPilot("Ann")
    #expect(try ModelContext(store).all("Pilot").map(\.name) == ["Ann"])
    #expect(await Stranger(background).hasContext() == false)
  }
}

/// What `noasync` forbids in an asynchronous test is tried through a synchronous function.
extension BackgroundContext {
  func performWaiting<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
    performAndWait { _ in body() }
  }
}

extension Store {
  func performWaitingContext<Value: Sendable>(
    _ body: @escaping @Sendable (ModelContext) -> Value
  ) -> Value {
    performAndWait(body)
  }
}

func waitFor(_ semaphore: DispatchSemaphore) { semaphore.wait() }

actor Importer {
  let background: BackgroundContext
  nonisolated var unownedExecutor: UnownedSerialExecutor { background.unownedExecutor }

  init(_ background: BackgroundContext) { self.background = background }

  func importPilot(_ name: String) throws {
    let own = background.modelContext(for: self)
    let context = try #require(own)
    try context.make("Pilot", name)
    try context.save()
  }

  func order() async throws -> [String] {
    let notes = Notes()
    notes.add("block begins")
    background.performLater { _ in notes.add("waiting") }
    try await background.perform(schedule: .immediate) { _ in notes.add("immediate") }
    notes.add("block ends")
    try await background.perform(schedule: .enqueued) { _ in notes.add("enqueued") }
    return notes.all
  }
}

actor Stranger {
  let background: BackgroundContext

  init(_ background: BackgroundContext) { self.background = background }

  func hasContext() -> Bool { background.modelContext(for: self) != nil }
}
