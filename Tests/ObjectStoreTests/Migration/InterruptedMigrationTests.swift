import DataModel
import Foundation
import SQLiteDriver
import Synchronization
import Testing

@testable import ObjectStore

/// A plan whose every part writes: objects before, tables in between, objects after, and once more by
/// inference.
enum LongMigration {
  static let third: Schema = {
    var schema = FlightLogVersions.second
    schema.entities = schema.entities.map { entity in
      var entity = entity
      if entity.name == "Pilot" {
        entity.attributes.append(
          .init(name: "licence", type: .string, defaultValue: .string("none")))
      }
      return entity
    }
    return schema
  }()

  static func stages() throws -> MigrationStages {
    try MigrationStages(
      versions: [FlightLogVersions.first, FlightLogVersions.second, third],
      stages: [
        .custom(
          from: FlightLogVersions.first, to: FlightLogVersions.second,
          willMigrate: { context in
            for entry in try context.all("LogEntry") where try entry.value("pilot") == .null {
              try entry.setValue("pilot", .string("Eve"))
            }
          }, didMigrate: FlightLogVersions.normalise)
      ])
  }

  static let expected = [
    "Aircraft 1: entries=[1, 2] tailNumber=\"N628TS\" type=\"C172\"",
    "Aircraft 2: entries=[3] tailNumber=\"D-EABC\" type=\"B744\"",
    "Airport 1: icaoIdentifier=\"KSFO\"", "Airport 2: icaoIdentifier=\"KSJC\"",
    "Airport 3: icaoIdentifier=\"EDDF\"",
    "LogEntry 1: aircraft=[1] destination=[2] hours=1.5 origin=[1] pilot=[1]",
    "LogEntry 2: aircraft=[1] destination=[1] hours=1.5 origin=[2] pilot=[2]",
    "LogEntry 3: aircraft=[2] destination=[3] hours=1.5 origin=[1] pilot=[3]",
    "Pilot 1: entries=[1] licence=\"none\" name=\"Ann\"",
    "Pilot 2: entries=[2] licence=\"none\" name=\"Bob\"",
    "Pilot 3: entries=[3] licence=\"none\" name=\"Eve\"",
  ]

  static let history = [
    "1 null 3", "2 \"contrail.migration\" 1", "3 \"contrail.migration\" 11",
  ]

  /// Who changed how much, in order.
  static let historySQL = """
    SELECT t.number, n.text, t.change_count FROM contrail_transaction AS t \
    LEFT JOIN contrail_name AS n ON n.number = t.author ORDER BY 1
    """
}

@Suite struct InterruptedMigrationTests {
  @Test func `whichever call fails, the store is in one version or another, and goes on`() throws {
    var number = 1
    var failures = 0
    while true {
      let bench = try MigrationBench()
      try bench.fill(FlightLogVersions.first, FlightLogVersions.fill)
      var options = try Store.Options.staged(LongMigration.stages())
      let failing = number
      let hasFailed = Mutex(false)
      options.onWriter = { connection in
        connection.faults = FaultPlan(failing: failing, .once, with: .full)
      }
      do {
        _ = try bench.open(LongMigration.third, options)
      } catch {
        hasFailed.withLock { $0 = true }
      }
      let plain = try Store.Options.staged(LongMigration.stages())
      #expect(
        try bench.contents(LongMigration.third, plain) == LongMigration.expected,
        "call \(number) failed")
      let shapes = try bench.shapes(LongMigration.third)
      #expect(shapes.found == shapes.expected, "call \(number) failed")
      #expect(
        try bench.rows(LongMigration.historySQL) == LongMigration.history, "call \(number) failed")
      if !hasFailed.withLock({ $0 }) { break }
      failures += 1
      number += failing < 20 ? 1 : 7
    }
    #expect(failures > 20)
  }

  /// How many instructions of SQLite's machine lie between two kills.
  static let instructionsBetweenKills = 150

  @Test func `killed at any point, a staged migration resumes and ends the same`() async throws {
    let bench = try MigrationBench()
    var kills = 0
    var rounds = 0
    while rounds < 36 {
      try? FileManager.default.removeItem(atPath: bench.path)
      try? FileManager.default.removeItem(atPath: bench.path + "-wal")
      try? FileManager.default.removeItem(atPath: bench.path + "-shm")
      try bench.fill(FlightLogVersions.first, FlightLogVersions.fill)
      rounds += 1
      let path = bench.path
      let after = rounds * Self.instructionsBetweenKills
      let result = await #expect(processExitsWith: .failure) {
        [path = path as String, after = after as Int] in
        let count = Atomic<Int>(0)
        var options = try Store.Options.staged(LongMigration.stages())
        options.onWriter = { connection in
          connection.setProgress(every: 1) {
            if count.add(1, ordering: .relaxed).newValue >= after { kill(getpid(), SIGKILL) }
            return true
          }
        }
        _ = try Store(at: .file(path), schema: LongMigration.third, options: options)
        // The end was reached before the kill.
        exit(3)
      }
      if case .signal = result?.exitStatus { kills += 1 }
      let options = try Store.Options.staged(LongMigration.stages())
      #expect(
        try bench.contents(LongMigration.third, options) == LongMigration.expected, "\(after)")
      let shapes = try bench.shapes(LongMigration.third)
      #expect(shapes.found == shapes.expected, "\(after)")
      #expect(try bench.rows(LongMigration.historySQL) == LongMigration.history, "\(after)")
    }
    #expect(kills > 20, "\(kills) of \(rounds)")
  }

  @Test func `two that open at once migrate once, and both have the new version`() async throws {
    let bench = try MigrationBench()
    try bench.fill(FlightLogVersions.first, FlightLogVersions.fill)
    let path = bench.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let options = try Store.Options.staged(LongMigration.stages())
          _ = try Store(at: .file(path), schema: LongMigration.third, options: options)
        }
      }
      try await group.waitForAll()
    }
    #expect(try bench.contents(LongMigration.third) == LongMigration.expected)
    #expect(try bench.rows(LongMigration.historySQL) == LongMigration.history)
    #expect(try bench.rows("SELECT count(*) FROM contrail_migration") == ["2"])
  }
}
