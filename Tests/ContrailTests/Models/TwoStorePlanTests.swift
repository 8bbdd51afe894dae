import Contrail
import Synchronization
import Testing

/// Users change from version to version, and their visits do not.
private enum ClubVersion1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Guest.self, Visit.self] }

  @Model final class Guest {
    var name = ""

    init(_ name: String) { self.name = name }
  }

  @Model final class Visit {
    var line = ""

    init(_ line: String) { self.line = line }
  }
}

private enum ClubVersion2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Guest.self, Visit.self] }

  @Model final class Guest {
    var name = ""
    var age = 18

    init(_ name: String) { self.name = name }
  }

  @Model final class Visit {
    var line = ""

    init(_ line: String) { self.line = line }
  }
}

private enum ClubPlan: SchemaMigrationPlan {
  static let runs = Mutex(0)
  static var schemas: [any VersionedSchema.Type] { [ClubVersion1.self, ClubVersion2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: ClubVersion1.self, toVersion: ClubVersion2.self, willMigrate: nil,
        didMigrate: { context in
          runs.withLock { $0 += 1 }
          for guest in try context.fetch(FetchDescriptor<ClubVersion2.Guest>()) { guest.age = 40 }
          try context.save()
        })
    ]
  }
}

/// Two versions that no store could tell apart.
private enum EqualPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [ClubVersion1.self, Again.self] }
  static var stages: [MigrationStage] { [] }

  enum Again: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { ClubVersion1.models }
  }
}

@Suite("A plan over two stores")
struct TwoStorePlanTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func container(
    _ version: any VersionedSchema.Type, _ guest: any PersistentModel.Type,
    _ visit: any PersistentModel.Type, _ plan: (any SchemaMigrationPlan.Type)?
  ) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan,
      configurations:
        ModelConfiguration("guests", schema: Schema([guest]), url: folder.file("guests.store")),
      ModelConfiguration("visits", schema: Schema([visit]), url: folder.file("visits.store")))
  }

  private func fill() throws {
    let container = try container(
      ClubVersion1.self, ClubVersion1.Guest.self, ClubVersion1.Visit.self, nil)
    let context = ModelContext(container)
    context.insert(ClubVersion1.Guest("Ann"))
    context.insert(ClubVersion1.Visit("monday"))
    try context.save()
  }

  @Test func `A stage runs for the store that it changes, and leaves the other as it is`() throws {
    try fill()
    for _ in 1...2 {
      let container = try container(
        ClubVersion2.self, ClubVersion2.Guest.self, ClubVersion2.Visit.self, ClubPlan.self)
      let context = ModelContext(container)
      let guests = try context.fetch(FetchDescriptor<ClubVersion2.Guest>())
      #expect(guests.map { "\($0.name) \($0.age)" } == ["Ann 40"])
      let visits = try context.fetch(FetchDescriptor<ClubVersion2.Visit>())
      #expect(visits.map(\.line) == ["monday"])
    }
    #expect(ClubPlan.runs.withLock { $0 } == 1)
  }

  @Test func `Versions that are equal as a whole are refused`() throws {
    try fill()
    let error = #expect(throws: StoreError.self) {
      try container(
        EqualPlan.Again.self, ClubVersion1.Guest.self, ClubVersion1.Visit.self, EqualPlan.self)
    }
    #expect(error?.code == .migrationFailed)
    #expect(error?.message.contains("have the same hash") == true)
  }
}
