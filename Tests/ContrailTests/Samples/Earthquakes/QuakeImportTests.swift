import Contrail
import Testing

@Suite("Earthquakes: the import")
struct QuakeImportTests {
  private func importer(_ container: ModelContainer) -> QuakeImporter {
    QuakeImporter(container: container, source: { Data(QuakeFeed.sample.utf8) })
  }

  @Test func `magnitude, place and time of a feed's quakes become models`() async throws {
    let container = try quakes()
    #expect(try await importer(container).importQuakes() == 4)
    let found = try ModelContext(container).fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\Quake.time)]))
    #expect(
      found.map { "\($0.code) \($0.magnitude) \($0.place) \($0.time.timeIntervalSince1970)" } == [
        "q1 4.6 12 km S of Sándwich Bay 1700006400.0", "q2 6.1 Offshore Norfold 1700046000.0",
        "q3 5.2 3 km E of Little Sandwich 1700096400.0", "q4 6.8 Mount Ember 1700182800.0",
      ])
  }

  @Test func `an import downloads, converts and saves, one after the other`() async throws {
    let steps = Notes()
    var importer = importer(try quakes())
    importer.onStep = { steps.add($0) }
    _ = try await importer.importQuakes()
    #expect(steps.all == ["download", "convert", "save"])
  }

  @Test func `an error of any step is thrown where the import is awaited, and nothing is saved`()
    async throws
  {
    let container = try quakes()
    let broken = QuakeImporter(container: container, source: { Data("{".utf8) })
    await #expect(throws: DecodingError.self) { try await broken.importQuakes() }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Quake>()) == 0)
  }

  @Test func `an import that is cancelled saves nothing`() async throws {
    let container = try quakes()
    let importer = importer(container)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await importer.importQuakes()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The last step alone, too.
    let saving = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await importer.save([])
    }
    saving.cancel()
    await #expect(throws: CancellationError.self) { try await saving.value }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Quake>()) == 0)
  }

  @MainActor @Test
  func `a view context and a background context work on one store, each with models of its own`()
    async throws
  {
    let container = try quakes(week)
    let shown = try container.mainContext.fetch(FetchDescriptor<Quake>())
    #expect(container.mainContext === container.mainContext)
    let places = try await BackgroundContext(container).perform { context in
      try context.fetch(FetchDescriptor<Quake>()).map(\.place)
    }
    #expect(shown.map(\.place) == places)
  }

  @MainActor @Test
  func `what the import saves is in the view context's results by itself, and tells who looks`()
    async throws
  {
    let container = try quakes()
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.time)], modelContext: container.mainContext)
    #expect(observer.results.isEmpty)
    let (changed, told) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = observer.results.count
    } onChange: {
      told.yield()
    }
    _ = try await importer(container).importQuakes()
    for await _ in changed { break }
    while observer.results.isEmpty { await Task.yield() }
    #expect(observer.results.map(\.code) == ["q1", "q2", "q3", "q4"])
  }
}

@Suite("Earthquakes: batches")
struct QuakeBatchTests {
  private func codes(_ container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor(sortBy: [SortDescriptor(\Quake.code)]))
      .map { "\($0.code) \($0.magnitude)" }
  }

  private func new(_ code: String, _ magnitude: Double) -> Quake {
    Quake(code: code, magnitude: magnitude, place: "Norfold", time: .at(day: 0))
  }

  @Test func `a batch inserts models without the context, and history has one transaction of them`()
    throws
  {
    let container = try quakes()
    let context = ModelContext(container)
    context.author = "import"
    #expect(try context.insertBatch((1...3).lazy.map { new("q\($0)", Double($0)) }) == 3)
    #expect(!context.hasChanges && context.insertedModelsArray.isEmpty)
    #expect(try codes(container) == ["q1 1.0", "q2 2.0", "q3 3.0"])
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.map(\.author) == ["import"])
    #expect(history.map(\.changes.count) == [3])
  }

  @Test
  func `a batch updates what has the same unique value, or refuses it where that is asked for`()
    throws
  {
    let container = try quakes(week)
    let context = ModelContext(container)
    let known = try #require(
      try context.fetch(FetchDescriptor<Quake>(predicate: #Predicate { $0.code == "a" })).first)
    #expect(try context.insertBatch([new("a", 4.3), new("z", 1)]) == 2)
    context.processPendingChanges()
    #expect(known.magnitude == 4.3)
    #expect(try context.fetchCount(FetchDescriptor<Quake>()) == 6)
    let error = #expect(throws: StoreError.self) {
      try context.insertBatch([new("y", 1), new("a", 9)], unique: .strict)
    }
    #expect(error?.code == .notUnique)
    #expect(error?.subject == "Quake, row 2")
    #expect(try context.fetchCount(FetchDescriptor<Quake>()) == 6)
  }

  @Test func `a batch takes no model that a context has`() throws {
    let container = try quakes()
    let context = ModelContext(container)
    let quake = new("q", 1)
    context.insert(quake)
    let error = #expect(throws: StoreError.self) { try context.insertBatch([quake]) }
    #expect(error?.code == .otherContext)
  }

  @Test func `a batch sets a property of all models that a predicate is true of`() throws {
    let container = try quakes(week)
    let context = ModelContext(container)
    let strong = try #require(
      try context.fetch(FetchDescriptor<Quake>(predicate: #Predicate { $0.code == "b" })).first)
    let count = try context.updateBatch(
      Quake.self, where: #Predicate { $0.magnitude >= 6 }, set: \.strength, to: .strong)
    // One of the two was strong already.
    #expect(count == 0)
    #expect(
      try context.updateBatch(
        Quake.self, where: #Predicate { $0.magnitude >= 6 }, set: \.magnitude, to: 7) == 2)
    context.processPendingChanges()
    #expect(strong.magnitude == 7)
    #expect(try context.updateBatch(Quake.self, set: \.depth, to: 10) == 5)
    #expect(try codes(container) == ["a 4.1", "b 7.0", "c 5.5", "d 4.9", "e 7.0"])
  }

  @Test func `a batch deletes all models that a predicate is true of`() throws {
    let container = try quakes(week)
    let context = ModelContext(container)
    try context.delete(model: Quake.self, where: #Predicate { $0.magnitude < 5.6 })
    try context.save()
    #expect(try codes(container) == ["b 6.5", "e 6.0"])
  }
}
