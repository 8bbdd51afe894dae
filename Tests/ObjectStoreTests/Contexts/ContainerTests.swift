import DataModel
import Foundation
import Testing

@testable import ObjectStore

@Suite struct ContainerTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func location(_ name: String) -> Store.Location { .file(folder.path + "/" + name) }

  static let people = ["Flight", "Licence", "Pilot", "Rating", "Tag"]

  static var twoStores: Schema {
    var schema = Club.schema
    schema.entities.append(
      Schema.Entity(
        name: "Note",
        attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)]))
    return schema
  }

  @Test func `one store holds the whole schema`() async throws {
    let container = try StoreContainer(Club.schema, at: location("one"))
    try await container.performBackgroundTask { context in
      try context.make("Pilot", "Ann")
      try context.save()
    }
    #expect(try container.context(for: "Pilot").all("Pilot").map(\.name) == ["Ann"])
    #expect(container.stores.count == 1)
    #expect(throws: StoreError.self) { try container.store(of: "Nobody") }
  }

  @Test func `several stores hold their own entities`() async throws {
    let container = try StoreContainer(
      Self.twoStores,
      [
        StoreConfiguration("club", at: location("club"), entities: Self.people),
        StoreConfiguration("notes", at: location("notes"), entities: ["Note"]),
      ])
    try await container.performBackgroundTask(for: "Note") { context in
      try context.make("Note", "remember")
      try context.save()
    }
    #expect(try container.store(of: "Note") === container.store(named: "notes"))
    #expect(
      try container.store(of: "Note").layout.entities.map(\.name) == ["Note"])
    let context = try container.context(for: "Note")
    let note = try context.find("Note", "remember")
    #expect(container.store(of: try #require(note.identity)) === container.stores[1])
    #expect(throws: StoreError.self) { try container.context(for: "Pilot").insert("Note") }
  }

  @Test func `configurations of the schema are taken by name`() throws {
    var schema = Self.twoStores
    schema.configurations = [
      Schema.Configuration(name: "club", entities: Self.people),
      Schema.Configuration(name: "notes", entities: ["Note"]),
    ]
    let plan = try ContainerPlan(
      schema,
      [
        StoreConfiguration("club", at: .memory), StoreConfiguration("notes", at: .memory),
      ])
    #expect(plan.schemas.map { $0.entities.map(\.name) } == [Self.people, ["Note"]])
  }

  @Test func `what cannot be placed is refused before a file is made`() throws {
    var schema = Self.twoStores
    schema.entities.append(Schema.Entity(name: "LongNote", parent: "Note"))
    let error = #expect(throws: StoreError.self) {
      try StoreContainer(
        schema,
        [
          StoreConfiguration(
            "a", at: location("a"), entities: ["Flight", "Pilot", "Tag", "Licence", "LongNote"]),
          StoreConfiguration("b", at: location("b"), entities: ["Note", "Tag", "Ghost"]),
        ])
    }
    let lines = try #require(error).failures.map { "\($0.subject) \($0.code.rawValue)" }
    #expect(
      lines == [
        "Tag unassignedEntity", "Ghost unknownEntity", "LongNote crossesStores",
        "Rating unassignedEntity",
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(throws: StoreError.self) { try StoreContainer(schema, []) }
  }

  @Test func `a relationship may not lead from one store to another`() throws {
    let error = #expect(throws: StoreError.self) {
      try ContainerPlan(
        Club.schema,
        [
          StoreConfiguration("a", at: .memory, entities: ["Flight", "Tag", "Pilot", "Licence"]),
          StoreConfiguration("b", at: .memory, entities: ["Rating"]),
        ])
    }
    #expect(
      try #require(error).description == """
        container: 2 entities cannot be placed [crossesStores]
          Pilot.ratings: leads from a to Rating in b [crossesStores]; put both into one store, or \
        keep an identity in an attribute
          Rating.pilots: leads from b to Pilot in a [crossesStores]; put both into one store, or \
        keep an identity in an attribute
        """)
  }

  @MainActor
  @Test func `each store has one main context`() throws {
    let container = try StoreContainer(
      Self.twoStores,
      [
        StoreConfiguration("club", at: .memory, entities: Self.people),
        StoreConfiguration("notes", at: .memory, entities: ["Note"]),
      ])
    #expect(container.mainContext === (try container.mainContext(for: "Pilot")))
    #expect(container.mainContext !== (try container.mainContext(for: "Note")))
  }
}
