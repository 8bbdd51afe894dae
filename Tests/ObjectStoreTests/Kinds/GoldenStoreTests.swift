import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

/// Stores that an earlier version wrote, which must open for ever.
///
/// `CONTRAIL_WRITE_GOLDEN=1` writes those that are missing; one that is there is never written again.
@Suite struct GoldenStoreTests {
  static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func fixture(_ name: String) -> String {
    repository.appendingPathComponent("Tests/Fixtures/stores/v1/\(name)").path
  }

  static let kinds: [StoreKind] = [.sqlite, .binary, .xml]

  private static func name(_ kind: StoreKind) -> String { "kinds.\(kind.rawValue)" }

  private static var environment: Store.Environment {
    Store.Environment(
      now: { Date(timeIntervalSinceReferenceDate: 800_000_000) },
      newIdentifier: { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)) },
      processName: "golden")
  }

  @Test func `missing stores are written when asked for`() throws {
    guard ProcessInfo.processInfo.environment["CONTRAIL_WRITE_GOLDEN"] != nil else { return }
    let store = try Store(
      at: .memory, schema: KindSamples.schema, environment: Self.environment)
    try KindSamples.fill(store)
    try store.setUserFact("colour", to: "red")
    for kind in Self.kinds {
      let path = Self.fixture(Self.name(kind))
      if FilePaths.exists(path) { continue }
      try store.copy(to: Store.Location(kind, path: path), keepsIdentifier: true)
    }
  }

  /// A store with little in it, that a fuzzer begins with.
  static let smallSchema = Schema(
    name: "S",
    entities: [
      Schema.Entity(
        name: "A", attributes: [Schema.Attribute(name: "t", type: .string, isOptional: true)]),
      Schema.Entity(
        name: "B", parent: "A",
        relationships: [
          Schema.Relationship(
            name: "o", destination: "A", isToMany: true)
        ]),
    ])

  @Test(arguments: [StoreKind.binary, .xml])
  func `a small store of format 1 opens`(kind: StoreKind) throws {
    let path = Self.fixture("small.\(kind.rawValue)")
    if ProcessInfo.processInfo.environment["CONTRAIL_WRITE_GOLDEN"] != nil,
      !FilePaths.exists(path)
    {
      let store = try Store(
        at: .memory, schema: Self.smallSchema, environment: Self.environment)
      let context = ModelContext(store)
      let object = try context.insert("B")
      try object.setValue("t", .string("text"))
      try object.addRelated("o", object)
      try context.save()
      try store.copy(to: Store.Location(kind, path: path), keepsIdentifier: true)
    }
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(bytes.count <= 4096)
    #expect(try StoreBytes.rewritten(bytes, as: kind) == bytes)
  }

  @Test(arguments: kinds)
  func `a store of format 1 opens and has what it had`(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store")
    try FileManager.default.copyItem(atPath: Self.fixture(Self.name(kind)), toPath: path)
    let facts = try Store.facts(at: path)
    #expect(facts.identifier == Self.environment.newIdentifier())
    #expect(facts.userFacts == ["colour": "red"])
    #expect(facts.schema == KindSamples.schema)
    let store = try Store(at: Store.Location(kind, path: path), schema: KindSamples.schema)
    let expected = try Store(
      at: .memory, schema: KindSamples.schema, environment: Self.environment)
    try KindSamples.fill(expected)
    try expected.setUserFact("colour", to: "red")
    // The tables that later versions add are theirs to test.
    let wanted = try KindSamples.whole(expected)
    let found = try KindSamples.whole(store)
    #expect(found.objectTables == wanted.objectTables)
    for table in ["contrail_transaction", "contrail_change", "contrail_name"] {
      #expect(
        found.ownTables.first { $0.name == table }
          == wanted.ownTables.first { $0.name == table })
    }
    try KindSamples.fillMore(store)
  }
}

/// The tables of a store, which `Schemas/store` shows: whoever reads stores with other programs relies
/// on them.
@Suite struct StoreSchemaTests {
  /// A schema with one table of each form.
  static let schema = Schema(
    name: "Sample",
    entities: [
      Schema.Entity(
        name: "Entry",
        attributes: [
          Schema.Attribute(name: "hours", type: .double, isOptional: true),
          Schema.Attribute(name: "photo", type: .binaryData, isOptional: true),
          Schema.Attribute(name: "tail", type: .string, isOptional: true),
        ],
        relationships: [
          Schema.Relationship(name: "pilot", destination: "Pilot", inverse: "entries"),
          Schema.Relationship(
            name: "tags", destination: "Tag", inverse: "entries", isToMany: true),
        ], uniquenessConstraints: [["tail"]]),
      Schema.Entity(
        name: "Pilot",
        relationships: [
          Schema.Relationship(
            name: "entries", destination: "Entry", inverse: "pilot", isToMany: true,
            isOrdered: true)
        ]),
      Schema.Entity(name: "Student", parent: "Pilot"),
      Schema.Entity(
        name: "Tag",
        relationships: [
          Schema.Relationship(
            name: "entries", destination: "Entry", inverse: "tags", isToMany: true)
        ]),
    ])

  private static func statements(_ store: Store) throws -> [String] {
    try store.read { connection in
      let statement = try connection.prepare(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
      var lines: [String] = []
      while try statement.step() { lines.append(statement.text(0) + ";") }
      return lines
    }
  }

  @Test func `a new store has the tables that Schemas shows`() throws {
    let file = GoldenStoreTests.repository.appendingPathComponent("Schemas/store/1.sql")
    let store = try Store(at: .memory, schema: Self.schema)
    let found = try Self.statements(store)
    let shown = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map(String.init).filter { !$0.hasPrefix("--") && !$0.hasPrefix("PRAGMA") }
    #expect(found == shown, "\(found.joined(separator: "\n"))")
    #expect(StoreSQL.formatVersion == 1, "a new format is a new file")
  }

  @Test func `what Schemas shows is SQL`() throws {
    let file = GoldenStoreTests.repository.appendingPathComponent("Schemas/store/1.sql")
    let connection = try Connection(.memory)
    try connection.execute(try String(contentsOf: file, encoding: .utf8))
    #expect(try connection.integerPragma("application_id") == StoreSQL.applicationID)
    #expect(try connection.integerPragma("user_version") == StoreSQL.formatVersion)
  }
}
