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

  @Test func `a store goes through all models one after the other, and tells how far it is`() throws
  {
    let bench = try MigrationBench()
    try bench.fill(Schema(entities: [entity("E")])) { _ = try $0.insert("E") }
    let told = Mutex<[String]>([])
    var options = Store.Options()
    options.migrationProgress = { step in
      told.withLock { $0.append("\(step.step)/\(step.stepCount) \(step.title)") }
    }
    var model = entity("E")
    for name in ["y", "z"] {
      model.attributes.append(Schema.Attribute(name: name, type: .string, isOptional: true))
      _ = try bench.open(Schema(entities: [model]), options)
    }
    #expect(told.withLock { $0 } == ["1/1 E: new column y", "1/1 E: new column z"])
  }
}
