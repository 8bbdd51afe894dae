import DataModel
import Foundation
import SQLiteDriver
import Synchronization
import Testing

@testable import ObjectStore

@Suite struct MigrationRefusalTests {
  @Test
  func `everything that stands in the way is said ahead, with numbers, and nothing is migrated`()
    throws
  {
    let bench = try MigrationBench()
    let old = Schema(entities: [
      .init(
        name: "E",
        attributes: [
          .init(name: "big", type: .integer64),
          .init(name: "maybe", type: .string, isOptional: true),
          .init(name: "word", type: .string),
        ],
        relationships: [.init(name: "many", destination: "D", isToMany: true)]),
      .init(name: "D"), .init(name: "Concrete"),
    ])
    let new = Schema(entities: [
      .init(
        name: "E",
        attributes: [
          .init(name: "big", type: .integer16), .init(name: "maybe", type: .string),
          .init(name: "word", type: .integer64), .init(name: "added", type: .string),
        ],
        relationships: [
          .init(name: "many", destination: "D"),
          .init(name: "needed", destination: "D", isOptional: false),
        ], uniquenessConstraints: [["maybe"]]),
      .init(name: "D"), .init(name: "Concrete", isAbstract: true),
    ])
    try bench.fill(old) { context in
      let objects = [try context.insert("D"), try context.insert("D")]
      _ = try context.insert("Concrete")
      for number in 0..<3 {
        let object = try context.insert("E")
        try object.setValue("big", .integer(Int64(number) * 40_000))
        try object.setValue("word", .string("w"))
        if number > 0 { try object.setValue("maybe", .string("same")) }
        if number == 0 { try object.setRelated("many", objects) }
      }
    }
    let before = try bench.contents(old)
    let plan = try Store.migrationPlan(at: bench.path, to: new)
    let expected = [
      "Concrete: became abstract, and has 1 object of its own",
      "E (maybe): must be unique, and 1 value is there more than once, such as 'same'",
      "E.added: needs a value, and 3 objects have none",
      "E.big: 2 values of type integer64 have no equal of type integer16, such as 40000",
      "E.many: can hold one object, and 1 object holds several, such as 1",
      "E.maybe: needs a value, and 1 object has none",
      "E.needed: needs an object, and 3 objects have none",
      "E.word: 3 values of type string have no equal of type integer64, such as w",
      "E.word: needs a value, and 0 objects have none",
    ]
    let found = plan.problems.map { "\($0.subject): \($0.message)" }.sorted()
    #expect(found == expected.dropLast())
    let error = try #require(throws: StoreError.self) { try bench.open(new) }
    #expect(error.code == .migrationNeeded)
    #expect(error.failures == plan.problems)
    #expect(try bench.contents(old) == before)
  }

  @Test func `what can be inferred is told ahead as a plan, and the store stays as it is`() throws {
    let old = Schema(entities: [
      .init(name: "E", attributes: [.init(name: "x", type: .string, isOptional: true)])
    ])
    let new = Schema(entities: [
      .init(
        name: "E",
        attributes: [
          .init(name: "x", type: .string, defaultValue: .string("-")),
          .init(name: "y", type: .string, defaultValue: .string("new")),
        ])
    ])
    let bench = try MigrationBench()
    try bench.fill(old) { _ = try $0.insert("E") }
    let file = URL(fileURLWithPath: bench.path)
    let bytes = try Data(contentsOf: file)
    let plan = try Store.migrationPlan(at: bench.path, to: new)
    #expect(plan.problems == [])
    #expect(plan.forecast.verdict == .automatic)
    #expect(
      plan.steps.map(\.title) == ["E: new column y", "E.x: objects without a value get '-'"])
    #expect(plan.steps.first?.sql == [#"ALTER TABLE "E" ADD COLUMN "y" TEXT DEFAULT 'new'"#])
    #expect(plan.source == old && plan.target == new)
    #expect(try Data(contentsOf: file) == bytes)
    #expect(try Store.facts(at: bench.path).schema == old)
    #expect(try bench.rows("SELECT count(*) FROM contrail_migration") == ["0"])
    #expect(try bench.contents(old) == ["E 1: x=null"])
    // And the plan holds what it says.
    #expect(try bench.contents(new) == ["E 1: x=\"-\" y=\"new\""])
  }

  @Test func `without leave to migrate the entities that differ are named`() throws {
    let bench = try MigrationBench()
    try bench.fill(Samples.schema) { _ in }
    var new = Samples.schema
    new.entities = new.entities.filter { $0.name != "Licence" }.map { entity in
      var entity = entity
      if entity.name == "Pilot" { entity.relationships.removeAll { $0.name == "licence" } }
      return entity
    }
    var options = Store.Options()
    options.migration = .none
    let error = try #require(throws: StoreError.self) { try bench.open(new, options) }
    #expect(error.code == .incompatibleVersionHash)
    #expect(
      error.failures.map { "\($0.subject) \($0.message)" } == [
        "Licence is in the store only", "Pilot differs",
      ])
    options.migration = .automatic
    options.allowsSave = false
    #expect(throws: StoreError.self) { try bench.open(new, options) }
  }

  @Test
  func `an index, a default or a limit that changed is brought up to date, and no row touched`()
    throws
  {
    func schema(_ indexes: [Schema.Index], _ value: Int64, unique: Bool) -> Schema {
      Schema(entities: [
        .init(
          name: "E",
          attributes: [
            .init(
              name: "x", type: .integer64, defaultValue: .integer(value),
              validation: .init(maximum: "\(value)"))
          ], indexes: indexes, uniquenessConstraints: unique ? [["x"]] : [])
      ])
    }
    let bench = try MigrationBench()
    let first = schema([.init(name: "byX", elements: [.init("x")])], 10, unique: true)
    let second = schema(
      [.init(name: "downX", elements: [.init("x", isAscending: false)])], 20, unique: false)
    try bench.fill(first) { _ = try $0.insert("E") }
    #expect(first.entityHashes == second.entityHashes)
    var options = Store.Options()
    options.migration = .none
    _ = try bench.open(second, options)
    #expect(try Store.facts(at: bench.path).schema == first)
    #expect(try bench.contents(second) == ["E 1: x=10"])
    #expect(try Store.facts(at: bench.path).schema == second)
    let shapes = try bench.shapes(second)
    #expect(shapes.found == shapes.expected)
  }

  @Test func `a default that fills a gap is a change in history; a new column's default is none`()
    throws
  {
    let old = Schema(entities: [
      .init(name: "E", attributes: [.init(name: "x", type: .string, isOptional: true)])
    ])
    let new = Schema(entities: [
      .init(
        name: "E",
        attributes: [
          .init(name: "x", type: .string, defaultValue: .string("-")),
          .init(name: "y", type: .string, defaultValue: .string("new")),
        ])
    ])
    let bench = try MigrationBench()
    try bench.fill(old) { context in
      try context.insert("E").setValue("x", .string("has"))
      _ = try context.insert("E")
    }
    let titles = Mutex<[String]>([])
    var options = Store.Options()
    options.migrationProgress = { step in
      titles.withLock { $0.append("\(step.step)/\(step.stepCount) \(step.title)") }
    }
    #expect(
      try bench.contents(new, options) == ["E 1: x=\"has\" y=\"new\"", "E 2: x=\"-\" y=\"new\""])
    #expect(
      titles.withLock { $0 } == [
        "1/2 E: new column y", "2/2 E.x: objects without a value get '-'",
      ])
    #expect(
      try bench.rows(
        "SELECT kind, entity, key, hex(properties) FROM contrail_change ORDER BY number")
        == ["1 1 1 \"\"", "2 1 2 \"01\""])
    #expect(try bench.rows("SELECT _id, _version FROM E") == ["1 1", "2 2"])
  }

  @Test func `names chain: a store of the first version opens with the third`() throws {
    func schema(_ name: String, _ before: String?) -> Schema {
      Schema(entities: [
        .init(
          name: "Aircraft",
          attributes: [.init(name: name, type: .string, renamingIdentifier: before)])
      ])
    }
    let versions = [
      schema("color", nil), schema("paintColor", "color"), schema("primaryColor", "color"),
    ]
    for start in [0, 1] {
      let bench = try MigrationBench()
      try bench.fill(versions[start]) { context in
        let object = try context.insert("Aircraft")
        try object.setValue(start == 0 ? "color" : "paintColor", .string("red"))
      }
      #expect(try bench.contents(versions[2]) == ["Aircraft 1: primaryColor=\"red\""])
      #expect(
        try bench.rows("SELECT number, name, is_live FROM contrail_property") == [
          "1 \"primaryColor\" 1"
        ])
    }
  }

  @Test func `a number of something that is gone is never given again`() throws {
    func schema(_ names: [String]) -> Schema {
      Schema(entities: [
        .init(
          name: "E", attributes: names.map { .init(name: $0, type: .string, isOptional: true) })
      ])
    }
    let bench = try MigrationBench()
    try bench.fill(schema(["a", "b"])) { _ = try $0.insert("E") }
    try bench.fill(schema(["a"])) { _ in }
    try bench.fill(schema(["a", "b"])) { _ in }
    try bench.fill(Schema(entities: [.init(name: "Other")])) { _ in }
    try bench.fill(schema(["a"])) { context in
      let object = try context.insert("E")
      try context.save()
      #expect(object.key > 1)
    }
    #expect(
      try bench.rows("SELECT number, name, is_live FROM contrail_property ORDER BY number") == [
        "1 \"a\" 0", "2 \"b\" 0", "3 \"b\" 0", "4 \"a\" 1",
      ])
    #expect(
      try bench.rows("SELECT number, name, is_live FROM contrail_entity ORDER BY number") == [
        "1 \"E\" 0", "2 \"Other\" 0", "3 \"E\" 1",
      ])
  }
}
