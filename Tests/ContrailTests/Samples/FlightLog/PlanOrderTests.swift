import Contrail
import Synchronization
import Testing

private enum Fleet1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static let models: [any PersistentModel.Type] = [Plane.self, Wheel.self]

  @Model final class Plane {
    var color: String
    @Relationship(inverse: \Wheel.plane) var wheels: [Wheel] = []

    init(color: String) { self.color = color }
  }

  @Model final class Wheel {
    var size: Int
    var plane: Plane?

    init(size: Int) { self.size = size }
  }
}

// A property has another name, and a relationship another delete rule.
private enum Fleet2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static let models: [any PersistentModel.Type] = [Plane.self, Wheel.self]

  @Model final class Plane {
    @Attribute(originalName: "color") var paint: String
    @Relationship(deleteRule: .cascade, inverse: \Wheel.plane) var wheels: [Wheel] = []

    init(paint: String) { self.paint = paint }
  }

  @Model final class Wheel {
    var size: Int
    var plane: Plane?

    init(size: Int) { self.size = size }
  }
}

private enum Fleet3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static let models: [any PersistentModel.Type] = [Plane.self]

  @Model final class Plane {
    @Attribute(originalName: "color") var paint: String
    var seats: Int = 4

    init(paint: String) { self.paint = paint }
  }
}

private protocol FleetPlan: SchemaMigrationPlan {
  static var steps: Mutex<[String]> { get }
}

extension FleetPlan {
  /// A stage that notes down that it has run.
  static func noting(
    _ from: any VersionedSchema.Type, _ to: any VersionedSchema.Type
  ) -> MigrationStage {
    .custom(fromVersion: from, toVersion: to, willMigrate: nil) { _ in
      steps.withLock { $0.append("\(from) to \(to)") }
    }
  }
}

private enum InOrder: FleetPlan {
  static let steps = Mutex<[String]>([])
  static var schemas: [any VersionedSchema.Type] { [Fleet1.self, Fleet2.self, Fleet3.self] }
  // Listed the other way round: the versions say what comes first.
  static var stages: [MigrationStage] {
    [noting(Fleet2.self, Fleet3.self), noting(Fleet1.self, Fleet2.self)]
  }
}

private enum OutOfOrder: FleetPlan {
  static let steps = Mutex<[String]>([])
  static var schemas: [any VersionedSchema.Type] { [Fleet2.self, Fleet1.self] }
  static var stages: [MigrationStage] { [noting(Fleet1.self, Fleet2.self)] }
}

private enum Lightweight: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [Fleet1.self, Fleet2.self] }
  static let stages = [
    MigrationStage.lightweight(fromVersion: Fleet1.self, toVersion: Fleet2.self)
  ]
}

@Suite("Versions of a plan: their order, and stages without code")
struct PlanOrderTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("fleet.store")
    let context = ModelContext(try container(Fleet1.self, nil))
    let plane = Fleet1.Plane(color: "white")
    context.insert(plane)
    plane.wheels = [Fleet1.Wheel(size: 15), Fleet1.Wheel(size: 16)]
    try context.save()
  }

  private func container(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)?
  ) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan,
      configurations: ModelConfiguration(url: url))
  }

  @Test func `versions have a total order, and stages run in it, each once`() throws {
    for _ in 1...2 {
      let context = ModelContext(try container(Fleet3.self, InOrder.self))
      #expect(try context.fetch(FetchDescriptor<Fleet3.Plane>()).map(\.paint) == ["white"])
    }
    #expect(InOrder.steps.withLock { $0 } == ["Fleet1 to Fleet2", "Fleet2 to Fleet3"])
  }

  @Test func `a stage that leads back in the order of versions is refused`() throws {
    let error = #expect(throws: (any Error).self) { try container(Fleet2.self, OutOfOrder.self) }
    #expect(SwiftDataError.backwardMigration ~= (try #require(error)))
    #expect(OutOfOrder.steps.withLock { $0 } == [])
  }

  @Test func `a lightweight stage takes an old name and a delete rule without any code`() throws {
    let context = ModelContext(try container(Fleet2.self, Lightweight.self))
    let plane = try #require(try context.fetch(FetchDescriptor<Fleet2.Plane>()).first)
    #expect(plane.paint == "white")
    #expect(plane.wheels.map(\.size).sorted() == [15, 16])
    context.delete(plane)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Fleet2.Wheel>()) == 0)
  }
}
