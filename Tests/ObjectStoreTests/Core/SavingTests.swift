import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct SavingTests {
  @Test func `after a save an object is found by its identity, and is the same object`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let item = try context.add("Item", "i")
    #expect(item.identity == nil)
    let key = item.key
    #expect(key < 0)
    try context.save()
    let identity = try #require(item.identity)
    #expect(context.object(identity) === item)
    #expect(try context.fetchAll("Item").first === item)
    let layout = try #require(store.layout.entity("Item"))
    #expect(context.registered(key, layout) == nil)
    for key in [0, -1, Int64.min] as [Int64] {
      #expect(
        context.object(ObjectIdentity(store: store.identifier, entity: "Item", key: key)) == nil)
    }
  }

  @Test func `objects that nobody holds go, but not those with changes`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    for number in 0..<10 { _ = try context.add("Item", "i\(number)") }
    try context.save()
    let layout = try #require(store.layout.entity("Item"))
    #expect(context.identities[layout.root].count == 0)
    try context.fetchAll("Item")[3].rename("changed")
    #expect(context.identities[layout.root].count == 1)
    #expect(try context.fetchAll("Item")[3].named == "changed")
    try context.save()
    #expect(context.identities[layout.root].count == 0)
  }

  @Test func `objects that refer to one another go after a rollback too`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    weak var gone: ManagedObject?
    func work() throws {
      let (item, person) = (try context.add("Item", "i"), try context.add("Person", "p"))
      try item.setRelated("owner", person)
      try person.addRelated("favourites", item)
      try person.setRelated("partner", person)
      gone = item
    }
    try work()
    #expect(gone != nil)
    context.rollback()
    #expect(gone == nil)
    try work()
    try context.save()
    #expect(gone == nil)
    var other: ModelContext? = ModelContext(store)
    let item = try #require(other).add("Item", "i")
    try item.setRelated("owner", #require(other).add("Person", "p"))
    other = nil
    // Without its context an object is what it last was, and refers to nothing.
    #expect(item.named == "i")
    #expect(try item.related("owner") == nil)
    #expect(throws: StoreError.self) { try context.insert(item) }
  }

  @Test func `an object that is revived is saved once, with what was changed`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let item = try context.add("Item", "i")
    let person = try context.add("Person", "p")
    try item.setRelated("owner", person)
    try context.save()
    try item.rename("j")
    for _ in 0..<3 {
      try context.delete(item)
      #expect(context.deletedObjects.map(\.named) == ["j"])
      #expect(try context.fetchAll("Item").isEmpty)
      try item.setValue("number", .integer(7))
      try context.insert(item)
      #expect(context.updatedObjects.map(\.named) == ["j"])
      #expect(context.deletedObjects.isEmpty)
    }
    try context.save()
    #expect(
      try store.rows("SELECT name, number, owner, _version FROM Item")
        == [[.string("j"), .integer(7), .null, .integer(2)]])
    // One that was not changed is not saved at all.
    try context.delete(person)
    try context.insert(person)
    #expect(!context.hasChanges)
  }

  @Test func `a new object that is deleted or rolled back can be inserted again`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let item = try context.add("Item", "i")
    try context.delete(item)
    try context.delete(item)
    #expect(!context.hasChanges)
    try context.insert(item)
    #expect(context.insertedObjects.count == 1)
    context.rollback()
    #expect(item.isDeleted)
    try context.insert(item)
    try context.save()
    #expect(try store.rows("SELECT name FROM Item") == [[.string("i")]])
    try context.delete(item)
    try context.save()
    // What is deleted in the store becomes a new object under a new key: keys are never reused.
    let old = item.key
    try context.insert(item)
    try context.save()
    #expect(item.key > old)
    #expect(try store.rows("SELECT name FROM Item") == [[.string("i")]])
  }

  @Test func `after a rollback objects are what the store has by now`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let (a, b) = (try context.add("Item", "a"), try context.add("Item", "b"))
    let c = try context.add("Item", "c")
    try context.save()
    let other = ModelContext(store)
    let there = try [a, b, c].map { try other.same($0) }
    try there[0].rename("mine")
    try there[1].rename("mine")
    try other.delete(there[2])
    try a.rename("theirs")
    try context.delete(b)
    try c.rename("theirs")
    try context.save()
    other.receiveChanges()
    #expect(there[0].named == "mine")
    other.rollback()
    #expect(there[0].named == "theirs")
    #expect(there[1].isDeleted)
    #expect(there[2].named == "theirs" && !there[2].isDeleted)
    // So also where a save has nothing to write.
    try there[0].setValue("number", .integer(0))
    try a.rename("again")
    try context.save()
    try other.save()
    #expect(there[0].named == "again")
  }

  enum There: CaseIterable, Sendable { case nothing, other, same, deleted }

  /// What the store's row, name and number, is after `mine` was saved here, and what was shown.
  static let table: [(MergePolicy, There, String)] = [
    (.error, .nothing, "mine 0"), (.error, .other, "conflict a 5"),
    (.error, .same, "conflict theirs 0"), (.error, .deleted, "conflict -"),
    (.mergeByPropertyStoreTrump, .nothing, "mine 0"),
    (.mergeByPropertyStoreTrump, .other, "mine 5"),
    (.mergeByPropertyStoreTrump, .same, "theirs 0"), (.mergeByPropertyStoreTrump, .deleted, "-"),
    (.mergeByPropertyObjectTrump, .nothing, "mine 0"),
    (.mergeByPropertyObjectTrump, .other, "mine 5"),
    (.mergeByPropertyObjectTrump, .same, "mine 0"),
    (.mergeByPropertyObjectTrump, .deleted, "mine 0"),
    (.overwrite, .nothing, "mine 0"), (.overwrite, .other, "mine 0"),
    (.overwrite, .same, "mine 0"), (.overwrite, .deleted, "mine 0"),
    (.rollback, .nothing, "mine 0"), (.rollback, .other, "a 5"), (.rollback, .same, "theirs 0"),
    (.rollback, .deleted, "-"),
  ]

  @Test func `merge policies do what their table says`() throws {
    for (policy, there, wanted) in Self.table {
      let store = try Zoo.store()
      let context = ModelContext(store)
      let item = try context.add("Item", "a")
      try context.save()
      try item.rename("mine")
      let other = ModelContext(store)
      let twin = try other.same(item)
      switch there {
      case .nothing: break
      case .other: try twin.setValue("number", .integer(5))
      case .same: try twin.rename("theirs")
      case .deleted: try other.delete(twin)
      }
      try other.save()
      context.mergePolicy = policy
      var words: [String] = []
      do { try context.save() } catch let error as StoreError {
        #expect(error.code == .conflict)
        words.append("conflict")
        #expect(item.named == "mine" && context.hasChanges)
      }
      let rows = try store.rows("SELECT name, number FROM Item")
      func shown(_ row: [FieldValue]) -> String {
        row.map { if case .string(let text) = $0 { text } else { $0.shown } }.joined(separator: " ")
      }
      let state = rows.first.map(shown) ?? "-"
      #expect((words + [state]).joined(separator: " ") == wanted, "\(policy) \(there)")
      if words.isEmpty {
        let here = item.isDeleted ? "-" : "\(item.named) \(try item.value("number").shown)"
        #expect(here == state, "\(policy) \(there)")
        #expect(!context.hasChanges)
      } else {
        // A second save, after the quarrel is settled.
        context.mergePolicy = .overwrite
        try context.save()
        #expect(try store.rows("SELECT name FROM Item") == [[.string("mine")]])
      }
      other.receiveChanges()
      let found = try other.fetchAll("Item").map(\.named)
      let fresh = try ModelContext(store).fetchAll("Item").map(\.named)
      #expect(found == fresh, "\(policy) \(there)")
      #expect(try store.replayedKeys() == store.storedKeys(), "\(policy) \(there)")
    }
  }

  @Test func `a deletion of what was changed there is a conflict, or is dropped, or done`() throws {
    for (policy, wanted) in [
      (MergePolicy.error, 1), (.rollback, 1), (.overwrite, 0), (.mergeByPropertyStoreTrump, 0),
      (.mergeByPropertyObjectTrump, 0),
    ] {
      let store = try Zoo.store()
      let context = ModelContext(store)
      let item = try context.add("Item", "a")
      try context.save()
      let other = ModelContext(store)
      other.mergePolicy = policy
      let twin = try other.same(item)
      try other.delete(twin)
      try item.rename("b")
      try context.save()
      if policy == .error {
        #expect(throws: StoreError.self) { try other.save() }
      } else {
        try other.save()
      }
      #expect(try store.rows("SELECT * FROM Item").count == wanted)
      if policy == .rollback { #expect(twin.named == "b" && !twin.isDeleted) }
    }
  }

  @Test func `a save that fails leaves everything as it was, and the next one succeeds`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    context.uniquePolicy = .strict
    let taken = try context.add("Passport", "x")
    try context.save()
    let (person, passport) = (try context.add("Person", "p"), try context.add("Passport", "x"))
    let items = try (0..<3).map { try context.add("Item", "i\($0)") }
    try person.setRelated("passport", passport)
    try person.setRelated("items", items)
    try person.setRelated("favourites", [items[2], items[0]])
    let keys = ([person, passport] + items).map(\.key)
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .notUnique)
      #expect(([person, passport] + items).map(\.key) == keys)
      #expect(person.identity == nil)
      #expect(try person.names("favourites") == ["i2", "i0"])
      #expect(try person.names("items") == ["i0", "i1", "i2"])
      #expect(try items[0].related("owner") === person)
      #expect(try context.fetchAll("Item").count == 3)
      #expect(try ModelContext(store).fetchAll("Person").isEmpty)
    }
    try taken.rename("y")
    try context.save()
    let late = ModelContext(store)
    let fresh = try late.same(person)
    #expect(try fresh.names("favourites") == ["i2", "i0"])
    #expect(try fresh.names("items") == ["i0", "i1", "i2"])
    #expect(try fresh.related("passport")?.named == "x")
  }

  @Test func `a new object that has what is unique takes the place of the old one`() throws {
    let store = try Zoo.store()
    var context: ModelContext? = ModelContext(store)
    let old = try #require(context).add("Passport", "x")
    let person = try #require(context).add("Person", "p")
    try person.setRelated("passport", old)
    try #require(context).save()
    let identity = try #require(old.identity)
    try person.setRelated("passport", nil)
    let new = try #require(context).add("Passport", "x")
    try #require(context).save()
    #expect(new.identity == identity)
    #expect(context?.object(identity) === new)
    #expect(old.isDeleted)
    #expect(
      try #require(context).fetchAll("Passport").map(ObjectIdentifier.init) == [
        ObjectIdentifier(new)
      ])
    try new.rename("z")
    try #require(context).save()
    #expect(try store.rows("SELECT code FROM Passport") == [[.string("z")]])
    context = nil
    // It is not left with the address of a context that is gone.
    #expect(old.modelContext == nil)
    #expect(old.identity == identity)
  }

  @Test
  func `what is unique may be deleted and made anew, swapped, and inserted twice in one save`()
    throws
  {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let (a, b) = (try context.add("Passport", "a"), try context.add("Passport", "b"))
    try context.save()
    // Deleted and made anew.
    try context.delete(a)
    let newA = try context.add("Passport", "a")
    try context.save()
    #expect(newA.key != a.key)
    #expect(
      try store.rows("SELECT code FROM Passport ORDER BY 1") == [[.string("a")], [.string("b")]])
    // Swapped, and given up for another.
    try newA.rename("b")
    try b.rename("a")
    try context.save()
    try newA.rename("c")
    let newB = try context.add("Passport", "b")
    try context.save()
    #expect(Set([newA.key, newB.key, b.key]).count == 3)
    #expect(
      try store.rows("SELECT code FROM Passport ORDER BY 1")
        == [[.string("a")], [.string("b")], [.string("c")]])
    // Twice in one save: the last one counts.
    let first = try context.add("Passport", "d")
    let person = try context.add("Person", "p")
    try person.setRelated("passport", first)
    let second = try context.add("Passport", "d")
    try context.save()
    #expect(first.isDeleted && !second.isDeleted)
    #expect(try store.rows("SELECT code FROM Passport WHERE code = 'd'").count == 1)
    #expect(try store.replayedKeys() == store.storedKeys())
  }

  @Test func `keys are not given twice`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    var seen: Set<Int64> = []
    for _ in 0..<5 {
      let objects = try (0..<3).map { try context.add("Tag", "t\($0)") }
      try context.save()
      for object in objects { #expect(seen.insert(object.key).inserted) }
      try context.delete(objects[2])
      try context.delete(objects[1])
      try context.save()
    }
  }

  @Test func `cycles of deletions end`() throws {
    let schema = Schema(
      name: "Ring",
      entities: [
        Schema.Entity(
          name: "Node",
          relationships: [
            Schema.Relationship(
              name: "next", destination: "Node", inverse: "previous", deleteRule: .cascade),
            Schema.Relationship(
              name: "previous", destination: "Node", inverse: "next", deleteRule: .cascade),
          ])
      ])
    let store = try Store(at: .memory, schema: schema)
    let context = ModelContext(store)
    let nodes = try (0..<2000).map { _ in try context.insert("Node") }
    for (index, node) in nodes.enumerated() {
      try node.setRelated("next", nodes[(index + 1) % nodes.count])
    }
    try context.save()
    try context.delete(nodes[5])
    try context.save()
    #expect(try store.rows("SELECT * FROM Node") == [])
    #expect(try store.replayedKeys() == store.storedKeys())
  }

  @Test func `a count that a change of other objects breaks is found by validation`() throws {
    let schema = Schema(
      name: "Counts",
      entities: [
        Schema.Entity(
          name: "Team",
          relationships: [
            Schema.Relationship(
              name: "members", destination: "Member", inverse: "team", isToMany: true,
              isOptional: false, minimumCount: 1, maximumCount: 2)
          ]),
        Schema.Entity(
          name: "Member",
          attributes: [
            Schema.Attribute(name: "age", type: .integer16),
            Schema.Attribute(
              name: "code", type: .string,
              validation: Schema.Attribute.Validation(maximum: "3", pattern: "[a-z]+")),
          ],
          relationships: [
            Schema.Relationship(name: "team", destination: "Team", inverse: "members")
          ]
        ),
      ])
    let store = try Store(at: .memory, schema: schema)
    let context = ModelContext(store)
    let team = try context.insert("Team")
    let member = try context.insert("Member")
    try member.setRelated("team", team)
    try member.setValue("age", .integer(40000))
    try member.setValue("code", .string("ABCD"))
    var error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.failures.map(\.code) == [.outOfRange, .wrongLength, .noMatch])
    try member.setValue("age", .integer(-32768))
    try member.setValue("code", .string("abc"))
    try context.save()
    try member.setRelated("team", nil)
    error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .tooFew)
    context.rollback()
    for _ in 0..<2 {
      let more = try context.insert("Member")
      try more.setValue("age", .integer(1))
      try more.setValue("code", .string("a"))
      try more.setRelated("team", team)
    }
    error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .tooMany)
  }

  @Test func `what is unique in a base is not taken over by an object of another entity`() throws {
    let schema = Schema(
      name: "Kinds",
      entities: [
        Schema.Entity(
          name: "Base", isAbstract: true,
          attributes: [Schema.Attribute(name: "code", type: .string, isOptional: true)],
          uniquenessConstraints: [["code"]]),
        Schema.Entity(name: "Left", parent: "Base"), Schema.Entity(name: "Right", parent: "Base"),
      ])
    let store = try Store(at: .memory, schema: schema)
    let context = ModelContext(store)
    try context.insert("Left").setValue("code", .string("x"))
    try context.save()
    let right = try context.insert("Right")
    try right.setValue("code", .string("x"))
    #expect(throws: StoreError.self) { try context.save() }
    let left = try context.insert("Left")
    try left.setValue("code", .string("x"))
    try context.delete(right)
    try context.save()
    #expect(try store.rows("SELECT code, _version FROM Base") == [[.string("x"), .integer(2)]])
    #expect(throws: StoreError.self) { try context.insert("Base") }
  }

  @Test func `within one reading everything is of one moment, and later it is not`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store(at: .file(folder.appending(path: "a").path), schema: Zoo.schema)
    let context = ModelContext(store)
    let (a, b) = (try context.add("Item", "a"), try context.add("Item", "b"))
    try context.save()
    let other = ModelContext(store)
    let there = try [a, b].map { try other.same($0) }
    try other.reading {
      #expect(there[0].named == "a")
      try a.rename("a2")
      try context.delete(b)
      try context.save()
      #expect(try other.fetchAll("Item").map(\.named) == ["a", "b"])
    }
    #expect(try other.fetchAll("Item").map(\.named) == ["a2"])
    #expect(there[0].named == "a2" && there[1].isDeleted)
  }

  @Test func `a detached object that was never inserted is what was set`() throws {
    let item = ManagedObject(new: EntityLayout.detached("Item", of: Zoo.schema))
    try item.setValue("ratio", .double(.nan))
    let people = try (0..<3).map { number in
      let person = ManagedObject(new: EntityLayout.detached("Person", of: Zoo.schema))
      try person.rename("p\(number)")
      return person
    }
    try item.setRelated("owner", people[0])
    try item.setRelated("owner", people[1])
    try item.setRelated("fans", [people[2], people[0]])
    try people[1].setRelated("partner", people[2])
    try people[0].setRelated("partner", people[2])
    #expect(try people[0].relatedObjects("items").isEmpty)
    #expect(try people[1].relatedObjects("items").first === item)
    #expect(try people[1].related("partner") == nil)
    let context = ModelContext(try Zoo.store())
    try context.insert(people[2])
    try context.save()
    #expect(try context.store.names("fans", of: item) == ["p2", "p0"])
    #expect(try context.store.rows("SELECT count(*) FROM Person") == [[.integer(3)]])
  }
}
