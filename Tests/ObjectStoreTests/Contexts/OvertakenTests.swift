import DataModel
import PredicateSQL
import Testing

@testable import ObjectStore

/// Objects with changes that others changed too, where undoing, conflicts and batches meet them.
@Suite struct OvertakenTests {
  let folder: TestFolder
  let store: Store
  let here: ModelContext
  let there: ModelContext

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
    here = ModelContext(store, isolation: nil)
    there = ModelContext(store, isolation: nil)
    let ann = try there.make("Pilot", "Ann")
    try there.make("Pilot", "Ben")
    try there.make("Flight", "Paris").setRelated("pilot", ann)
    let ratings = try ["VFR", "IFR", "SEP"].map { try there.make("Rating", $0) }
    try ann.setRelated("ratings", ratings)
    try there.save()
  }

  @Test func `undoing a deletion that others made too makes a new object of the store`() throws {
    let log = UndoLog()
    here.undoLog = log
    let ann = try here.find("Pilot", "Ann")
    let old = ann.identity
    try here.delete(ann)
    try there.delete(there.find("Pilot", "Ann"))
    try there.save()
    here.receiveChanges()
    try log.undo()
    #expect(ann.isInserted && ann.name == "Ann")
    try here.save()
    #expect(ann.identity != old)
    #expect(try ann.relatedObjects("ratings").map(\.name) == ["VFR", "IFR", "SEP"])
    try expectSame(here.shown(), ModelContext(store, isolation: nil).shown())
  }

  @Test func `a deletion that is taken back shows what others changed meanwhile`() throws {
    let ben = try here.find("Pilot", "Ben")
    try here.delete(ben)
    try there.find("Pilot", "Ben").setValue("hours", .integer(9))
    try there.save()
    here.receiveChanges()
    try here.insert(ben)
    #expect(!here.hasChanges)
    #expect(try ben.value("hours") == .integer(9))
  }

  @Test func `undoing a deletion leaves nothing to save`() throws {
    let log = UndoLog()
    here.undoLog = log
    try here.delete(here.find("Pilot", "Ben"))
    try log.undo()
    try here.save()
    #expect(try there.find("Pilot", "Ben").version == 1)
  }

  @Test func `after a conflict a rollback shows what the store has`() throws {
    let (ann, ben) = (try here.find("Pilot", "Ann"), try here.find("Pilot", "Ben"))
    try ann.setValue("hours", .integer(1))
    try ben.setValue("hours", .integer(1))
    try there.find("Pilot", "Ann").setValue("hours", .integer(2))
    try there.delete(there.find("Pilot", "Ben"))
    try there.save()
    #expect(throws: StoreError.self) { try here.save() }
    #expect(try ann.value("hours") == .integer(1))
    here.rollback()
    #expect(try ann.value("hours") == .integer(2))
    #expect(ben.isDeleted)
    try ann.setValue("hours", .integer(3))
    try here.save()
    try expectSame(here.shown(), ModelContext(store, isolation: nil).shown())
  }

  @Test func `a value that was read alone can be changed`() throws {
    var request = FetchRequest("Rating")
    request.propertiesToFetch = ["name"]
    request.filter = compare("name", .equal, .string("IFR"))
    let rating = try #require(try here.fetch(request).first)
    #expect(rating.isFault && rating.name == "IFR")
    try rating.setValue("name", .string("CPL"))
    #expect(here.updatedObjects.map(\.changedProperties) == [["name"]])
    try here.save()
    there.receiveChanges()
    #expect(try there.living("Rating").map(\.name) == ["VFR", "CPL", "SEP"])
  }

  @Test func `a save with a batch leaves no members behind`() throws {
    let ann = try here.find("Pilot", "Ann")
    #expect(try ann.relatedObjects("ratings").count == 3)
    try ann.setValue("hours", .integer(4))
    try here.delete("Rating", where: compare("name", .equal, .string("IFR")))
    try here.save()
    #expect(try ann.relatedObjects("ratings").map(\.name) == ["VFR", "SEP"])
    let slot = try #require(ann.layout.slot("ratings"))
    #expect(ann.relatedCount(slot) == 2)
    #expect(try ann.value("hours") == .integer(4))
  }
}
