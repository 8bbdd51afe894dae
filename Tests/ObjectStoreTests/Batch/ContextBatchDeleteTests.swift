import DataModel
import Foundation
import PredicateSQL
import Testing

@testable import ObjectStore

@Suite struct ContextBatchDeleteTests {
  @Test func `what the condition is true of goes at the next save, in memory and in the store`()
    throws
  {
    let store = try BatchSamples.store()
    try store.insertBatch(
      "Member", rows: (1...4).map { ["age": .integer($0 * 10)] })
    let context = ModelContext(store)
    let members = try context.fetch(FetchRequest("Member", sort: [QuerySort(.property("age"))]))
    // By the values that the save writes: 10 comes to match, 40 no longer does.
    try members[0].setValue("age", .integer(35))
    try members[3].setValue("age", .integer(5))
    let new = try context.insert("Member")
    try new.setValue("age", .integer(99))
    try context.delete("Member", where: compare("age", .greaterOrEqual, .integer(30)))
    #expect(context.hasChanges)
    #expect(!members[2].isDeleted)
    #expect(try store.wholeState().count == 4)
    try context.save()
    #expect(!context.hasChanges)
    #expect(members.map(\.isDeleted) == [true, false, true, false])
    #expect(new.isDeleted)
    #expect(
      try store.wholeState() == [
        "Member 2 v1 Member active=1 age=20", "Member 4 v2 Member active=1 age=5",
      ])
    try store.checkHistory()
  }

  @Test func `a rollback forgets it`() throws {
    let store = try BatchSamples.store()
    try store.insertBatch("Member", rows: [[:]])
    let context = ModelContext(store)
    try context.delete("Member")
    context.rollback()
    #expect(!context.hasChanges)
    try context.save()
    #expect(try store.wholeState().count == 1)
  }

  @Test func `a refusal fails the whole save`() throws {
    let store = try BatchSamples.store(BatchSamples.schema(members: .deny))
    try store.insertBatch("Club", rows: [[:]])
    try store.insertBatch("Member", rows: [["club": .objectID(store.identity("Club", 1))]])
    let state = try store.wholeState()
    let context = ModelContext(store)
    try context.insert("Club").setValue("name", .string("B"))
    try context.delete("Club")
    #expect(storeError { try context.save() }?.code == .deleteDenied)
    #expect(try store.wholeState() == state)
    #expect(context.hasChanges)
  }

  @Test func `what cannot be asked in SQL is refused at once`() throws {
    let context = ModelContext(try BatchSamples.store())
    #expect(
      storeError { try context.delete("Member", where: compare("nome", .equal, .null)) }?.code
        == .unknownProperty)
    #expect(storeError { try context.delete("Nobody") }?.code == .unknownEntity)
    #expect(!context.hasChanges)
  }

  @Test func `typed models are deleted by a predicate, which SQL has to say whole`() throws {
    let store = try Store(at: .memory, schema: Note.schema)
    try store.insertBatch("Note", rows: [["text": .string("a")], ["text": .string("b")]])
    let context = ModelContext(store)
    let notes = try context.fetch(Note.self)
    try context.delete(model: Note.self, where: #Predicate<Note> { $0.text == "a" })
    try context.save()
    #expect(notes.map(\.managedObject.isDeleted) == [true, false])
    #expect(try store.wholeState() == ["Note 2 v1 text=\"b\""])
    let error = storeError {
      try context.delete(model: Note.self, where: #Predicate<Note> { $0.shout == "B" })
    }
    #expect(error?.code == .unsupportedPredicate || error?.code == .unknownProperty)
    #expect(!context.hasChanges)
  }
}

/// A typed model, as a macro would write it.
private final class Note: PersistentModel {
  static let schema = Schema(
    name: "Notes",
    entities: [
      Schema.Entity(
        name: "Note", attributes: [Schema.Attribute(name: "text", type: .string)])
    ])
  static let detachedLayout = EntityLayout.detached("Note", of: schema)
  static let queryNames: any QueryNames = ListedQueryNames(properties: [\Note.text: "text"])

  private let handle: ModelHandle

  init(handle: consuming ModelHandle) { self.handle = handle }

  var managedObject: ManagedObject { handle.object }
  var text: String {
    get { handle.object.text(0) }
    set { handle.object.set(0, newValue) }
  }
  /// Nothing that the store knows of.
  var shout: String { text.uppercased() }
}
