import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct TextFormsTests {
  let folder: ValuesFolder

  init() throws { folder = try ValuesFolder() }

  func open() throws -> Store {
    try Store(at: .file(folder.storeFile), schema: Album.schema)
  }

  /// The attributes of photos whose texts may be compared by their bytes.
  func normalized(_ model: SQLModel) -> [String] {
    let photo = model.entities["Photo"]?.attributes ?? [:]
    return photo.filter { $0.value.isNormalized }.map(\.key).sorted()
  }

  @Test func `a column is normalized until the first text that is not, in every process`() throws {
    let store = try open()
    let other = try open()
    let context = ModelContext(store)
    let photo = try context.add("Photo", ["caption": .string("caf\u{e9}"), "place": .string("東京")])
    try context.save()
    #expect(normalized(try other.currentSQLModel()) == ["caption", "place"])
    #expect(normalized(store.layout.sqlModel) == [])
    try photo.setValue("caption", .string("cafe\u{301}"))
    try context.save()
    #expect(normalized(try store.currentSQLModel()) == ["place"])
    #expect(normalized(try other.currentSQLModel()) == ["place"])
    #expect(normalized(try open().currentSQLModel()) == ["place"])
  }

  @Test func `a rollback takes it back`() throws {
    let store = try open()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.write { transaction in
        let photo = try #require(store.layout.entity("Photo"))
        let row = Row(photo)
        defer { row.free(photo) }
        _ = row.setValue(try #require(photo.slot("place")), .string("e\u{301}"), photo)
        try transaction.insert(photo, key: try transaction.newKey(photo), row: row)
        throw Stop()
      }
    }
    #expect(normalized(try store.currentSQLModel()) == ["caption", "place"])
    // And the next one is noticed again.
    try ModelContext(store).run {
      try $0.add("Photo", ["place": .string("e\u{301}"), "caption": .string("x")])
      try $0.add("Photo", ["place": .string("e\u{301}"), "caption": .string("e\u{301}")])
    }
    #expect(normalized(try store.currentSQLModel()) == [])
  }

  @Test func `writers with statements of their own can say so`() throws {
    let store = try open()
    let photo = try #require(store.layout.entity("Photo"))
    let number = photo.slots[try #require(photo.slot("place"))].number
    try store.write { try $0.markUnnormalized([number]) }
    #expect(normalized(try store.currentSQLModel()) == ["caption"])
    #expect(WriteTransaction.isNormalized("é") && !WriteTransaction.isNormalized("e\u{301}"))
  }

  @Test func `what is derived is compared with care`() throws {
    let model = try open().currentSQLModel()
    #expect(model.entities["Photo"]?.attributes["search"]?.isNormalized == false)
  }
}

extension ModelContext {
  fileprivate func run(_ body: (ModelContext) throws -> Void) throws {
    try body(self)
    try save()
  }
}
