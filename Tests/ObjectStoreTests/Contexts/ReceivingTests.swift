import DataModel
import Foundation
import Testing

@testable import ObjectStore

@Suite struct ReceivingTests {
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
    let ben = try there.make("Pilot", "Ben")
    try there.make("Licence", "L1").setRelated("pilot", ann)
    try there.make("Licence", "L2")
    let paris = try there.make("Flight", "Paris")
    try paris.setRelated("pilot", ann)
    try there.make("Flight", "Rome").setRelated("pilot", ann)
    try there.make("Tag", "night").addRelated("flights", paris)
    try there.make("Tag", "long")
    try ben.addRelated("ratings", there.make("Rating", "IFR"))
    try there.save()
  }

  @Test func `an object whose pilot changed elsewhere shows the new one, on both sides`() throws {
    let paris = try here.find("Flight", "Paris")
    let ann = try here.find("Pilot", "Ann")
    let ben = try here.find("Pilot", "Ben")
    #expect(try paris.related("pilot") === ann)
    #expect(try ann.relatedObjects("flights").map(\.name) == ["Paris", "Rome"])
    try there.find("Flight", "Paris").setRelated("pilot", there.find("Pilot", "Ben"))
    try there.save()
    here.receiveChanges()
    #expect(try paris.related("pilot") === ben)
    #expect(try ann.relatedObjects("flights").map(\.name) == ["Rome"])
    #expect(try ben.relatedObjects("flights").map(\.name) == ["Paris"])
  }

  @Test func `the far end of a one-to-one shows what changed elsewhere`() throws {
    let ann = try here.find("Pilot", "Ann")
    let ben = try here.find("Pilot", "Ben")
    let first = try here.find("Licence", "L1")
    #expect(try ann.related("licence") === first)
    #expect(try first.related("pilot") === ann)
    try there.find("Pilot", "Ben").setRelated("licence", there.find("Licence", "L1"))
    try there.save()
    here.receiveChanges()
    #expect(try ann.related("licence") == nil)
    #expect(try ben.related("licence") === first)
    #expect(try first.related("pilot") === ben)
  }

  @Test func `pairs that were made and undone elsewhere show on both sides`() throws {
    let paris = try here.find("Flight", "Paris")
    let night = try here.find("Tag", "night")
    let long = try here.find("Tag", "long")
    #expect(try paris.relatedObjects("tags").map(\.name) == ["night"])
    #expect(try night.relatedObjects("flights").map(\.name) == ["Paris"])
    #expect(try long.relatedObjects("flights").isEmpty)
    try there.find("Flight", "Paris").setRelated("tags", [there.find("Tag", "long")])
    try there.save()
    here.receiveChanges()
    #expect(try paris.relatedObjects("tags").map(\.name) == ["long"])
    #expect(try night.relatedObjects("flights").isEmpty)
    #expect(try long.relatedObjects("flights").map(\.name) == ["Paris"])
  }

  @Test func `an object with changes keeps them, and meets the conflict at its save`() throws {
    let ann = try here.find("Pilot", "Ann")
    try ann.setValue("hours", .integer(1))
    let other = try there.find("Pilot", "Ann")
    try other.setValue("hours", .integer(2))
    try there.save()
    here.receiveChanges()
    #expect(try ann.value("hours") == .integer(1))
    #expect(throws: StoreError.self) { try here.save() }
    here.mergePolicy = .mergeByPropertyObjectTrump
    try here.save()
    there.receiveChanges()
    #expect(try other.value("hours") == .integer(1))
  }

  @Test func `after a rollback an object shows what others have saved meanwhile`() throws {
    let ann = try here.find("Pilot", "Ann")
    let ben = try here.find("Pilot", "Ben")
    try ann.setValue("hours", .integer(1))
    try ben.setValue("hours", .integer(1))
    try there.find("Pilot", "Ann").setValue("hours", .integer(2))
    try there.delete(there.find("Pilot", "Ben"))
    try there.save()
    let error = #expect(throws: StoreError.self) { try here.save() }
    #expect(error?.failures.map(\.code) == [.conflict, .conflict])
    here.rollback()
    #expect(try ann.value("hours") == .integer(2))
    #expect(try ben.value("hours") == .integer(0))
    #expect(ben.isDeleted)
    try ann.setValue("hours", .integer(3))
    try here.save()
    try expectSame(here.shown(), ModelContext(store).shown())
  }

  @Test func `an identity of what is gone leads to nothing`() throws {
    let ann = try #require(try here.find("Pilot", "Ann").identity)
    let ben = try #require(try here.find("Pilot", "Ben").identity)
    #expect(try here.existingObject(ann)?.name == "Ann")
    try there.delete(there.find("Pilot", "Ann"))
    try there.save()
    #expect(try here.existingObject(ann) == nil)
    #expect(try ModelContext(store).existingObject(ann) == nil)
    let unknown = ObjectIdentity(store: ben.store, entity: ben.entity, key: 99)
    #expect(try here.existingObject(unknown) == nil)
    let foreign = ObjectIdentity(store: UUID(), entity: ben.entity, key: ben.key)
    #expect(try here.existingObject(foreign) == nil)
    #expect(here.problems.isEmpty)
    let mine = try #require(try here.existingObject(ben))
    try here.delete(mine)
    #expect(try here.existingObject(ben) == nil)
  }

  @Test func `what was deleted can be inserted again, before the save and after`() throws {
    let new = try here.make("Tag", "new")
    try here.delete(new)
    try here.insert(new)
    #expect(new.isInserted && here.insertedObjects.count == 1)
    let ann = try here.find("Pilot", "Ann")
    try ann.setValue("hours", .integer(8))
    let old = try #require(ann.identity)
    try here.delete(ann)
    try here.insert(ann)
    // The pilot and the licence that it lost, each once; its flights went with it.
    #expect(here.updatedObjects.map(\.entity).sorted() == ["Licence", "Pilot"])
    #expect(here.deletedObjects.map(\.entity) == ["Flight", "Flight"])
    try here.save()
    #expect(ann.identity == old)
    try here.delete(ann)
    try here.save()
    try here.insert(ann)
    try here.save()
    #expect(ann.identity != old && ann.name == "Ann")
    try expectSame(here.shown(), ModelContext(store).shown())
  }

  @Test func `what was added to a list here stays when its owner changes elsewhere`() throws {
    let ann = try here.find("Pilot", "Ann")
    let tag = try here.find("Tag", "long")
    #expect(try ann.relatedObjects("flights").count == 2)
    try here.make("Flight", "Oslo").setRelated("pilot", ann)
    try here.find("Flight", "Rome").addRelated("tags", tag)
    try there.find("Pilot", "Ann").setValue("hours", .integer(7))
    try there.find("Tag", "long").setValue("name", .string("very long"))
    try there.save()
    here.receiveChanges()
    #expect(try ann.value("hours") == .integer(7))
    #expect(try ann.relatedObjects("flights").map(\.name) == ["Paris", "Rome", "Oslo"])
    #expect(tag.name == "very long")
    #expect(try tag.relatedObjects("flights").map(\.name) == ["Rome"])
    try here.save()
    try expectSame(here.shown(), ModelContext(store).shown())
    #expect(try ann.relatedObjects("flights").map(\.name) == ["Paris", "Rome", "Oslo"])
  }

  @Test func `a list that was put into another order here keeps it when others commit`() throws {
    let ann = try here.find("Pilot", "Ann")
    try ann.setRelated("flights", ann.relatedObjects("flights").reversed())
    try there.make("Tag", "unrelated")
    try there.save()
    here.receiveChanges()
    #expect(try ann.relatedObjects("flights").map(\.name) == ["Rome", "Paris"])
    try here.save()
    try expectSame(here.shown(), ModelContext(store).shown())
  }

  @Test func `rolling back puts a list back into its order`() throws {
    let ann = try here.find("Pilot", "Ann")
    try ann.setRelated("flights", ann.relatedObjects("flights").reversed())
    here.rollback()
    #expect(try ann.relatedObjects("flights").map(\.name) == ["Paris", "Rome"])
  }

  @Test func `what was deleted elsewhere keeps its last known values and says so`() throws {
    let ann = try here.find("Pilot", "Ann")
    let paris = try here.find("Flight", "Paris")
    #expect(ann.name == "Ann")
    try there.find("Pilot", "Ann").setValue("hours", .integer(7))
    try there.save()
    here.receiveChanges()
    try there.delete(there.find("Pilot", "Ann"))
    try there.save()
    here.receiveChanges()
    #expect(ann.isDeleted && paris.isDeleted)
    #expect(ann.name == "Ann")
    #expect(try ann.relatedObjects("flights").isEmpty)
    #expect(try paris.related("pilot") == nil)
    #expect(paris.name == "Paris")
    try ann.setValue("name", .string("nobody"))
    try here.save()
  }

  @Test func `what is gone before it was read shows what was known, and is reported`() throws {
    let ann = try here.find("Pilot", "Ann")
    #expect(ann.name == "Ann")
    try there.delete(there.find("Pilot", "Ann"))
    try there.save()
    ann.turnIntoFault()
    #expect(ann.name == "Ann")
    #expect(ann.isDeleted)
    #expect(here.takeProblems().map(\.code) == [.missingObject])
  }

  @Test func `an object that a save puts back is there again`() throws {
    let ben = try here.find("Pilot", "Ben")
    let again = try there.find("Pilot", "Ben")
    try again.setValue("hours", .integer(5))
    there.mergePolicy = .overwrite
    try here.delete(ben)
    try here.save()
    #expect(ben.isDeleted)
    try there.save()
    here.receiveChanges()
    #expect(!ben.isDeleted)
    #expect(try ben.value("hours") == .integer(5))
  }

  @Test func `objects keep their values and identities when their context goes`() throws {
    var context: ModelContext? = ModelContext(store, isolation: nil)
    let ann = try #require(try context?.find("Pilot", "Ann"))
    let flight = try #require(try context?.find("Flight", "Paris"))
    let new = try #require(try context?.make("Pilot", "New"))
    try flight.setValue("name", .string("Lyon"))
    let identity = ann.identity
    context = nil
    #expect([ann.name, flight.name, new.name] == ["Ann", "Lyon", "New"])
    #expect(ann.modelContext == nil && new.identity == nil)
    #expect(identity != nil && ann.identity == identity)
    #expect(try ann.relatedObjects("flights").isEmpty)
    try ann.setValue("name", .string("Anna"))
    #expect(ann.name == "Anna")
  }
}
