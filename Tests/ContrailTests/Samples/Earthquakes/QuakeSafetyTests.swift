import ChildPrograms
import Contrail
import Testing

@Suite("Earthquakes: what must not cross")
struct QuakeSafetyTests {
  /// The flags with which a program that uses the macros is compiled.
  private var flags: [String] {
    let products = CompileCheck.products?.path ?? ""
    return ["-load-plugin-executable", products + "/ModelMacros-tool#ModelMacros"]
  }

  @Test(arguments: CompileCheck.fixtures("compile-fail-models"))
  func `the compiler refuses to let models and contexts out of their isolation`(
    fixture: String
  ) throws {
    let check = try CompileCheck("compile-fail-models", fixture, flags: flags)
    #expect(check.missing == [])
    #expect(check.unexpected == [])
    #expect(check.expectsNone == (fixture == "allowed.swift"))
  }

  @Test func `there are programs to be refused`() {
    #expect(CompileCheck.fixtures("compile-fail-models").count >= 6)
  }

  /// What the compiler could not see, carried across on purpose.
  private final class Smuggled<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  @Test
  func
    `with the debugging flag a model that is read outside its context stops the program by name`()
    async throws
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      setenv("CONTRAIL_CONCURRENCY_DEBUG", "1", 1)
      let background = BackgroundContext(try quakes(week))
      let quake = try await background.perform { context in
        Smuggled(try context.fetch(FetchDescriptor<Quake>()))
      }
      _ = quake.value.first?.place
      withExtendedLifetime(background) {}
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("Quake.place is used outside the isolation of its context"))
  }

  @Test func `with the debugging flag a main context's model stops the program elsewhere`()
    async throws
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      setenv("CONTRAIL_CONCURRENCY_DEBUG", "1", 1)
      let container = try quakes(week)
      let quakes = try await MainActor.run {
        Smuggled(try container.mainContext.fetch(FetchDescriptor<Quake>()))
      }
      await Task.detached { quakes.value.first?.magnitude = 1 }.value
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("Quake.magnitude is used outside the isolation of its context"))
  }

  @Test func `with the debugging flag what is allowed goes on`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("CONTRAIL_CONCURRENCY_DEBUG", "1", 1)
      let container = try quakes(week)
      let background = BackgroundContext(container)
      changeFirst(background)
      try await background.perform { try $0.save() }
      try await MainActor.run {
        for quake in try container.mainContext.fetch(FetchDescriptor<Quake>()) { _ = quake.place }
      }
    }
    #expect(result != nil)
  }
}

/// Blocks, which only code that is not asynchronous may.
private func changeFirst(_ background: BackgroundContext) {
  background.performAndWait { context in
    let found = try? context.fetch(FetchDescriptor<Quake>())
    found?.first?.magnitude = 2
  }
}

@Suite("Earthquakes: the store")
struct QuakeStoreTests {
  @Test func `the schema is what was designed, attribute by attribute`() throws {
    let quake = try assertEntity("Quake", in: Schema([Quake.self]))
    try assertAttribute("code", in: quake, type: .string, isOptional: false)
    try assertAttribute("magnitude", in: quake, type: .double, isOptional: false)
    try assertAttribute("place", in: quake, type: .string)
    try assertAttribute("time", in: quake, type: .date)
    try assertAttribute("strength", in: quake, type: .string)
    try assertAttribute("depth", in: quake, type: .integer64, isOptional: true)
    #expect(throws: SchemaAssertionFailure.self) {
      try assertAttribute("depth", in: quake, type: .integer16)
    }
    #expect(throws: SchemaAssertionFailure.self) {
      try assertAttribute("day", in: quake, type: .date)
    }
  }

  @Test func `types of attributes are open: others than the known ones have names too`() {
    let mine = SchemaAttributeType(rawValue: "geohash")
    #expect(mine != .string)
    #expect(SchemaAttributeType(rawValue: SchemaAttributeType.date.rawValue) == .date)
  }

  @Test(
    arguments: [.sqlite, .inMemory, .binary, .xml] as [ModelConfiguration.StoreType])
  func `a container's store is of one of four types, and what is saved is found again`(
    type: ModelConfiguration.StoreType
  ) throws {
    let folder = try TemporaryFolder()
    let place = ModelConfiguration(url: folder.file("quakes.store"), storeType: type)
    var first: ModelContainer? = try ModelContainer(for: Quake.self, configurations: place)
    let identifier = try add(first)
    let isFile = FileManager.default.fileExists(atPath: folder.file("quakes.store").path)
    #expect(isFile == (type != .inMemory))
    // A file is closed, and opened again.
    if isFile { first = nil }
    let context = ModelContext(
      try first ?? ModelContainer(for: Quake.self, configurations: place))
    let found = context.model(for: try #require(identifier)) as? Quake
    #expect(found?.place == "Norfold")
    #expect(found?.time == .at(day: 3))
    #expect(place.storeType == type)
  }

  private func add(_ container: ModelContainer?) throws -> PersistentIdentifier? {
    let context = ModelContext(try #require(container))
    context.insert(Quake(code: "q", magnitude: 4.5, place: "Norfold", time: .at(day: 3)))
    try context.save()
    return try context.fetchIdentifiers(FetchDescriptor<Quake>()).first
  }

  @Test func `attributes marked for it are searched by words, whatever their accents`() throws {
    let container = try quakes()
    let context = ModelContext(container)
    for report in try JSONDecoder().decode(QuakeFeed.self, from: Data(QuakeFeed.sample.utf8))
      .reports
    {
      context.insert(Quake(report))
    }
    try context.save()
    let hits = try context.search(Quake.self, for: "SANDWICH")
    #expect(Set(hits.map(\.model.code)) == ["q1", "q3"])
    #expect(try context.search(Quake.self, for: "sandw* bay").map(\.model.code) == ["q1"])
    #expect(
      try context.search(Quake.self, for: "ember").map { $0.snippet(marks: "<", ">") } == [
        "Mount <Ember>"
      ])
    #expect(try context.search(Quake.self, for: "nowhere").isEmpty)
  }
}
