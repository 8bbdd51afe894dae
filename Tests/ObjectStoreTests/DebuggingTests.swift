import DataModel
import Foundation
import PredicateSQL
import Synchronization
import Testing

@testable import ObjectStore

@Suite struct DebuggingTests {
  /// Lines that a store has told.
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
    var last: [String] {
      all.withLock { lines in
        defer { lines = [] }; return lines
      }
    }
  }

  private func store(_ level: Int, _ lines: Lines) throws -> Store {
    var environment = Store.Environment.system
    environment.debugging = Debugging(environment: ["CONTRAIL_SQL_DEBUG": "\(level)"])
    environment.debugging.write = { line in lines.all.withLock { $0.append(line) } }
    return try Store(at: .memory, schema: Samples.schema, environment: environment)
  }

  private let request = FetchRequest(
    "Entry", where: .compare(.equal, .property("tail"), .literal(.string("N1"))))

  @Test func `level 1 tells statements with times and rows, without values`() throws {
    let lines = Lines()
    let context = ModelContext(try store(1, lines))
    _ = lines.last
    _ = try context.fetchCount(request)
    let told = try #require(lines.last.first { $0.contains("COUNT") })
    #expect(told.hasPrefix("contrail sql: ") && told.contains(" ms, 1 rows: SELECT COUNT(*)"))
    #expect(!told.contains("N1"))
  }

  @Test func `level 4 tells values, rows without an index, and the plan`() throws {
    let lines = Lines()
    let context = ModelContext(try store(4, lines))
    _ = lines.last
    _ = try context.fetchCount(request)
    let told = Array(lines.last.drop { !$0.contains("COUNT") })
    try #require(told.count == 3)
    #expect(told[0].contains("'N1'"))
    #expect(
      told[1] == "contrail sql:   0 rows without an index, 0 sorts, 0 rows indexed for this once")
    #expect(told[2] == "contrail sql:   SCAN t0")
  }

  @Test func `variables that are no numbers tell nothing`() {
    let debugging = Debugging(environment: [
      "CONTRAIL_SQL_DEBUG": "yes", "CONTRAIL_MIGRATION_DEBUG": "",
    ])
    #expect(debugging.sqlLevel == 0 && !debugging.tellsMigrations)
    #expect(Debugging(environment: ["CONTRAIL_SQL_DEBUG": "9"]).sqlLevel == 4)
  }

  @Test func `each step of a migration is told`() throws {
    let folder = try TemporaryFolder()
    let location = Store.Location.file(folder.file("store"))
    let old = Schema(entities: [Schema.Entity(name: "Entry")])
    _ = try Store(at: location, schema: old)
    var new = old
    new.entities[0].attributes = [
      Schema.Attribute(name: "tail", type: .string, isOptional: true)
    ]
    let lines = Lines()
    var environment = Store.Environment.system
    environment.debugging = Debugging(environment: ["CONTRAIL_MIGRATION_DEBUG": "1"])
    environment.debugging.write = { line in lines.all.withLock { $0.append(line) } }
    _ = try Store(at: location, schema: new, environment: environment)
    let told = lines.last
    #expect(!told.isEmpty && told.allSatisfy { $0.hasPrefix("contrail migration: ") })
    #expect(told.contains { $0.contains("tail") })
  }
}
