import DataModel
import Foundation
import PredicateSQL
import Testing

@testable import ObjectStore

@Suite struct RelationshipTests {
  @Test func `a detached graph is inserted by whichever of its objects is`() throws {
    let store = try Zoo.store()
    for root in 0..<3 {
      let context = ModelContext(store)
      let person = ManagedObject(new: EntityLayout.detached("Person", of: Zoo.schema))
      let item = ManagedObject(new: EntityLayout.detached("Item", of: Zoo.schema))
      let tag = ManagedObject(new: EntityLayout.detached("Tag", of: Zoo.schema))
      try person.rename("p\(root)")
      try item.rename("i\(root)")
      try tag.rename("t\(root)")
      try item.setRelated("owner", person)
      try tag.addRelated("items", item)
      try person.addRelated("favourites", item)
      try context.insert([person, item, tag][root])
      #expect(context.insertedObjects.count == 3)
      try context.save()
      let fresh = ModelContext(store)
      let item2 = try fresh.same(item)
      #expect(try item2.related("owner")?.named == "p\(root)")
      #expect(try item2.names("tags") == ["t\(root)"])
      #expect(try item2.names("fans") == ["p\(root)"])
    }
  }

  @Test(arguments: 0..<8)
  func `a child moves between parents, whichever lists were read before`(read: Int) throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let (a, b) = (try context.add("Box", "a"), try context.add("Box", "b"))
    let items = try (0..<3).map { try context.add("Item", "i\($0)") }
    try a.setRelated("things", items)
    try context.save()
    let other = ModelContext(store)
    let (a2, b2, item) = (try other.same(a), try other.same(b), try other.same(items[1]))
    if read & 1 != 0 { _ = try a2.relatedObjects("things") }
    if read & 2 != 0 { _ = try b2.relatedObjects("things") }
    if read & 4 != 0 {
      try item.setRelated("box", b2)
    } else {
      try b2.addRelated("things", item)
    }
    #expect(try a2.names("things") == ["i0", "i2"])
    #expect(try b2.names("things") == ["i1"])
    try other.save()
    #expect(try a2.names("things") == ["i0", "i2"])
    #expect(try b2.names("things") == ["i1"])
    context.receiveChanges()
    #expect(try a.names("things") == ["i0", "i2"])
    #expect(try items[1].related("box") === b)
  }

  @Test func `an object that is added to an unread list and taken out again is not in it`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let (tag, item) = (try context.add("Tag", "t"), try context.add("Item", "i"))
    try tag.addRelated("items", item)
    try context.save()
    let other = ModelContext(store)
    let (tag2, item2) = (try other.same(tag), try other.same(item))
    try tag2.addRelated("items", item2)
    try tag2.removeRelated("items", item2)
    #expect(try tag2.names("items") == [])
    #expect(try item2.names("tags") == [])
    try other.save()
    #expect(try store.rows("SELECT * FROM Item_tags") == [])
    try tag2.addRelated("items", item2)
    try tag2.removeRelated("items", item2)
    try tag2.addRelated("items", item2)
    #expect(try tag2.names("items") == ["i"])
    try other.save()
    #expect(try store.names("items", of: tag) == ["i"])
  }

  @Test func `friends are friends from both ends, whichever is told last`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let (a, b) = (try context.add("Person", "a"), try context.add("Person", "b"))
    try a.addRelated("friends", b)
    try b.removeRelated("friends", a)
    try a.addRelated("friends", b)
    try a.addRelated("friends", a)
    try context.save()
    let fresh = ModelContext(store)
    #expect(try fresh.same(a).names("friends") == ["a", "b"])
    #expect(try fresh.same(b).names("friends") == ["a"])
    try b.removeRelated("friends", a)
    try context.save()
    #expect(try store.names("friends", of: a) == ["a"])
    #expect(try store.names("friends", of: b) == [])
  }

  @Test func `one-to-one partners are taken over, and the ones left behind have none`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let people = try ["a", "b", "c", "d"].map { try context.add("Person", $0) }
    let passports = try ["x", "y"].map { try context.add("Passport", $0) }
    try people[0].setRelated("partner", people[1])
    try people[2].setRelated("partner", people[3])
    try people[0].setRelated("passport", passports[0])
    try people[1].setRelated("passport", passports[1])
    try context.save()
    let other = ModelContext(store)
    let there = try people.map { try other.same($0) }
    try there[0].setRelated("partner", there[2])
    try there[0].setRelated("passport", other.same(passports[1]))
    func check(_ people: [ManagedObject]) throws {
      #expect(try people.map { try $0.related("partner")?.named } == ["c", nil, "a", nil])
      #expect(try people.map { try $0.related("passport")?.named } == ["y", nil, nil, nil])
    }
    try check(there)
    try other.save()
    let fresh = ModelContext(store)
    try check(people.map { try fresh.same($0) })
    #expect(try fresh.same(passports[0]).related("holder") == nil)
  }

  @Test func `a fault that was met as its base is what its row says`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let (person, box) = (try context.add("Person", "p"), try context.add("Box", "b"))
    let gadget = try context.add("Gadget", "g")
    try gadget.setValue("power", .integer(5))
    try gadget.setRelated("box", box)
    try context.save()
    let identity = ObjectIdentity(
      store: store.identifier, entity: "Item", key: try #require(gadget.identity).key)
    for use in 0..<4 {
      let other = ModelContext(store)
      let fault = try #require(other.object(identity))
      switch use {
      case 0: #expect(fault.entity == "Gadget")
      case 1: #expect(try fault.value("power") == .integer(5))
      case 2:
        let person2 = try other.same(person)
        try person2.addRelated("gadgets", fault)
        #expect(try person2.names("gadgets") == ["g"])
      default: #expect(fault.identity == gadget.identity)
      }
    }
  }

  @Test func `what another context saves leaves lists with changes of their own as they are`()
    throws
  {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let box = try context.add("Box", "b")
    let items = try (0..<3).map { try context.add("Item", "i\($0)") }
    let person = try context.add("Person", "p")
    try box.setRelated("things", items)
    try person.setRelated("favourites", items)
    try context.save()
    let other = ModelContext(store)
    let (box2, person2) = (try other.same(box), try other.same(person))
    let there = try items.map { try other.same($0) }
    let new = try other.add("Item", "new")
    try box2.setRelated("things", [new, there[2], there[0]])
    try person2.setRelated("favourites", [there[1], new, there[0]])
    // The ends themselves are changed, and so read again.
    try box.rename("b2")
    try person.rename("p2")
    try context.save()
    other.receiveChanges()
    #expect(box2.isFault)
    #expect(try box2.names("things") == ["new", "i2", "i0"])
    #expect(try person2.names("favourites") == ["i1", "new", "i0"])
    #expect(box2.named == "b2")
    try other.save()
    let fresh = ModelContext(store)
    #expect(try fresh.same(box).names("things") == ["new", "i2", "i0"])
    #expect(try fresh.same(person).names("favourites") == ["i1", "new", "i0"])
    #expect(try fresh.same(new).names("fans") == ["p2"])
  }

  @Test func `a pair is not kept when one of its objects is deleted, whatever the rule`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let person = try context.add("Person", "p")
    let item = try context.add("Item", "i")
    try person.addRelated("watched", item)
    try context.save()
    let other = ModelContext(store)
    let there = try other.same(person)
    #expect(try there.relatedObjects("watched").count == 1)
    try context.delete(item)
    #expect(try person.names("watched") == [])
    #expect(person.relatedCount(try #require(person.layout.slot("watched"))) == 0)
    try context.save()
    #expect(try store.rows("SELECT * FROM Person_watched") == [])
    #expect(try person.names("watched") == [])
    other.receiveChanges()
    #expect(try there.names("watched") == [])
    // What remains has changed, as history says.
    let changes = try store.rows("SELECT kind, entity FROM contrail_change ORDER BY number")
    let number = try #require(store.layout.entity("Person")).number
    #expect(changes.last == [.integer(2), .integer(Int64(number))])
  }

  @Test func `objects of different contexts are not related, and the reason is noted`() throws {
    let store = try Zoo.store()
    let (one, two) = (ModelContext(store), ModelContext(store))
    let (item, person) = (try one.add("Item", "i"), try two.add("Person", "p"))
    #expect(throws: StoreError.self) { try item.setRelated("owner", person) }
    item.setRelatedObject(try #require(item.layout.slot("owner")), person)
    #expect(try item.related("owner") == nil)
    #expect(one.takeProblems().map(\.code) == [.otherContext])
  }

  @Test func `nothing is related to what is deleted`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let (item, person) = (try context.add("Item", "i"), try context.add("Person", "p"))
    try context.save()
    try context.delete(person)
    #expect(throws: StoreError.self) { try item.setRelated("owner", person) }
    #expect(throws: StoreError.self) { try person.addRelated("items", item) }
    try context.save()
    #expect(try store.rows("SELECT owner FROM Item") == [[.null]])
  }

  @Test func `who is deleted there is not related here by what was not saved yet`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let (item, person) = (try context.add("Item", "i"), try context.add("Person", "p"))
    let tag = try context.add("Tag", "t")
    try context.save()
    let other = ModelContext(store)
    let there = try other.same(item)
    try there.setRelated("owner", other.same(person))
    try there.addRelated("tags", other.same(tag))
    try context.delete(person)
    try context.delete(tag)
    try context.save()
    try other.save()
    #expect(try there.related("owner") == nil)
    #expect(try there.names("tags") == [])
    #expect(try store.rows("SELECT owner FROM Item") == [[.null]])
    #expect(try store.rows("SELECT * FROM Item_tags") == [])
  }
}
