import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct BatchUpdateTests {
  private func filled() throws -> Store {
    let store = try BatchSamples.store()
    try store.insertBatch(
      "Member",
      rows: [
        ["name": .string("Ann"), "age": .integer(10), "code": .string("a")],
        ["name": .string("Bob"), "age": .integer(20), "code": .string("b")],
        ["name": .string("Cy"), "age": .integer(30)],
      ])
    try store.insertBatch("Guest", rows: [["name": .string("Di"), "age": .integer(20)]])
    return store
  }

  @Test func `expressions and literals are set, and only what changed is in history`() throws {
    let store = try filled()
    let result = try store.updateBatch(
      "Member", where: compare("age", .greaterOrEqual, .integer(20)),
      set: [
        "age": .conditional(
          compare("name", .equal, .string("Cy")), .property("age"),
          .arithmetic(.add, .property("age"), .literal(.integer(1)))),
        "name": .literal(.string("Di")),
      ], result: .identities)
    #expect(
      result.identities == [
        store.identity("Member", 2), store.identity("Member", 3), store.identity("Guest", 4),
      ])
    #expect(
      try store.wholeState() == [
        "Member 1 v1 Member active=1 age=10 code=\"a\" name=\"Ann\"",
        "Member 2 v2 Member active=1 age=21 code=\"b\" name=\"Di\"",
        "Member 3 v2 Member active=1 age=30 name=\"Di\"",
        "Member 4 v2 Guest active=1 age=21 name=\"Di\"",
      ])
    #expect(
      try store.wholeHistory().suffix(3) == [
        "3 update Member 2 [age, name]", "3 update Member 3 [name]", "3 update Guest 4 [age]",
      ])
    try store.checkHistory()
  }

  @Test func `nothing that is the same is updated`() throws {
    let store = try filled()
    let (state, history) = (try store.wholeState(), try store.wholeHistory())
    let result = try store.updateBatch(
      "Member", set: ["active": .literal(.boolean(true)), "weight": .literal(.null)],
      result: .count)
    #expect(result == BatchResult(.count, count: 0, identities: []))
    #expect(try store.wholeState() == state)
    #expect(try store.wholeHistory() == history)
    try store.updateBatch("Member", set: ["weight": .literal(.double(.nan))])
    #expect(
      try store.updateBatch(
        "Member", set: ["weight": .literal(.double(.nan))], result: .count
      ).count == 0)
  }

  @Test func `without subentities they are left alone`() throws {
    let store = try filled()
    let result = try store.updateBatch(
      "Member", set: ["age": .literal(.integer(1))], includesSubentities: false, result: .count)
    #expect(result.count == 3)
  }

  @Test func `what a value or an expression may not be is refused, all at once`() throws {
    let store = try filled()
    let (state, history) = (try store.wholeState(), try store.wholeHistory())
    let error = storeError {
      try store.updateBatch(
        "Member",
        set: [
          "age": .literal(.integer(200)), "nome": .literal(.null), "club": .literal(.null),
          "name": .property("age"), "weight": .literal(.string("x")),
          "fee": .aggregate(.sum, .property("pupils")),
        ])
    }
    #expect(
      error?.failures.map { "\($0.subject) \($0.code.rawValue)" } == [
        "Member.age outOfRange", "Member.club readOnlyProperty",
        "Member.fee unsupportedPredicate", "Member.name wrongType",
        "Member.nome unknownProperty", "Member.weight wrongType",
      ])
    // What only the rows tell.
    let computed = storeError {
      try store.updateBatch(
        "Member",
        set: ["age": .arithmetic(.subtract, .property("age"), .literal(.integer(15)))])
    }
    #expect(computed?.code == .outOfRange)
    #expect(computed?.subject == "Member.age, object 1")
    let missing = storeError {
      try store.updateBatch("Member", set: ["age": .coalesce(.literal(.null), .literal(.null))])
    }
    #expect(missing != nil)
    #expect(storeError { try store.updateBatch("Member", set: [:]) }?.code == .invalidFetch)
    #expect(try store.wholeState() == state)
    #expect(try store.wholeHistory() == history)
  }

  @Test func `unique values stay unique, but may be moved on`() throws {
    let store = try filled()
    let state = try store.wholeState()
    let error = storeError {
      try store.updateBatch("Member", set: ["code": .literal(.string("z"))])
    }
    #expect(error?.code == .notUnique)
    #expect(try store.wholeState() == state)
    let only = try store.updateBatch(
      "Member", where: compare("name", .equal, .string("Bob")),
      set: ["code": .literal(.string("z"))], result: .count)
    #expect(only.count == 1)
  }

  @Test func `an expression that may fail is reckoned only for what is meant`() throws {
    let store = try filled()
    try store.updateBatch(
      "Member", where: compare("name", .equal, .string("Ann")), set: ["age": .literal(.integer(0))])
    let result = try store.updateBatch(
      "Member", where: compare("age", .notEqual, .integer(0)),
      set: ["age": .arithmetic(.divide, .literal(.integer(100)), .property("age"))],
      result: .count)
    #expect(result.count == 3)
    let error = storeError {
      try store.updateBatch(
        "Member", set: ["age": .arithmetic(.divide, .literal(.integer(100)), .property("age"))])
    }
    #expect(error?.code == .outOfRange)
  }

  @Test func `the condition is served by an index`() throws {
    let store = try filled()
    let plan = try BatchUpdatePlan(
      store, #require(store.layout.entity("Member")),
      compare("joined", .greater, .date(Date(timeIntervalSinceReferenceDate: 5))),
      ["age": .arithmetic(.add, .property("age"), .literal(.integer(1)))],
      includesSubentities: true)
    try store.write { transaction in
      let sql = BatchUpdating(store, transaction, plan).updateSQL
      let lines = try transaction.connection.queryPlan(of: sql.sql)
      #expect(lines.contains { $0.contains("USING INDEX Member_joined_index") }, "\(lines)")
    }
  }

  @Test func `a context that holds the objects sees new values`() throws {
    let store = try filled()
    let context = ModelContext(store)
    let objects = try context.fetch(FetchRequest("Member"))
    let before = try objects.map { try $0.value("age") }
    try store.updateBatch(
      "Member", set: ["age": .arithmetic(.multiply, .property("age"), .literal(.integer(2)))])
    #expect(try objects.map { try $0.value("age") } == before)
    context.receiveChanges()
    #expect(
      try objects.map { try $0.value("age") } == [20, 40, 60, 40].map { FieldValue.integer($0) })
    try objects[0].setValue("age", .integer(7))
    try context.save()
  }
}
