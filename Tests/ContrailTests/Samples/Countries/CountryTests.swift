import Contrail
import Testing

@Suite("Countries: a model actor beside the main actor")
@MainActor
struct CountryTests {
  private func world() throws -> ModelContainer {
    let container = try memory(Country.self)
    for (name, visited) in [("Italy", true), ("Norway", true), ("Peru", false)] {
      container.mainContext.insert(Country(name: name, visited: visited))
    }
    try container.mainContext.save()
    return container
  }

  private func shown(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Country.name)]))
      .map { "\($0.name) \($0.visited ? "visited" : "-")" }
  }

  @Test func `a container may be handed to an actor, which makes a context of its own`()
    async throws
  {
    let container = try world()
    let actor = CountryModelActor(modelContainer: container)
    #expect(actor.modelContainer === container)
    try await actor.resetVisited()
    #expect(try shown(container.mainContext) == ["Italy -", "Norway -", "Peru -"])
  }

  @Test func `an actor works on an executor of its own, also when it was made on the main actor`()
    async throws
  {
    let actor = CountryModelActor(modelContainer: try world())
    #expect(await !actor.isOnMainThread)
    // It can wait for what only the main actor does, so it is not in its way.
    let gate = DispatchSemaphore(value: 0)
    let other = Task { @MainActor in _ = gate.signal() }
    await actor.waitForMainActor(gate)
    await other.value
  }

  @Test func `two actors have executors of their own, and each sees what the other saved`()
    async throws
  {
    let container = try world()
    let (one, two) = (
      CountryModelActor(modelContainer: container), CountryModelActor(modelContainer: container)
    )
    let gate = DispatchSemaphore(value: 0)
    async let waiting: Void = one.waitForMainActor(gate)
    let identifiers = try await two.add(["Chad"])
    gate.signal()
    await waiting
    #expect(await one.name(identifiers[0]) == "Chad")
  }

  @Test func `an identifier crosses actors, and its model is looked up by subscript`() async throws
  {
    let container = try world()
    let identifiers = try container.mainContext.fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\Country.name)])
    ).map(\.persistentModelID)
    let actor = CountryModelActor(modelContainer: container)
    #expect(try await actor.visit(identifiers: identifiers) == ["Italy", "Norway", "Peru"])
    #expect(
      try shown(container.mainContext) == ["Italy visited", "Norway visited", "Peru visited"])
  }

  @Test func `the subscript gives nil for what is deleted here or elsewhere, or of another class`()
    async throws
  {
    let container = try ModelContainer(
      for: Country.self, Lamp.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let actor = CountryModelActor(modelContainer: container)
    let ids = try await actor.add(["Italy", "Norway", "Peru"])
    #expect(await actor.isThere(ids[0], as: Country.self))
    #expect(await !actor.isThere(ids[0], as: Lamp.self))
    try await actor.delete(ids[0])
    #expect(await actor.name(ids[0]) == nil)
    // By another context, whether the actor has the model in memory or not.
    let main = container.mainContext
    main.delete(main.model(for: ids[1]))
    try main.save()
    #expect(await actor.name(ids[1]) == nil)
    try CountryTests.deleteAll(container)
    #expect(await CountryModelActor(modelContainer: container).name(ids[2]) == nil)
    // Never saved, and of another container.
    let lost = Country(name: "Nowhere")
    main.insert(lost)
    #expect(await actor.name(lost.persistentModelID) == nil)
    let other = CountryModelActor(modelContainer: try memory(Country.self))
    #expect(await other.name(ids[2]) == nil)
    #expect(try await actor.visit(identifiers: ids) == [])
  }

  private static func deleteAll(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    try context.delete(model: Country.self)
    try context.save()
  }

  @Test func `what an actor throws is thrown where the call is awaited`() async throws {
    let folder = try TemporaryFolder()
    let url = folder.file("countries.store")
    _ = try ModelContainer(for: Country.self, configurations: ModelConfiguration(url: url))
    let container = try ModelContainer(
      for: Country.self, configurations: ModelConfiguration(url: url, allowsSave: false))
    let actor = CountryModelActor(modelContainer: container)
    await #expect(throws: StoreError.self) { try await actor.add(["Italy"]) }
  }
}

@Suite("Countries: what an actor saves is in the main context")
@MainActor
struct CountryMergeTests {
  @Test func `at once, in models that are in memory already, as soon as the call is back`()
    async throws
  {
    let container = try memory(Country.self)
    let italy = Country(name: "Italy", visited: true)
    container.mainContext.insert(italy)
    try container.mainContext.save()
    let actor = CountryModelActor(modelContainer: container)
    for _ in 0..<100 {
      try await actor.resetVisited()
      // No fetch, no turn of the main actor in between.
      #expect(!italy.visited)
      italy.visited = true
      try container.mainContext.save()
    }
  }

  @Test func `at once, in results and fetches`() async throws {
    let container = try memory(Country.self)
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Country.name)], modelContext: container.mainContext)
    let actor = CountryModelActor(modelContainer: container)
    let ids = try await actor.add(["Peru", "Italy"])
    #expect(observer.results.map(\.name) == ["Italy", "Peru"])
    try await actor.delete(ids[1])
    #expect(observer.results.map(\.name) == ["Peru"])
    #expect(try container.mainContext.fetchCount(FetchDescriptor<Country>()) == 1)
  }

  @Test func `also where the actor does not save, and its context saves by itself`() async throws {
    let container = try memory(Country.self)
    let italy = Country(name: "Italy", visited: true)
    container.mainContext.insert(italy)
    try container.mainContext.save()
    let observer = try ResultsObserver(
      filterBy: #Predicate<Country> { !$0.visited }, sortBy: [SortDescriptor(\Country.name)],
      modelContext: container.mainContext)
    let actor = CountryModelActor(modelContainer: container)
    try await actor.resetVisitedUnsaved()
    for _ in 0..<2000 where italy.visited { try await Task.sleep(for: .milliseconds(5)) }
    // Nobody has fetched meanwhile.
    #expect(!italy.visited)
    #expect(observer.results.map(\.name) == ["Italy"])
    #expect(await !actor.hasChanges)
    let stored = try ModelContext(container).fetch(FetchDescriptor<Country>())
    #expect(stored.map(\.visited) == [false])
  }

  @Test func `in the order in which it was saved, whoever saved it`() async throws {
    let container = try memory(Country.self)
    let italy = Country(name: "Italy")
    container.mainContext.insert(italy)
    try container.mainContext.save()
    let id = italy.persistentModelID
    let (one, two) = (
      CountryModelActor(modelContainer: container), CountryModelActor(modelContainer: container)
    )
    for _ in 0..<50 {
      _ = try await one.visit(identifiers: [id])
      #expect(italy.visited)
      try await two.resetVisited()
      #expect(!italy.visited)
    }
  }

  @Test func `and tells whoever observes a model of the main context`() async throws {
    let container = try memory(Country.self)
    let italy = Country(name: "Italy", visited: true)
    container.mainContext.insert(italy)
    try container.mainContext.save()
    let notes = Notes()
    withObservationTracking {
      _ = italy.visited
    } onChange: {
      notes.add("told")
    }
    try await CountryModelActor(modelContainer: container).resetVisited()
    #expect(notes.all == ["told"])
  }

  @Test func `beside changes of its own, which stay`() async throws {
    let container = try memory(Country.self)
    let (italy, peru) = (Country(name: "Italy", visited: true), Country(name: "Peru"))
    container.mainContext.autosaveEnabled = false
    container.mainContext.insert(italy)
    container.mainContext.insert(peru)
    try container.mainContext.save()
    peru.name = "Perú"
    try await CountryModelActor(modelContainer: container).resetVisited()
    #expect(!italy.visited)
    #expect(peru.name == "Perú")
    try container.mainContext.save()
    #expect(
      try ModelContext(container).fetch(FetchDescriptor(sortBy: [SortDescriptor(\Country.name)]))
        .map(\.name) == ["Italy", "Perú"])
  }
}
