import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver
import Testing

@testable import ObjectStore

/// Constraints over what has several columns, or none.
@Suite struct UniquenessTests {
  private static func schema(
    unique: [[String]], _ name: String = "Shops", options: Schema.Attribute.Options = [],
    indexes: [Schema.Index] = []
  ) -> Schema {
    Schema(
      name: name,
      entities: [
        Schema.Entity(
          name: "Shop",
          attributes: [
            Schema.Attribute(name: "name", type: .string, isOptional: true, options: options),
            Schema.Attribute(name: "place", type: .composite, compositeName: "Place"),
          ],
          relationships: [
            Schema.Relationship(name: "goods", destination: "Shop", isToMany: true)
          ], indexes: indexes, uniquenessConstraints: unique)
      ],
      composites: [
        Schema.Composite(
          name: "Place",
          attributes: [
            Schema.Attribute(name: "street", type: .string, isOptional: true),
            Schema.Attribute(name: "town", type: .string, isOptional: true),
          ])
      ])
  }

  private static func shop(_ name: String, _ town: String) -> [String: FieldValue] {
    ["name": .string(name), "place.town": .string(town)]
  }

  @Test func `all members of a composite attribute are compared and in one index`() throws {
    let bench = try MigrationBench()
    let schema = Self.schema(unique: [["name", "place"]])
    try bench.open(schema).insertBatch(
      "Shop", rows: [Self.shop("Aldi", "Aachen"), Self.shop("Aldi", "Bonn")])
    #expect(try bench.rows("SELECT count(*) FROM Shop") == ["2"])
    let context = ModelContext(try bench.open(schema))
    let shop = try context.insert("Shop")
    for (name, value) in Self.shop("Aldi", "Bonn") { try shop.setValue(name, value) }
    try context.save()
    #expect(shop.key == 2)
    let index = try bench.rows(
      "SELECT name FROM pragma_index_info('Shop_name_place_street_place_town_unique')")
    #expect(index.count == 3)
  }

  @Test(arguments: [
    (["place"], [#""place_street" 1"#, #""place_town" 1"#]),
    (["name", "place"], [#""name" 0"#, #""place_street" 1"#, #""place_town" 1"#]),
    (["place.town"], [#""place_town" 1"#]), (["goods"], []), (["name", "goods"], []),
  ])
  func `an index over a composite attribute has each of its members`(
    subjects: [String], columns: [String]
  ) throws {
    let bench = try MigrationBench()
    let elements = subjects.map { Schema.Index.Element($0, isAscending: $0 == "name") }
    let index = Schema.Index(name: "where", elements: elements)
    _ = try bench.open(Self.schema(unique: [], indexes: [index]))
    let found = try bench.rows(
      "SELECT name, desc FROM pragma_index_xinfo('Shop_where_index') WHERE key")
    #expect(found == columns)
  }

  @Test func `a batch neither inserts nor makes what is equal in all members`() throws {
    let store = try Store(at: .memory, schema: Self.schema(unique: [["place"]]))
    try store.insertBatch("Shop", rows: [Self.shop("a", "Aachen"), Self.shop("b", "Bonn")])
    let refused = storeError {
      _ = try store.insertBatch("Shop", rows: [Self.shop("c", "Bonn")], unique: .strict)
    }
    #expect(refused?.code == .notUnique)
    try store.insertBatch("Shop", rows: [Self.shop("c", "Bonn")])
    let made = storeError {
      _ = try store.updateBatch("Shop", set: ["place.town": .literal(.string("Celle"))])
    }
    #expect(made?.code == .notUnique)
    try store.updateBatch("Shop", set: ["place.town": .literal(.null)])
    #expect(
      try store.rows("SELECT name FROM Shop ORDER BY _id") == [[.string("a")], [.string("c")]])
  }

  @Test func `a constraint over a composite attribute is refused where the store has equal ones`()
    throws
  {
    let bench = try MigrationBench()
    let (old, new) = (Self.schema(unique: []), Self.schema(unique: [["name", "place"]], "New"))
    try bench.open(old).insertBatch(
      "Shop", rows: [Self.shop("Aldi", "Bonn"), Self.shop("Aldi", "Bonn")])
    let problems = try Store.migrationPlan(at: bench.path, to: new).problems
    #expect(
      problems.map { "\($0.subject): \($0.message)" } == [
        "Shop (name, place.street, place.town): must be unique, and 1 value is there more than "
          + "once, such as 'Aldi', NULL, 'Bonn'"
      ])
  }

  @Test(arguments: [["name", "nobody"], ["goods"], ["place.country"]])
  func `a constraint over what has no column is refused before the store is made`(names: [String])
    throws
  {
    let bench = try MigrationBench()
    let error = storeError { _ = try bench.open(Self.schema(unique: [names])) }
    #expect(error?.code == .invalidSchema)
    #expect(error?.message == "is unique by \(names.last ?? ""), which has no column")
    #expect(!FileManager.default.fileExists(atPath: bench.path))
  }

  @Test func `a constraint over what is not stored is refused`() throws {
    let error = storeError {
      _ = try Store(at: .memory, schema: Self.schema(unique: [["name"]], options: .transient))
    }
    #expect(error?.message == "is unique by name, which has no column")
  }
}
