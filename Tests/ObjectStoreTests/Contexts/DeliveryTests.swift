import DataModel
import Foundation
import Testing

@testable import ObjectStore

@Suite struct DeliveryTests {
  let folder: TestFolder
  let store: Store

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
  }

  @MainActor
  @Test func `what a background context saves reaches the main context by itself`() async throws {
    let container = StoreContainer(store)
    let main = container.mainContext
    let ann = try main.make("Pilot", "Ann")
    try main.save()
    let identity = try #require(ann.identity)
    try await container.performBackgroundTask { context in
      try context.object(identity)?.setValue("name", .string("Anna"))
      try context.save()
    }
    try await eventually { ann.name == "Anna" }
    #expect(container.mainContext === main)
  }

  actor Reader {
    private let store: Store
    private var context: ModelContext?
    private var pilot: ManagedObject?

    init(_ store: Store) { self.store = store }

    func read() throws {
      let context = ModelContext(store)
      pilot = try context.find("Pilot", "Ann")
      self.context = context
    }

    var shown: String { pilot?.name ?? "" }
  }

  @Test func `a context made on an actor takes commits in by itself`() async throws {
    let context = ModelContext(store)
    let ann = try context.make("Pilot", "Ann")
    try context.save()
    let reader = Reader(store)
    try await reader.read()
    #expect(await reader.shown == "Ann")
    try ann.setValue("name", .string("Anna"))
    try context.save()
    for _ in 0..<10_000 {
      if await reader.shown == "Anna" { return }
      try await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("the reader did not hear of it")
  }

  actor Late {
    let context: ModelContext
    var told = 0

    init(_ store: Store) { context = ModelContext(store) }

    func start() {
      context.confine(to: self)
      context.onChanges { [weak self] change in
        self?.assumeIsolated { $0.told += change.inserted.count }
      }
    }
  }

  @Test func `a context made in an actor's initializer is told where it is at home`() async throws {
    let late = Late(store)
    await late.start()
    let context = ModelContext(store)
    try context.make("Pilot", "Ann")
    try context.save()
    for _ in 0..<10_000 {
      if await late.told == 1 { return }
      try await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("the actor's context did not hear of it")
  }

  @Test func `commits are told in their order, with who made them and where`() throws {
    let reader = ModelContext(store, isolation: nil)
    var told: [String] = []
    let listener = reader.onChanges { change in
      let words = [
        change.author ?? "-", "\(change.origin)", "+\(change.inserted.map(\.key))",
        "~\(change.updated.map(\.key))", "-\(change.deleted.map(\.key))",
      ]
      told.append("\(change.transaction) " + words.joined(separator: " "))
    }
    var saves: [Int64] = []
    reader.onDidSave { saves.append($0.transaction) }
    let writer = ModelContext(store, isolation: nil)
    writer.author = "writer"
    let ann = try writer.make("Pilot", "Ann")
    let ben = try writer.make("Pilot", "Ben")
    try writer.save()
    try ann.setValue("hours", .integer(3))
    try writer.save()
    reader.author = "reader"
    try reader.make("Pilot", "Cid")
    try reader.save()
    try writer.delete(ben)
    try writer.save()
    reader.receiveChanges()
    #expect(
      told == [
        "1 writer otherContext +[1, 2] ~[] -[]", "2 writer otherContext +[] ~[1] -[]",
        "3 reader thisContext +[3] ~[] -[]", "4 writer otherContext +[] ~[] -[2]",
      ])
    #expect(saves == [3])
    listener.cancel()
    try ann.setValue("hours", .integer(4))
    try writer.save()
    reader.receiveChanges()
    #expect(told.count == 4)
  }

  @Test func `a listener may fetch and save, and everything is still told in order`() throws {
    let first = ModelContext(store, isolation: nil)
    let second = ModelContext(store, isolation: nil)
    var told: [String] = []
    first.onChanges { change in
      told.append("\(change.transaction)")
      guard change.origin == .otherContext else { return }
      do {
        try first.make("Tag", "answer to \(change.transaction)")
        try first.save()
      } catch { told.append("\(error)") }
    }
    first.onChanges { told.append("again \($0.transaction)") }
    try second.make("Pilot", "Ann")
    try second.save()
    first.receiveChanges()
    #expect(told == ["1", "again 1", "2", "again 2"])
  }

  @Test func `names of updated properties are told`() throws {
    let reader = ModelContext(store, isolation: nil)
    let writer = ModelContext(store, isolation: nil)
    let ann = try writer.make("Pilot", "Ann")
    try writer.save()
    reader.receiveChanges()
    var names: Set<String> = []
    reader.onChanges { change in
      for object in change.updated { names.formUnion(change.updatedProperties(of: object)) }
    }
    try ann.setValue("hours", .integer(9))
    try writer.save()
    reader.receiveChanges()
    #expect(names == ["hours"])
  }

  @Test func `a sequence gives every commit in order and ends with the context`() async throws {
    var told: [Int64] = []
    let stream: AsyncStream<ContextChange>
    do {
      let context = ModelContext(store, isolation: nil)
      stream = context.changes()
      for number in 0..<20 {
        try context.make("Pilot", "\(number)")
        try context.save()
      }
    }
    for await change in stream { told.append(change.transaction) }
    #expect(told == Array(1...20))
  }

  @Test func `a reader that is too slow is told that it missed something`() async throws {
    let context = ModelContext(store, isolation: nil)
    let stream = context.changes()
    var changes = ChangeSet(transaction: 1, author: nil)
    changes.inserted(1, 1, 1)
    let all = ModelContext.streamedChangesMax + 1
    for _ in 0..<all { _ = context.inbox.put(changes); context.receiveChanges() }
    _ = context.inbox.put(changes)
    var isComplete = true
    var count = 0
    for await change in stream {
      count += 1
      if !change.isComplete { isComplete = false }
      if count == ModelContext.streamedChangesMax { break }
    }
    #expect(!isComplete)
  }

  @Test func `an inbox that nobody looks into does not grow without end`() throws {
    let inbox = ChangeInbox()
    for number in 0...ChangeInbox.waitingMax {
      _ = inbox.put(ChangeSet(transaction: Int64(number), author: nil))
    }
    let waiting = inbox.takeAll()
    #expect(waiting.count == 1)
    #expect(waiting.first?.isUnknown == true)
  }

  @Test func `onWillSave may change more, and keeps a save from happening by throwing`() throws {
    let context = ModelContext(store, isolation: nil)
    let listener = context.onWillSave { context in
      for object in context.insertedObjects { try object.setValue("name", .string("stamped")) }
    }
    try context.make("Tag", "plain")
    try context.save()
    #expect(try ModelContext(store).all("Tag").map(\.name) == ["stamped"])
    listener.cancel()
    context.onWillSave { _ in throw CancellationError() }
    try context.make("Tag", "second")
    #expect(throws: CancellationError.self) { try context.save() }
    #expect(context.hasChanges)
  }
}
