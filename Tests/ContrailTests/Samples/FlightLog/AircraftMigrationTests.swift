import Contrail
import Testing

@Suite("Aircraft: changes that need no plan, and some that do")
struct AircraftMigrationTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("aircraft.store")
  }

  private func context(_ types: any PersistentModel.Type...) throws -> ModelContext {
    ModelContext(
      try ModelContainer(for: Schema(types), configurations: ModelConfiguration(url: url)),
      isolation: nil)
  }

  private func fillFirst() throws {
    let context = try context(Aircraft1.Aircraft.self)
    context.insert(
      Aircraft1.Aircraft(type: "C172", engines: 1, color: "white", nickname: nil, remarks: "old"))
    context.insert(
      Aircraft1.Aircraft(type: "B744", engines: 4, color: "blue", nickname: "Queen", remarks: ""))
    try context.save()
  }

  @Test
  func `attributes are added, removed, renamed, made optional, and given defaults where they were`()
    throws
  {
    try fillFirst()
    let aircraft = try context(Aircraft2.Aircraft.self).fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\Aircraft2.Aircraft.type, order: .reverse)]))
    #expect(aircraft.map(\.type) == ["C172", "B744"])
    #expect(aircraft.map(\.numberOfPassengers) == [nil, nil])
    #expect(aircraft.map(\.seats) == [4, 4])
    #expect(aircraft.map(\.paintColor) == ["white", "blue"])
    #expect(aircraft.map(\.nickname) == ["none", "Queen"])
    #expect(aircraft.map(\.remarks) == ["old", ""])
  }

  @Test(arguments: [true, false])
  func `a property that is renamed twice keeps its data, with and without the version between`(
    isInBetween: Bool
  ) throws {
    try fillFirst()
    if isInBetween { _ = try context(Aircraft2.Aircraft.self) }
    let aircraft = try context(Aircraft3.Aircraft.self).fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\Aircraft3.Aircraft.type, order: .reverse)]))
    #expect(aircraft.map(\.finish) == ["white", "blue"])
  }

  @Test func `what cannot be inferred is refused by name, and the store stays as it was`() throws {
    try fillFirst()
    let error = #expect(throws: (any Error).self) { try context(Aircraft4.Aircraft.self) }
    #expect(SwiftDataError.loadIssueModelContainer ~= (try #require(error)))
    #expect("\(try #require(error))".contains("Aircraft"))
    #expect(
      try context(Aircraft1.Aircraft.self).fetch(FetchDescriptor<Aircraft1.Aircraft>())
        .map(\.engines).sorted() == [1, 4])
  }

  @Test func `a relationship is added, renamed, and leads to several where it led to one`() throws {
    try fillFirst()
    do {
      let context = try context(Aircraft5.Aircraft.self)
      let found = try context.fetch(
        FetchDescriptor(sortBy: [SortDescriptor(\Aircraft5.Aircraft.type)]))
      found[0].owner = Aircraft5.Owner(name: "Ann")
      try context.save()
    }
    let context = try context(Aircraft6.Aircraft.self)
    let found = try context.fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\Aircraft6.Aircraft.type)]))
    #expect(found.map { $0.owners.map(\.name) } == [["Ann"], []])
    found[0].owners.append(Aircraft6.Owner(name: "Bob"))
    try context.save()
    #expect(found[0].owners.map(\.name) == ["Ann", "Bob"])
  }

  @Test func `data in files beside the store does not move into it by inference`() throws {
    let large = Data(repeating: 7, count: 1_000_000)
    do {
      let context = try context(Recorder1.Aircraft.self)
      context.insert(Recorder1.Aircraft(type: "C172", flightData: large))
      try context.save()
    }
    let error = #expect(throws: StoreError.self) { try context(RecorderInHaste.Aircraft.self) }
    #expect(error?.code == .migrationNeeded)
    #expect("\(try #require(error))".contains("flightData"))
    let kept = try context(Recorder1.Aircraft.self)
    #expect(try kept.fetch(FetchDescriptor<Recorder1.Aircraft>()).map(\.flightData) == [large])
  }

  @Test func `data in files beside the store moves into it by steps that each can be inferred`()
    throws
  {
    let large = Data(repeating: 7, count: 1_000_000)
    do {
      let context = ModelContext(
        try ModelContainer(
          for: Schema(versionedSchema: Recorder1.self),
          configurations: ModelConfiguration(url: url)))
      context.insert(Recorder1.Aircraft(type: "C172", flightData: large))
      context.insert(Recorder1.Aircraft(type: "B744", flightData: nil))
      try context.save()
    }
    let context = ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: Recorder3.self), migrationPlan: RecorderPlan.self,
        configurations: ModelConfiguration(url: url)))
    let found = try context.fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\Recorder3.Aircraft.type)]))
    #expect(found.map { $0.flightData?.count } == [nil, 1_000_000])
    #expect(found[1].flightData == large)
  }
}
