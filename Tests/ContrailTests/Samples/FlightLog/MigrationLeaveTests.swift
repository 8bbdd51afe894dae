import Contrail
import Testing

/// A plan from the first aircraft to the second, by inference.
private enum AircraftPlan: SchemaMigrationPlan {
  enum First: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static let models: [any PersistentModel.Type] = [Aircraft1.Aircraft.self]
  }

  enum Second: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static let models: [any PersistentModel.Type] = [Aircraft2.Aircraft.self]
  }

  static var schemas: [any VersionedSchema.Type] { [First.self, Second.self] }
  static let stages = [MigrationStage.lightweight(fromVersion: First.self, toVersion: Second.self)]
}

@Suite("Aircraft: leave to migrate")
struct MigrationLeaveTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("aircraft.store")
    let context = ModelContext(
      try ModelContainer(
        for: Aircraft1.Aircraft.self, configurations: ModelConfiguration(url: url)))
    context.insert(
      Aircraft1.Aircraft(type: "C172", engines: 1, color: "white", nickname: nil, remarks: ""))
    try context.save()
  }

  /// The colors in the store, opened with the second version.
  private func colors(
    _ migration: ModelConfiguration.Migration, _ plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> [String] {
    var configuration = ModelConfiguration(url: url)
    configuration.migration = migration
    let container = try ModelContainer(
      for: Aircraft2.Aircraft.self, migrationPlan: plan, configurations: configuration)
    return try ModelContext(container).fetch(FetchDescriptor<Aircraft2.Aircraft>())
      .map(\.paintColor)
  }

  @Test func `a store is migrated by itself, only by a plan, or never, as its configuration says`()
    throws
  {
    for (migration, plan) in [
      (.never, nil), (.never, AircraftPlan.self), (.planned, nil),
    ] as [(ModelConfiguration.Migration, (any SchemaMigrationPlan.Type)?)] {
      let error = #expect(throws: (any Error).self) { try colors(migration, plan) }
      #expect(SwiftDataError.loadIssueModelContainer ~= (try #require(error)))
    }
    #expect(try colors(.planned, AircraftPlan.self) == ["white"])
    #expect(try colors(.never) == ["white"])
  }

  @Test func `without a plan what can be inferred is migrated`() throws {
    #expect(try colors(.automatic) == ["white"])
  }
}
