import DataModel
import Foundation
import Testing

@testable import ObjectStore

/// What a store does besides keeping rows goes on across migrations: derived attributes, large values
/// in files, the search index.
@Suite struct MigrationExtrasTests {
  let folder: ValuesFolder

  init() throws { folder = try ValuesFolder() }

  func open(_ schema: Schema, _ migration: Store.Options.Migration = .automatic) throws -> Store {
    var options = Store.Options()
    options.migration = migration
    return try Store(at: .file(folder.storeFile), schema: schema, options: options)
  }

  /// Notes with a text and a file, in a folder.
  static func notes(
    _ more: [Schema.Attribute] = [], picture: Schema.Attribute.Options? = .externalStorage
  ) -> Schema {
    Schema(
      name: "Notes",
      entities: [
        Schema.Entity(
          name: "Note",
          attributes: [
            .init(name: "text", type: .string, isOptional: true, options: [.spotlight])
          ]
            + (picture.map {
              [.init(name: "picture", type: .binaryData, isOptional: true, options: $0)]
            } ?? []) + more,
          relationships: [.init(name: "folder", destination: "Folder", inverse: "notes")]),
        Schema.Entity(
          name: "Folder", attributes: [.init(name: "title", type: .string, isOptional: true)],
          relationships: [
            .init(name: "notes", destination: "Note", inverse: "folder", isToMany: true)
          ]),
      ])
  }

  static let shouted = Schema.Attribute(
    name: "shouted", type: .string, isOptional: true, derivation: "uppercase:(text)")

  func fill(_ schema: Schema) throws {
    let context = ModelContext(try open(schema))
    let folder = try context.add("Folder", ["title": .string("f")])
    for (index, text) in ["one", "two"].enumerated() {
      let note = try context.add(
        "Note", ["text": .string(text), "picture": .data(Album.picture(UInt8(index)))])
      try note.setRelated("folder", folder)
    }
    try context.save()
  }

  @Test func `a new derived attribute has its value for objects that are there`() throws {
    try fill(Self.notes())
    let store = try open(Self.notes([Self.shouted]))
    let context = ModelContext(store)
    #expect(
      try context.all("Note").map { try $0.value("shouted") } == [.string("ONE"), .string("TWO")])
    let last = try #require(try store.history().last)
    #expect(last.author == Store.migrationAuthor)
    #expect(last.changes.map { $0.updatedProperties.map(\.name) } == [["shouted"], ["shouted"]])
    #expect(try store.verifyHistory().problems == [])
  }

  @Test func `a derived attribute follows when what it is derived from is filled by the migration`()
    throws
  {
    let mood = Schema.Attribute(
      name: "mood", type: .string, isOptional: false, defaultValue: .string("calm"))
    let loud = Schema.Attribute(
      name: "loud", type: .string, isOptional: true, derivation: "uppercase:(mood)")
    try fill(Self.notes())
    let context = ModelContext(try open(Self.notes([mood, loud])))
    #expect(
      try context.all("Note").map { try $0.value("loud") } == [.string("CALM"), .string("CALM")])
  }

  @Test func `derived values stay across a migration about something else, times too`() throws {
    let written = Schema.Attribute(
      name: "written", type: .date, isOptional: true, derivation: "now()")
    try fill(Self.notes([Self.shouted, written]))
    func values(_ schema: Schema) throws -> [[FieldValue]] {
      try ModelContext(open(schema)).all("Note").map {
        [try $0.value("shouted"), try $0.value("written")]
      }
    }
    let before = try values(Self.notes([Self.shouted, written]))
    #expect(before.map(\.[0]) == [.string("ONE"), .string("TWO")])
    let more = Schema.Attribute(name: "more", type: .integer64, isOptional: true)
    let after = Self.notes([Self.shouted, written, more])
    let plan = try Store.migrationPlan(at: folder.storeFile, to: after)
    #expect(plan.steps.map(\.title) == ["Note: new column more"])
    #expect(try values(after) == before)
    var other = after
    other.change("Folder") { folder in
      folder.attributes = [
        .init(name: "title", type: .integer64, isOptional: false, defaultValue: .integer(7))
      ]
    }
    other.change("Note") { $0.hashModifier = "2" }
    #expect(throws: StoreError.self) { try open(other) }
    other.change("Folder") { $0.attributes = [] }
    #expect(try values(other) == before)
    #expect(try open(other).history().last?.author != Store.migrationAuthor)
  }

  @Test func `an expression that means another property by now is computed anew`() throws {
    try fill(Self.notes([Self.shouted]))
    var new = Self.notes([Self.shouted])
    new.change("Note") { note in
      note.attributes.removeAll { $0.name == "text" }
      note.attributes += [
        .init(name: "old", type: .string, isOptional: true, renamingIdentifier: "text"),
        .init(
          name: "text", type: .string, isOptional: false, defaultValue: .string("new"),
          renamingIdentifier: "fresh"),
      ]
    }
    let context = ModelContext(try open(new))
    #expect(
      try context.all("Note").map { try $0.value("shouted") } == [.string("NEW"), .string("NEW")])
  }

  @Test func `what a stage changes is derived from`() throws {
    let (old, new) = (Self.notes(), Self.notes([Self.shouted]))
    try fill(old)
    let stages = try MigrationStages(
      versions: [old, new],
      stages: [
        .custom(
          from: old, to: new, label: "rewrite",
          willMigrate: { context in
            for note in try context.all("Note") {
              try note.setValue("text", .string("\(try note.value("text").shown) before"))
            }
          },
          didMigrate: { context, _ in
            for note in try context.all("Note") {
              #expect(try note.value("shouted").shown.hasSuffix("BEFORE\""))
              try note.setValue("text", .string("after"))
            }
          })
      ])
    let context = ModelContext(try open(new, .staged(stages)))
    #expect(
      try context.all("Note").map { try $0.value("shouted") }
        == [.string("AFTER"), .string("AFTER")])
  }

  @Test func `the files of an attribute that is removed go with it`() throws {
    try fill(Self.notes())
    #expect(folder.valueFiles.count == 2)
    _ = try open(Self.notes(picture: nil))
    #expect(folder.valueFiles == [])
    // And never those of one that stays.
    let other = try ValuesFolder()
    let store = try Store(at: .file(other.storeFile), schema: Self.notes())
    try ModelContext(store).transactionAdding(Album.picture(9))
    _ = try Store(
      at: .file(other.storeFile),
      schema: Self.notes([.init(name: "more", type: .string, isOptional: true)]))
    #expect(other.valueFiles.count == 1)
  }

  @Test func `a stage reads the files of an attribute that is removed`() throws {
    let old = Self.notes()
    let size = Schema.Attribute(name: "size", type: .integer64, isOptional: true)
    let new = Self.notes([size], picture: nil)
    try fill(old)
    let stages = try MigrationStages(
      versions: [old, new],
      stages: [
        .custom(
          from: old, to: new, label: "sizes",
          didMigrate: { context, scratch in
            try scratch.forEach("Note", ["picture"]) { identity, values in
              guard case .data(let bytes) = values[0] else { return }
              try context.object(identity)?.setValue("size", .integer(Int64(bytes.count)))
            }
          })
      ])
    let context = ModelContext(try open(new, .staged(stages)))
    let count = Int64(Album.picture(0).count)
    #expect(
      try context.all("Note").map { try $0.value("size") } == [.integer(count), .integer(count)])
    #expect(folder.valueFiles == [])
  }

  @Test func `files that a stage leaves to an attribute without files are refused, and kept`()
    throws
  {
    // Whether values are in files is no part of a version's hash, so a stage needs something that is.
    let old = Self.notes()
    var new = Self.notes(picture: [])
    new.change("Note") { $0.attributes.append(.init(name: "new", type: .date, isOptional: true)) }
    try fill(old)
    func stages(_ count: Int) throws -> MigrationStages {
      try MigrationStages(
        versions: [old, new],
        stages: [
          .custom(
            from: old, to: new, label: "into rows",
            didMigrate: { context, _ in
              for note in try context.all("Note").prefix(count) {
                guard case .data(let bytes) = try note.value("picture") else { continue }
                try note.setValue("picture", .null)
                try context.save()
                try note.setValue("picture", .data(bytes))
              }
            })
        ])
    }
    let error = try #require(throws: StoreError.self) { try open(new, .staged(stages(1))) }
    #expect(error.failures.map(\.message) == ["1 value is in a file beside the store"])
    #expect(folder.valueFiles.count == 2)
    let context = ModelContext(try open(new, .staged(stages(2))))
    #expect(
      try context.all("Note").map { try $0.value("picture") }
        == [.data(Album.picture(0)), .data(Album.picture(1))])
    #expect(folder.valueFiles == [])
  }

  @Test func `objects that move to another table are found by their new keys`() throws {
    let schema = Self.notes()
    try fill(schema)
    let store = try open(schema)
    #expect(try store.search("two").map(\.identity.entity) == ["Note"])
    var moved = schema
    moved.change("Note") { $0.parent = "Folder" }
    let after = try open(moved)
    let context = ModelContext(after)
    let hits = try after.search("two")
    #expect(
      try hits.map { try #require(try context.existingObject($0.identity)).value("text") }
        == [.string("two")])
  }

  @Test func `two properties of one name are refused, before anything is made`() throws {
    let text = Schema.Attribute(name: "text", type: .string, isOptional: true)
    var schema = Self.notes([.init(name: "folder", type: .string, isOptional: true)])
    let error = try #require(throws: StoreError.self) { try open(schema) }
    #expect(
      error.description
        == "Note.folder: names two properties [invalidSchema]; rename one of them; those of parents count too"
    )
    #expect(!FileManager.default.fileExists(atPath: folder.storeFile))
    schema = Self.notes()
    schema.change("Folder") {
      $0.parent = "Note"
      $0.attributes.append(text)
      $0.relationships.append(.init(name: "picture", destination: "Note"))
    }
    let two = try #require(throws: StoreError.self) { try open(schema) }
    #expect(two.failures.map(\.subject) == ["Folder.picture", "Folder.text"])
  }
}

extension Schema {
  fileprivate mutating func change(_ name: String, _ body: (inout Entity) -> Void) {
    for index in entities.indices where entities[index].name == name { body(&entities[index]) }
  }
}

extension ModelContext {
  fileprivate func transactionAdding(_ picture: [UInt8]) throws {
    try add("Note", ["picture": .data(picture)])
    try save()
  }
}
