import Contrail
import Testing

@Suite("SampleTrips: versions and the way between them")
struct SampleTripsMigrationTests {
  @Test(arguments: [1, 2, 3])
  func `a store of any version comes to the newest, and all its data with it`(version: Int) throws {
    let folder = try TemporaryFolder()
    let url = folder.file("trips.store")
    try SampleTripsFiles.make(version, at: url)
    #expect(try SampleTripsFiles.shown(url) == SampleTripsFiles.expected)
    // And stays there.
    #expect(try SampleTripsFiles.shown(url) == SampleTripsFiles.expected)
  }

  @Test func `a new store is made with the newest version, and no stage is run`() throws {
    let folder = try TemporaryFolder()
    #expect(try SampleTripsFiles.shown(folder.file("trips.store")) == [])
  }

  @Test
  func `after the custom stage names are unique: the next trip of a name updates the one there`()
    throws
  {
    let folder = try TemporaryFolder()
    let url = folder.file("trips.store")
    try SampleTripsFiles.make(1, at: url)
    let context = ModelContext(try SampleTripsFiles.open(url))
    context.insert(
      SampleTrips3.Trip(
        name: "Oslo", destination: "near", startDate: SampleTripsFiles.date(50),
        endDate: SampleTripsFiles.date(51)))
    try context.save()
    let shown = try SampleTripsFiles.shown(url)
    #expect(shown.count == 3)
    #expect(shown[1] == "Oslo to near, days 50...51: [] -")
  }

  @Test func `without the stage duplicates keep the store from opening, and nothing is changed`()
    throws
  {
    let folder = try TemporaryFolder()
    let url = folder.file("trips.store")
    try SampleTripsFiles.make(1, at: url)
    let error = #expect(throws: (any Error).self) {
      try ModelContainer(
        for: Schema(versionedSchema: SampleTrips2.self),
        configurations: ModelConfiguration(url: url))
    }
    #expect(SwiftDataError.loadIssueModelContainer ~= (try #require(error)))
    #expect("\(try #require(error))".contains("Trip"))
    #expect(try SampleTripsFiles.shown(url) == SampleTripsFiles.expected)
  }

  @Test func `a renamed property without its old name is a new one, and the data is lost`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("trips.store")
    do {
      let context = ModelContext(try Careless1.container(url))
      context.insert(Careless1.Trip(start: SampleTripsFiles.date(3)))
      try context.save()
    }
    let container = try ModelContainer(
      for: Careless2.Trip.self, configurations: ModelConfiguration(url: url))
    let trips = try ModelContext(container).fetch(FetchDescriptor<Careless2.Trip>())
    #expect(trips.map(\.startDate) == [nil])
  }

  @Test func `a store that is newer than what is asked for is refused`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("trips.store")
    try SampleTripsFiles.make(3, at: url)
    let error = #expect(throws: (any Error).self) {
      try ModelContainer(
        for: Schema(versionedSchema: SampleTrips2.self), migrationPlan: SampleTripsPlan.self,
        configurations: ModelConfiguration(url: url))
    }
    #expect(SwiftDataError.backwardMigration ~= (try #require(error)))
    #expect(try SampleTripsFiles.shown(url) == SampleTripsFiles.expected)
  }

  @Test func `a stage that throws leaves the store as it was, and is tried again`() throws {
    enum Plan: SchemaMigrationPlan {
      struct Stop: Error {}
      static var schemas: [any VersionedSchema.Type] { SampleTripsPlan.schemas }
      static var stages: [MigrationStage] {
        [
          .custom(
            fromVersion: SampleTrips1.self, toVersion: SampleTrips2.self,
            willMigrate: { context in
              for trip in try context.fetch(FetchDescriptor<SampleTrips1.Trip>()) {
                context.delete(trip)
              }
              throw Stop()
            }, didMigrate: nil)
        ]
      }
    }
    let folder = try TemporaryFolder()
    let url = folder.file("trips.store")
    try SampleTripsFiles.make(1, at: url)
    #expect(throws: (any Error).self) {
      try ModelContainer(
        for: Schema(versionedSchema: SampleTrips3.self), migrationPlan: Plan.self,
        configurations: ModelConfiguration(url: url))
    }
    #expect(try SampleTripsFiles.shown(url) == SampleTripsFiles.expected)
  }
}

/// A version of one model, and the next by someone who forgot what the property was called.
private enum Careless1 {
  @Model final class Trip {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var start_date: Date?
    init(start: Date) { start_date = start }
  }

  static func container(_ url: URL) throws -> ModelContainer {
    try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))
  }
}

private enum Careless2 {
  @Model final class Trip {
    var startDate: Date?
    init() {}
  }
}
