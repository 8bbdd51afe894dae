import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct SearchTests {
  let store: Store
  let context: ModelContext

  init() throws {
    store = try Store(at: .memory, schema: Album.schema)
    context = ModelContext(store)
  }

  func add(_ texts: [(String?, String?)]) throws {
    for (caption, place) in texts {
      try context.add(
        "Photo",
        [
          "caption": caption.map { .string($0) } ?? .null,
          "place": place.map { .string($0) } ?? .null,
        ])
    }
    try context.save()
  }

  /// The keys of the photos that a search finds, in its order.
  func keys(_ text: String, words: Store.SearchWords = .whole) throws -> [Int64] {
    try store.search(text, in: ["Photo"], words: words).map(\.identity.key)
  }

  @Test func `hits have a name, an attribute and a snippet with marks`() throws {
    try add([("A sandwich at dusk", "Sandwich Islands"), ("Dawn", nil)])
    let hits = try store.search("ISLANDS", limit: 5)
    #expect(
      hits.map(\.identity) == [ObjectIdentity(store: store.identifier, entity: "Photo", key: 1)])
    #expect(hits.map(\.displayName) == ["A sandwich at dusk"])
    #expect(hits.map(\.property) == ["place"])
    #expect(hits.map { $0.snippet(marks: "[", "]") } == ["Sandwich [Islands]"])
    #expect(hits.allSatisfy { $0.rank < 0 })
  }

  @Test func `all words have to be there, in whichever attribute; accents and case do not count`()
    throws
  {
    try add([("Café crème", "Paris"), ("cafe", "Rome"), ("Paris", nil)])
    #expect(try keys("cafe").sorted() == [1, 2])
    #expect(try keys("paris CAFÉ") == [1])
    #expect(try keys("\"creme cafe\"") == [])
    #expect(try keys("\"cafe creme\"") == [1])
    #expect(try keys("par") == [])
    #expect(try keys("par*").sorted() == [1, 3])
    #expect(try keys("ca pa", words: .beginnings) == [1])
  }

  @Test(arguments: [
    "\"", "\"\"", "'", "*", "AND", "OR NOT", "NEAR(a b)", "caption:x", "-x", "^x", "a AND", "(",
    ")", "{a b}", "a\0b", "\\", "x:*", "+", "\"a", "a\"b\"c", "💥", "“a” b", ";--", "%", "a*b*",
    "\u{301}", "\u{2}", "text0:a", "\"a\" *", "日本", " ",
  ])
  func `nothing that is typed is an error`(_ text: String) throws {
    try add([("something else", nil)])
    #expect(try keys(text) == [])
    #expect(try keys(text, words: .beginnings) == [])
  }

  @Test func `operators are words`() throws {
    try add([("this and that or not", nil), ("this that", nil)])
    #expect(try keys("this AND that") == [1])
    #expect(try keys("\"or not") == [1])
  }

  @Test func `the better fit comes first, and no more than asked for`() throws {
    try add([
      ("a long text in which the word harbour stands once among a great many others", nil),
      ("harbour", nil), ("harbour harbour harbour", nil),
    ])
    #expect(try keys("harbour") == [3, 2, 1] || keys("harbour") == [2, 3, 1])
    #expect(try store.search("harbour", limit: 2).count == 2)
    #expect(try store.search("harbour", limit: 0).isEmpty)
  }

  @Test func `the index follows updates and deletions`() throws {
    try add([("first", nil), ("second", nil)])
    #expect(try keys("first") == [1])
    let photos = try context.all("Photo")
    try photos[0].setValue("caption", .string("third"))
    try context.delete(photos[1])
    try context.save()
    #expect(try keys("first") == [])
    #expect(try keys("second") == [])
    #expect(try keys("third") == [1])
    try photos[0].setValue("caption", .null)
    try context.save()
    #expect(try keys("third") == [])
  }

  @Test func `only the entities that are asked for are searched`() throws {
    try context.add("Folder", ["title": .string("north")])
    try context.add("Photo", ["caption": .string("north")])
    try context.save()
    #expect(try store.search("north").map(\.identity.entity).sorted() == ["Folder", "Photo"])
    #expect(try store.search("north", in: ["Folder"]).map(\.identity.entity) == ["Folder"])
    #expect(throws: StoreError.self) { try store.search("north", in: ["Tag"]) }
    #expect(throws: StoreError.self) { try store.search("north", in: ["Nothing"]) }
    let plain = try Store(at: .memory, schema: Samples.schema)
    #expect(throws: StoreError.self) { try plain.search("north") }
  }

  @Test func `entities that share a table are told apart`() throws {
    let schema = Schema(
      name: "Zoo",
      entities: [
        Schema.Entity(
          name: "Animal",
          attributes: [
            Schema.Attribute(name: "name", type: .string, isOptional: true, options: .spotlight)
          ]),
        Schema.Entity(
          name: "Bird", parent: "Animal",
          attributes: [
            Schema.Attribute(name: "song", type: .string, isOptional: true, options: .spotlight)
          ], searchDisplayName: "name"),
      ])
    let store = try Store(at: .memory, schema: schema)
    let context = ModelContext(store)
    try context.add("Animal", ["name": .string("wren")])
    try context.add("Bird", ["name": .string("wren"), "song": .string("trill")])
    try context.save()
    #expect(try store.search("wren").map(\.identity.entity).sorted() == ["Animal", "Bird"])
    #expect(try store.search("wren", in: ["Bird"]).map(\.identity.entity) == ["Bird"])
    let hit = try #require(try store.search("trill", in: ["Animal"]).first)
    #expect(hit.property == "song" && hit.displayName == "wren")
  }
}
