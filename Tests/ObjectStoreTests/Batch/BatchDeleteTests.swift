import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct BatchDeleteTests {
  /// Club A (1) with Ann (1), who has card 1 and teaches Bob (2) and Di (3, a guest); both Ann and Bob are
  /// in group 1.
  private func filled(_ schema: Schema = BatchSamples.schema()) throws -> Store {
    let store = try BatchSamples.store(schema)
    let context = ModelContext(store)
    let club = try context.insert("Club")
    try club.setValue("name", .string("A"))
    let group = try context.insert("Group")
    let ann = try context.insert("Member")
    try ann.setValue("name", .string("Ann"))
    let bob = try context.insert("Member")
    try bob.setValue("name", .string("Bob"))
    let guest = try context.insert("Guest")
    try guest.setValue("name", .string("Di"))
    let card = try context.insert("Card")
    try ann.setRelated("card", card)
    try ann.setRelated("club", club)
    try bob.setRelated("club", club)
    try bob.setRelated("mentor", ann)
    try guest.setRelated("mentor", ann)
    try group.addRelated("members", ann)
    try group.addRelated("members", bob)
    try context.save()
    return store
  }

  private func named(_ name: String) -> QueryExpression { compare("name", .equal, .string(name)) }

  @Test func `nullify takes the object out of all others, each an update`() throws {
    let store = try filled()
    let result = try store.deleteBatch("Member", where: named("Ann"), result: .identities)
    #expect(result.identities == [store.identity("Member", 1)])
    #expect(
      try store.wholeState() == [
        "Card 1 v2", "Club 1 v1 name=\"A\"", "Group 1 v1",
        "Member 2 v2 Member active=1 age=18 name=\"Bob\" club=1",
        "Member 3 v2 Guest active=1 age=18 name=\"Di\"", "Group_members source=1 target=2",
      ])
    #expect(
      try store.wholeHistory().filter { $0.hasPrefix("2 ") } == [
        "2 delete Member 1", "2 update Card 1 [member]", "2 update Group 1 [members]",
        "2 update Member 2 [mentor]", "2 update Guest 3 [mentor]",
      ])
    try store.checkHistory()
    // The key is never given again, though it was the only one behind.
    try store.deleteBatch("Member")
    let next = try store.insertBatch("Member", rows: [[:]], result: .identities)
    #expect(next.identities?.map(\.key) == [4])
  }

  @Test func `a tombstone keeps what is to be preserved`() throws {
    let store = try filled()
    try store.deleteBatch("Member", where: named("Di"))
    let slot = try #require(store.layout.entity("Member")?.slot("name"))
    let number = try #require(store.layout.entity("Member")).slots[slot].number
    let tombstones = try store.read { connection in
      let statement = try connection.prepare(
        "SELECT tombstone FROM contrail_change WHERE kind = 3")
      var all: [[Int: FieldValue]] = []
      while try statement.step() { all.append(Tombstone.values(statement.bytes(0))) }
      return all
    }
    #expect(tombstones == [[number: .string("Di")]])
  }

  @Test func `cascade deletes what is reached, and pairs with it`() throws {
    let store = try filled()
    let result = try store.deleteBatch("Club", result: .identities)
    #expect(
      Set(result.identities ?? []) == [
        store.identity("Club", 1), store.identity("Member", 1), store.identity("Member", 2),
      ])
    #expect(
      try store.wholeState() == [
        "Card 1 v2", "Group 1 v1", "Member 3 v2 Guest active=1 age=18 name=\"Di\"",
      ])
    try store.checkHistory()
  }

  @Test func `places in an order go with what they were places in`() throws {
    let store = try BatchSamples.store(BatchSamples.schema(members: .nullify, isOrdered: true))
    try store.insertBatch("Club", rows: [[:]])
    try store.insertBatch("Member", rows: [["club": .objectID(store.identity("Club", 1))]])
    #expect(
      try store.wholeState() == [
        "Club 1 v1", "Member 1 v1 Member active=1 age=18 club=1 club_order=1024",
      ])
    try store.deleteBatch("Club")
    #expect(try store.wholeState() == ["Member 1 v2 Member active=1 age=18"])
    #expect(
      try store.wholeHistory().suffix(2) == ["3 delete Club 1", "3 update Member 1 [club]"])
  }

  @Test func `cascades follow circles to their end`() throws {
    let schema = Schema(
      name: "Ring",
      entities: [
        Schema.Entity(
          name: "Node",
          attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
          relationships: [
            Schema.Relationship(
              name: "next", destination: "Node", inverse: "previous", deleteRule: .cascade),
            Schema.Relationship(
              name: "previous", destination: "Node", inverse: "next", deleteRule: .nullify),
          ])
      ])
    let store = try BatchSamples.store(schema)
    let context = ModelContext(store)
    let nodes = try (0..<5).map { _ in try context.insert("Node") }
    for index in 0..<4 { try nodes[index].setRelated("next", nodes[(index + 1) % 4]) }
    try nodes[0].setValue("name", .string("start"))
    try context.save()
    let result = try store.deleteBatch("Node", where: named("start"), result: .count)
    #expect(result.count == 4)
    #expect(try store.wholeState() == ["Node 5 v1"])
    try store.checkHistory()
  }

  @Test func `deny refuses, with counts, and nothing is changed`() throws {
    let store = try filled(BatchSamples.schema(members: .deny))
    let (state, history) = (try store.wholeState(), try store.wholeHistory())
    let error = storeError { try store.deleteBatch("Club") }
    #expect(error?.code == .deleteDenied)
    #expect(error?.subject == "Club.members")
    #expect(error?.message.hasPrefix("2 objects keep 1 object from being deleted") == true)
    #expect(try store.wholeState() == state)
    #expect(try store.wholeHistory() == history)
  }

  @Test func `no action leaves the other side as it is`() throws {
    let store = try filled(BatchSamples.schema(members: .noAction))
    try store.deleteBatch("Club")
    #expect(try store.wholeState().filter { $0.contains("club=1") }.count == 2)
    #expect(try store.wholeHistory().last == "2 delete Club 1")
  }

  @Test func `an object that must have one is not left without`() throws {
    let store = try BatchSamples.store(
      BatchSamples.schema(members: .nullify, isClubOptional: false))
    try store.insertBatch("Club", rows: [[:]])
    try store.insertBatch(
      "Member", rows: [["club": .objectID(store.identity("Club", 1))]])
    let state = try store.wholeState()
    let error = storeError { try store.deleteBatch("Club") }
    #expect(error?.code == .missingValue && error?.subject == "Member.club")
    #expect(try store.wholeState() == state)
  }

  @Test func `an object that must have several keeps them`() throws {
    let store = try filled(BatchSamples.schema(minimum: 2))
    let state = try store.wholeState()
    let error = storeError { try store.deleteBatch("Member", where: named("Ann")) }
    #expect(error?.code == .tooFew && error?.subject == "Club.members")
    #expect(try store.wholeState() == state)
    // None at all is allowed, where the relationship is optional.
    try store.deleteBatch("Member", includesSubentities: false)
    try store.checkHistory()
  }

  @Test func `a context that holds the objects sees them go and others change`() throws {
    let store = try filled()
    let context = ModelContext(store)
    let members = try context.fetch(FetchRequest("Member"))
    let group = try #require(try context.fetch(FetchRequest("Group")).first)
    #expect(try group.relatedObjects("members").count == 2)
    #expect(try members[1].related("mentor") === members[0])
    try store.deleteBatch("Member", where: named("Ann"))
    context.receiveChanges()
    #expect(members.map(\.isDeleted) == [true, false, false])
    #expect(try members[1].related("mentor") == nil)
    #expect(try group.relatedObjects("members").map(\.key) == [2])
    #expect(try members[0].value("name") == .string("Ann"))
    #expect(context.takeProblems().isEmpty)
  }

  @Test func `foreign keys are looked up in their indexes`() throws {
    let store = try filled()
    try store.write { transaction in
      try transaction.connection.execute(
        """
        CREATE TABLE \(BatchDeleting.table) (root INTEGER NOT NULL, key INTEGER NOT NULL, \
        entity INTEGER NOT NULL, round INTEGER NOT NULL, PRIMARY KEY (root, key)) WITHOUT ROWID
        """)
      let layout = try #require(store.layout.entity("Club"))
      for end in DoomedEnd.all(store.layout, [layout.number]) {
        let lines = try transaction.connection.queryPlan(
          of: "SELECT x._id FROM \(end.related("d.round = 0"))")
        #expect(
          lines.contains { $0.contains("SEARCH x USING COVERING INDEX Member_club_objects") },
          "\(lines)")
        #expect(!lines.contains { $0.contains("SCAN x") })
      }
    }
  }
}
