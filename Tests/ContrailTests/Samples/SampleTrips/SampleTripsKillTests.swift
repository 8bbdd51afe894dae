import SQLiteDriver
import Synchronization
import Testing

@testable import Contrail
@testable import ObjectStore

@Suite("SampleTrips: a migration that is killed", .serialized)
struct SampleTripsKillTests {
  @Test(arguments: 1...Interruption.steps)
  func `killed between any two steps of a stage's code, it goes on and ends the same`(
    step: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let url = folder.file("trips.store")
    try SampleTripsFiles.make(1, at: url)
    let path = url.path
    let result = await #expect(processExitsWith: .failure) {
      [path = path as String, step = step as Int] in
      Interruption.prepare(at: step)
      _ = try SampleTripsFiles.open(URL(fileURLWithPath: path))
    }
    #expect(result?.exitStatus == .signal(SIGKILL))
    #expect(try SampleTripsFiles.shown(url) == SampleTripsFiles.expected)
  }

  /// How many kills are spread over a migration.
  static let kills = 10

  @Test(arguments: [1, 2])
  func `killed anywhere in the store's own work, it goes on and ends the same`(
    version: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let whole = folder.file("whole.store")
    try SampleTripsFiles.make(version, at: whole)
    let count = Atomic<Int>(0)
    try Self.migrate(whole) { count.add(1, ordering: .relaxed) }
    let all = count.load(ordering: .relaxed)
    #expect(all > Self.kills)
    for number in 1...Self.kills {
      let url = folder.file("\(number).store")
      try SampleTripsFiles.make(version, at: url)
      let path = url.path
      let after = all * number / (Self.kills + 1)
      let result = await #expect(processExitsWith: .failure) {
        [path = path as String, after = after as Int] in
        let count = Atomic<Int>(0)
        try SampleTripsKillTests.migrate(URL(fileURLWithPath: path)) {
          if count.add(1, ordering: .relaxed).newValue >= after { kill(getpid(), SIGKILL) }
        }
      }
      #expect(result?.exitStatus == .signal(SIGKILL), "instruction \(after)")
      #expect(
        try SampleTripsFiles.shown(url) == SampleTripsFiles.expected, "instruction \(after)")
    }
  }

  /// Opens a store by the plan, and calls `tick` before each instruction of SQLite's machine.
  private static func migrate(_ url: URL, _ tick: @escaping @Sendable () -> Void) throws {
    let plan = try ConfigurationPlan(
      Contrail.Schema(versionedSchema: SampleTrips3.self), [ModelConfiguration(url: url)])
    var stores = try plan.configurations(try MigrationSteps(SampleTripsPlan.self))
    for index in stores.indices {
      stores[index].options.onWriter = { connection in
        connection.setProgress(every: 1) {
          tick()
          return true
        }
      }
    }
    _ = try StoreContainer(plan.schema, stores)
  }
}
