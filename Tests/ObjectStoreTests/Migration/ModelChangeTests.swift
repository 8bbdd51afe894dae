import DataModel
import Synchronization
import Testing

@testable import ObjectStore

/// What may change of relationships and entities without a plan, and how a store goes through many models.
@Suite struct ModelChangeTests {
  private func entity(_ name: String, _ relationships: Schema.Relationship...) -> Schema.Entity {
    Schema.Entity(
      name: name, attributes: [Schema.Attribute(name: "x", type: .string, isOptional: true)],
      relationships: relationships)
  }

  private func list(isOrdered: Bool) -> Schema {
    Schema(entities: [
      entity(
        "E",
        Schema.Relationship(
          name: "ds", destination: "D", inverse: "e", isToMany: true, isOrdered: isOrdered)),
      entity("D", Schema.Relationship(name: "e", destination: "E", inverse: "ds")),
    ])
  }

  private func fill(_ bench: MigrationBench) throws {
    try bench.fill(list(isOrdered: false)) { context in
      let e = try context.insert("E")
      try e.setValue("x", .string("e"))
      for number in 1...3 {
        let d = try context.insert("D")
        try d.setValue("x", .string("\(number)"))
        try e.addRelated("ds", d)
      }
    }
  }

  private func members(_ bench: MigrationBench, _ schema: Schema) throws -> [FieldValue] {
    let context = ModelContext(try bench.open(schema), isolation: nil)
    let e = try #require(try context.fetch(FetchRequest("E")).first)
    return try e.relatedObjects("ds").map { try $0.value("x") }
  }

  @Test func `a list gets an order and loses it again, with all its members`() throws {
    let bench = try MigrationBench()
    try fill(bench)
    let all: Set<FieldValue> = [.string("1"), .string("2"), .string("3")]
    #expect(Set(try members(bench, list(isOrdered: true))) == all)
    do {
      let context = ModelContext(try bench.open(list(isOrdered: true)), isolation: nil)
      let e = try #require(try context.fetch(FetchRequest("E")).first)
      try e.setRelated("ds", try e.relatedObjects("ds").reversed())
      try context.save()
    }
    let reversed = try members(bench, list(isOrdered: true))
    #expect(Set(reversed) == all)
    #expect(try members(bench, list(isOrdered: true)) == reversed)
    #expect(Set(try members(bench, list(isOrdered: false))) == all)
  }

  @Test func `a relationship is deleted, and the objects at both ends stay`() throws {
    let bench = try MigrationBench()
    try fill(bench)
    let without = Schema(entities: [entity("E"), entity("D")])
    #expect(
      try bench.contents(without).sorted() == [
        "D 1: x=\"1\"", "D 2: x=\"2\"", "D 3: x=\"3\"", "E 1: x=\"e\"",
      ])
  }

  @Test func `an entity is renamed, and keeps its objects and their identifiers`() throws {
    let bench = try MigrationBench()
    try bench.fill(Schema(entities: [entity("E")])) { context in
      try context.insert("E").setValue("x", .string("kept"))
    }
    var renamed = entity("F")
    renamed.renamingIdentifier = "E"
    #expect(try bench.contents(Schema(entities: [renamed])) == ["F 1: x=\"kept\""])
  }

  /// Models of one entity: `y` comes, `z` comes, and `y` is renamed while `v` comes.
  private var versions: [Schema] {
    func text(_ name: String, _ before: String? = nil) -> Schema.Attribute {
      Schema.Attribute(name: name, type: .string, isOptional: true, renamingIdentifier: before)
    }
    return [
      [text("x")], [text("x"), text("y")], [text("x"), text("y"), text("z")],
      [text("v"), text("w", "y"), text("x"), text("z")],
    ].map { Schema(entities: [Schema.Entity(name: "E", attributes: $0)]) }
  }

  @Test(arguments: [0, 1, 2])
  func `one opening goes through all models that are ahead, in order, and tells how far it is`(
    first: Int
  ) throws {
    let models = versions
    let bench = try MigrationBench()
    try bench.fill(models[first]) { try $0.insert("E").setValue("x", .string("kept")) }
    let told = Mutex<[String]>([])
    var options = Store.Options.staged(
      try MigrationStages(
        versions: models, stages: [.lightweight(from: models[1], to: models[2], label: "z comes")]))
    options.migrationProgress = { step in
      told.withLock {
        $0.append("\(step.stage ?? "inferred"): \(step.step)/\(step.stepCount) \(step.title)")
      }
    }
    let contents = ["E 1: v=null w=null x=\"kept\" z=null"]
    #expect(try bench.contents(models[3], options) == contents)
    let all = [
      ["inferred: 1/1 E: new column y"], ["z comes: 1/1 E: new column z"],
      ["inferred: 1/2 E: columns renamed: y to w", "inferred: 2/2 E: new column v"],
    ]
    #expect(told.withLock { $0 } == Array(all[first...].joined()))
    #expect(
      try bench.rows("SELECT stage FROM contrail_migration ORDER BY number")
        == Array(["null", "\"z comes\"", "null"][first...]))
    #expect(try Store.facts(at: bench.path).schema == models[3])
    // Nothing is ahead any more.
    #expect(try bench.contents(models[3], options) == contents)
    #expect(told.withLock { $0.count } == all[first...].joined().count)
  }
}
