import Contrail
import Testing

@Suite("Earthquakes: work on a context's executor")
struct QuakeWorkTests {
  struct Stop: Error {}

  @Test func `performAndWait runs before, during and after in that order, and blocks the caller`()
    throws
  {
    let background = BackgroundContext(try quakes())
    let notes = Notes()
    notes.add("before")
    background.performAndWait { _ in
      Thread.sleep(forTimeInterval: 0.01)
      notes.add("during")
    }
    notes.add("after")
    #expect(notes.all == ["before", "during", "after"])
  }

  @Test func `performLater returns at once, and its block is run some time`() async throws {
    let background = BackgroundContext(try quakes())
    let (gate, notes) = (DispatchSemaphore(value: 0), Notes())
    background.performLater { _ in
      gate.wait()
      notes.add("block")
    }
    notes.add("returned")
    gate.signal()
    try await background.perform(schedule: .enqueued) { _ in }
    #expect(notes.all == ["returned", "block"])
  }

  @MainActor @Test func `perform suspends the caller's task and does not block its thread`()
    async throws
  {
    let background = BackgroundContext(try quakes())
    let gate = DispatchSemaphore(value: 0)
    // The block waits for something that only the main actor does: blocked, it would never end.
    let other = Task { @MainActor in _ = gate.signal() }
    try await background.perform { _ in gate.wait() }
    await other.value
  }

  @Test func `perform returns what its block returns, and throws at the await what it throws`()
    async throws
  {
    let background = BackgroundContext(try quakes(week))
    let count = try await background.perform { context in
      try context.fetchCount(FetchDescriptor<Quake>())
    }
    #expect(count == 5)
    await #expect(throws: Stop.self) { try await background.perform { _ in throw Stop() } }
  }

  @Test func `quakes of the last five hours are counted without being fetched`() async throws {
    let now = Date.at(day: 2, hour: 22)
    let container = try quakes(week)
    let count = try await container.performBackgroundTask { context in
      guard let since = Calendar.greenwich.date(byAdding: .hour, value: -5, to: now) else {
        return -1
      }
      return try context.fetchCount(
        FetchDescriptor<Quake>(predicate: #Predicate { $0.time >= since }))
    }
    #expect(count == 1)
  }

  @MainActor @Test func `an identifier crosses from the block, and its model is fetched again`()
    async throws
  {
    let container = try quakes(week)
    let newest = try await BackgroundContext(container).perform { context in
      var descriptor = FetchDescriptor<Quake>(sortBy: [SortDescriptor(\.time, order: .reverse)])
      descriptor.fetchLimit = 1
      return try context.fetch(descriptor).first?.persistentModelID
    }
    let model = container.mainContext.model(for: try #require(newest)) as? Quake
    #expect(model?.code == "e")
    #expect(model?.modelContext === container.mainContext)
  }

  @Test func `dictionaries with some properties cross from the block`() async throws {
    let container = try quakes(week)
    let rows = try await container.performBackgroundTask { context in
      var descriptor = FetchDescriptor<Quake>(
        predicate: #Predicate { $0.magnitude > 5 },
        sortBy: [SortDescriptor(\.magnitude, order: .reverse)])
      descriptor.fetchLimit = 2
      return try context.fetchDictionaries(
        descriptor, properties: [\.place, \.magnitude, \.time, \.strength, \.depth])
    }
    #expect(rows.map { $0["place"] as? String } == ["Mount Ember", "Norfold"])
    #expect(rows.map { $0["magnitude"] as? Double } == [6.5, 6.0])
    #expect(rows.map { $0["time"] as? Date } == [.at(day: 0, hour: 9), .at(day: 2, hour: 20)])
    #expect(rows.map { $0["strength"] as? String } == ["strong", "strong"])
    #expect(rows.map { $0["depth"] == nil } == [true, true])
  }

  @Test func `dictionaries do not leave out changes that are not saved without saying so`() throws {
    let context = ModelContext(try quakes(week))
    context.insert(Quake(code: "f", magnitude: 1, place: "", time: .at(day: 0)))
    let descriptor = FetchDescriptor<Quake>()
    #expect(throws: StoreError.self) {
      try context.fetchDictionaries(descriptor, properties: [\.code])
    }
    var stored = descriptor
    stored.includePendingChanges = false
    #expect(try context.fetchDictionaries(stored, properties: [\.code]).count == 5)
  }

  /// An actor whose methods run on a context's executor.
  private actor Importer {
    let background: BackgroundContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { background.unownedExecutor }

    init(_ background: BackgroundContext) { self.background = background }

    func order() async throws -> [String] {
      let notes = Notes()
      notes.add("block begins")
      background.performLater { _ in notes.add("waiting") }
      try await background.perform { _ in notes.add("immediate") }
      async let last: Void = background.perform(schedule: .enqueued) { _ in notes.add("enqueued") }
      notes.add("block ends")
      try await last
      return notes.all
    }
  }

  @Test
  func `immediate runs at once where the caller is on the executor, enqueued always at the end`()
    async throws
  {
    let order = try await Importer(BackgroundContext(try quakes())).order()
    #expect(order.prefix(2) == ["block begins", "immediate"])
    #expect(order.suffix(2) == ["waiting", "enqueued"])
  }

  @Test func `immediate from elsewhere waits for its turn`() async throws {
    let background = BackgroundContext(try quakes())
    let (gate, notes) = (DispatchSemaphore(value: 0), Notes())
    background.performLater { _ in
      gate.wait()
      notes.add("first")
    }
    async let second: Void = background.perform { _ in notes.add("second") }
    gate.signal()
    try await second
    #expect(notes.all == ["first", "second"])
  }

  @Test func `a container runs blocks with contexts that are gone after them`() async throws {
    let container = try quakes()
    let new = { @Sendable (code: String) in
      Quake(code: code, magnitude: 1, place: "", time: .at(day: 0))
    }
    try await container.performBackgroundTask { context in
      context.insert(new("kept"))
      try context.save()
      context.insert(new("lost"))
    }
    try await container.perform { context in
      #expect(!context.hasChanges)
      context.insert(new("also kept"))
      try context.save()
    }
    let codes = try await container.perform(schedule: .enqueued) { context in
      try context.fetch(FetchDescriptor<Quake>(sortBy: [SortDescriptor(\.code)])).map(\.code)
    }
    #expect(codes == ["also kept", "kept"])
  }

  @Test func `changes that a block leaves unsaved are there in the next`() async throws {
    let background = BackgroundContext(try quakes(), author: "import")
    try await background.perform { context in
      context.insert(Quake(code: "q", magnitude: 1, place: "", time: .at(day: 0)))
    }
    let count = try await background.perform { context in
      try context.save()
      return try context.fetchCount(FetchDescriptor<Quake>())
    }
    #expect(count == 1)
  }

  @Test func `what a block throws that nobody waits for is thrown by the next save`() async throws {
    let background = BackgroundContext(try quakes())
    background.performLater { _ in throw Stop() }
    await #expect(throws: StoreError.self) { try await background.perform { try $0.save() } }
    try await background.perform { try $0.save() }
  }
}
