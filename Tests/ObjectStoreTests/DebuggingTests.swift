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

  private func environment(_ variables: [String: String], _ lines: Lines) -> Store.Environment {
    var environment = Store.Environment.system
    environment.debugging = Debugging(environment: variables)
    environment.debugging.write = { line in lines.all.withLock { $0.append(line) } }
    return environment
  }

  private func store(_ level: Int, _ lines: Lines) throws -> Store {
    try Store(
      at: .memory, schema: Samples.schema,
      environment: environment(["CONTRAIL_SQL_DEBUG": "\(level)"], lines))
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

  @Test func `making a store tells how its file, its metadata and the schema's tables are created`()
    throws
  {
    let folder = try TemporaryFolder()
    let location = Store.Location.file(folder.file("store"))
    let lines = Lines()
    var environment = environment(
      ["CONTRAIL_SQL_DEBUG": "2", "CONTRAIL_MIGRATION_DEBUG": "1"], lines)
    let identifier = try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000001"))
    environment.newIdentifier = { identifier }
    let tail = Schema.Attribute(name: "tail", type: .string, isOptional: true)
    let schema = Schema(entities: [Schema.Entity(name: "Entry", attributes: [tail])])
    _ = try Store(at: location, schema: schema, environment: environment)
    let told = lines.last
    let created = [
      // The file, and what marks it as a store.
      "PRAGMA journal_mode = WAL", "PRAGMA application_id = \(StoreSQL.applicationID)",
      "PRAGMA user_version = \(StoreSQL.formatVersion)",
      // Where metadata is, and the schema's tables.
      "CREATE TABLE contrail_store (name TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID",
      #"CREATE TABLE "Entry" (_id INTEGER PRIMARY KEY, _version INTEGER NOT NULL, "tail" TEXT)"#,
      // The metadata: which store it is, its schema, and what its entities are called.
      "INSERT INTO contrail_store (name, value) VALUES ('identifier', '\(identifier.uuidString)')",
      "INSERT INTO contrail_store (name, value) VALUES ('schema', '",
      "INSERT OR REPLACE INTO contrail_entity (number, name, table_name, is_live) "
        + "VALUES (1, 'Entry', 'Entry', 1)",
      "COMMIT",
    ]
    let places = created.map { statement in
      told.firstIndex { $0.contains(" rows: " + statement) }
    }
    let missing = zip(created, places).filter { $0.1 == nil }.map { $0.0 }
    #expect(missing == [])
    let order = places.compactMap { $0 }
    #expect(order == order.sorted())
    let path = folder.file("store")
    let made = "contrail store: \(path): made, \(identifier.uuidString), of Entry"
    #expect(told.filter { !$0.hasPrefix("contrail sql: ") } == [made])
    // What is there is not created again.
    _ = try Store(at: location, schema: schema, environment: environment)
    let later = lines.last
    #expect(later.filter { $0.contains("CREATE TABLE") } == [])
    #expect(later.contains(made.replacing("made", with: "opened")))
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
    _ = try Store(
      at: location, schema: new,
      environment: environment(["CONTRAIL_MIGRATION_DEBUG": "1"], lines))
    let told = lines.last
    #expect(told.first == "contrail migration: 1 of 1: Entry: new column tail")
    #expect(told.dropFirst().map { $0.hasPrefix("contrail store: ") } == [true])
  }
}
