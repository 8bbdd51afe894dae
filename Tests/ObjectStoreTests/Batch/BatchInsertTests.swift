import DataModel
import Foundation
import PredicateSQL
import Testing

@testable import ObjectStore

@Suite struct BatchInsertTests {
  @Test func `rows become objects with defaults, and one run in history`() throws {
    let store = try BatchSamples.store()
    let result = try store.insertBatch(
      "Member", rows: [["name": .string("Ann")], ["age": .integer(30)], [:]], author: "import",
      result: .identities)
    #expect(result.count == 3)
    #expect(result.identities == (1...3).map { store.identity("Member", $0) })
    #expect(
      try store.wholeState() == [
        "Member 1 v1 Member active=1 age=18 name=\"Ann\"",
        "Member 2 v1 Member active=1 age=30",
        "Member 3 v1 Member active=1 age=18",
      ])
    #expect(try store.wholeHistory() == ["1 insert Member 1+3"])
  }

  @Test func `the handler form fills slots and names`() throws {
    let store = try BatchSamples.store()
    let layout = try #require(store.layout.entity("Member"))
    let (age, weight) = (try #require(layout.slot("age")), try #require(layout.slot("weight")))
    var left = 2
    let result = try store.insertBatch("Member", result: .count) { row in
      left -= 1
      guard left >= 0 else { return false }
      row.set(age, Int64(40 + left))
      row.set(weight, Double.nan)
      row.set("fee", .decimal(Decimal(string: "1.50")!))
      row.set("token", .uuid(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2))))
      return true
    }
    #expect(result.count == 2 && result.identities == nil)
    let rows = try ModelContext(store).fetchDictionaries(
      DictionaryRequest(
        "Member", [.property("age"), .property("weight"), .property("fee"), .property("active")]))
    #expect(
      rows
        == [41, 40].map {
          [
            "age": .integer($0), "weight": .double(.nan), "fee": .decimal(Decimal(string: "1.5")!),
            "active": .boolean(true),
          ]
        })
  }

  @Test func `all rows that fail are named, and nothing is written`() throws {
    let store = try BatchSamples.store()
    let error = storeError {
      try store.insertBatch(
        "Member",
        rows: [
          ["age": .integer(20)], ["age": .integer(200)], ["nome": .string("x")],
          ["age": .string("x")], ["club": .objectID(store.identity("Club", 9))], ["age": .null],
          ["groups": .null],
        ])
    }
    #expect(error?.code == .validation)
    #expect(
      error?.failures.map { "\($0.subject) \($0.code.rawValue)" } == [
        "Member.age, row 2 outOfRange", "Member.nome, row 3 unknownProperty",
        "Member.age, row 4 wrongType", "Member.club, row 5 missingObject",
        "Member.age, row 6 missingValue", "Member.groups, row 7 wrongCardinality",
      ])
    #expect(try store.wholeState().isEmpty)
    #expect(try store.wholeHistory().isEmpty)
  }

  @Test func `the search for failures ends at the limit`() throws {
    let store = try BatchSamples.store()
    var asked = 0
    let error = storeError {
      try store.insertBatch("Member") { row in
        asked += 1
        row.set("age", .integer(-1))
        return asked < 1000
      }
    }
    #expect(error?.failures.count == BatchLimits.failuresMax)
    #expect(asked == BatchLimits.failuresMax)
    #expect(try store.wholeState().isEmpty)
  }

  @Test func `wrong slots are failures, not traps`() throws {
    let store = try BatchSamples.store()
    let name = try #require(store.layout.entity("Member")?.slot("name"))
    let error = storeError {
      var isFirst = true
      try store.insertBatch("Member") { row in
        guard isFirst else { return false }
        isFirst = false
        row.set(name, 5 as Int64)
        row.set(-1, "x")
        row.set(999, 1.0)
        row.clear(999)
        return true
      }
    }
    #expect(
      error?.failures.map(\.code) == [
        .wrongType, .unknownProperty, .unknownProperty, .unknownProperty,
      ])
  }

  @Test func `to-one relationships are set by identity, on both sides`() throws {
    let store = try BatchSamples.store(BatchSamples.schema(isOrdered: true))
    try store.insertBatch("Club", rows: [["name": .string("A")]])
    try store.insertBatch("Card", rows: [["number": .integer(1)], ["number": .integer(2)]])
    let club = FieldValue.objectID(store.identity("Club", 1))
    try store.insertBatch(
      "Member",
      rows: [
        ["club": club, "card": .objectID(store.identity("Card", 1))], ["club": club],
        // Takes the card away from the first.
        ["card": .objectID(store.identity("Card", 1))],
      ])
    #expect(
      try store.wholeState() == [
        "Card 1 v3 number=1 member=3", "Card 2 v1 number=2",
        "Club 1 v1 name=\"A\"",
        "Member 1 v1 Member active=1 age=18 club=1 club_order=1024",
        "Member 2 v1 Member active=1 age=18 club=1 club_order=2048",
        "Member 3 v1 Member active=1 age=18",
      ])
    #expect(
      try store.wholeHistory() == [
        "1 insert Club 1+1", "2 insert Card 1+2", "3 insert Member 1+3",
        "3 update Card 1 [member]",
      ])
    let context = ModelContext(store)
    let found = try #require(try context.fetch(FetchRequest("Club")).first)
    #expect(try found.relatedObjects("members").map(\.key) == [1, 2])
    try store.checkHistory()
  }

  @Test func `partners are partners of one another, before and after an upsert`() throws {
    let store = try BatchSamples.store(
      Schema(
        name: "Dance",
        entities: [
          Schema.Entity(
            name: "Dancer", attributes: [Schema.Attribute(name: "name", type: .string)],
            relationships: [
              Schema.Relationship(name: "partner", destination: "Dancer", inverse: "partner")
            ], uniquenessConstraints: [["name"]])
        ]))
    func dancer(_ key: Int64) -> FieldValue { .objectID(store.identity("Dancer", key)) }
    try store.insertBatch("Dancer", rows: [["name": .string("A")]])
    try store.insertBatch("Dancer", rows: [["name": .string("B"), "partner": dancer(1)]])
    try store.insertBatch("Dancer", rows: [["name": .string("C")]])
    #expect(
      try store.wholeState() == [
        "Dancer 1 v2 name=\"A\" partner=2", "Dancer 2 v1 name=\"B\" partner=1",
        "Dancer 3 v1 name=\"C\"",
      ])
    try store.insertBatch("Dancer", rows: [["name": .string("A"), "partner": dancer(3)]])
    #expect(
      try store.wholeState() == [
        "Dancer 1 v3 name=\"A\" partner=3", "Dancer 2 v2 name=\"B\"",
        "Dancer 3 v2 name=\"C\" partner=1",
      ])
    #expect(
      try store.wholeHistory().suffix(3) == [
        "4 update Dancer 1 [partner]", "4 update Dancer 2 [partner]",
        "4 update Dancer 3 [partner]",
      ])
    try store.deleteBatch("Dancer", where: compare("name", .equal, .string("C")))
    #expect(
      try store.wholeState() == ["Dancer 1 v4 name=\"A\"", "Dancer 2 v2 name=\"B\""])
  }

  @Test func `a relationship takes no more objects than it may have`() throws {
    let store = try BatchSamples.store(BatchSamples.schema(maximum: 1))
    try store.insertBatch("Club", rows: [[:]])
    let before = try store.wholeState()
    let club = FieldValue.objectID(store.identity("Club", 1))
    let error = storeError {
      try store.insertBatch("Member", rows: [["club": club], ["club": club]])
    }
    #expect(error?.code == .tooMany)
    #expect(try store.wholeState() == before)
  }

  @Test func `an upsert keeps identity and what the row does not set`() throws {
    let store = try BatchSamples.store()
    try store.insertBatch(
      "Member",
      rows: [
        ["code": .string("a"), "name": .string("Ann"), "age": .integer(30)],
        ["code": .string("b"), "name": .string("Bob")],
      ])
    let result = try store.insertBatch(
      "Member",
      rows: [
        ["code": .string("c"), "name": .string("Cy"), "age": .integer(5)],
        ["code": .string("a"), "name": .string("Anna")],
        ["code": .string("b"), "name": .string("Bob")],
        ["code": .string("c"), "name": .string("Cyd")],
        ["code": .string("a"), "age": .integer(31)],
      ], result: .identities)
    #expect(result.identities?.map(\.key) == [3, 1, 2])
    #expect(
      try store.wholeState() == [
        "Member 1 v3 Member active=1 age=31 code=\"a\" name=\"Anna\"",
        "Member 2 v1 Member active=1 age=18 code=\"b\" name=\"Bob\"",
        "Member 3 v2 Member active=1 age=5 code=\"c\" name=\"Cyd\"",
      ])
    #expect(
      try store.wholeHistory() == [
        "1 insert Member 1+2", "2 insert Member 3+1", "2 update Member 1 [name, age]",
      ])
  }

  @Test func `strict uniqueness is a failure, against the store and within the batch`() throws {
    let store = try BatchSamples.store()
    try store.insertBatch("Guest", rows: [["code": .string("a")]])
    let before = try store.wholeState()
    let rows: [[String: FieldValue]] = [
      ["code": .string("b")], ["code": .string("a")], ["code": .string("b")], [:],
    ]
    let error = storeError { try store.insertBatch("Member", rows: rows, unique: .strict) }
    #expect(
      error?.failures.map { "\($0.subject) \($0.code.rawValue)" } == [
        "Member, row 2 notUnique", "Member, row 3 notUnique",
      ])
    #expect(try store.wholeState() == before)
    // As an upsert the guest, who is a member too, is updated.
    let result = try store.insertBatch("Member", rows: rows, result: .identities)
    #expect(
      result.identities == [
        store.identity("Member", 2), store.identity("Member", 3), store.identity("Guest", 1),
      ])
    // But a member is no guest.
    let other = storeError { try store.insertBatch("Guest", rows: [["code": .string("b")]]) }
    #expect(other?.code == .notUnique)
  }

  @Test func `a handler that throws changes nothing`() throws {
    struct Stop: Error {}
    let store = try BatchSamples.store()
    #expect(throws: Stop.self) {
      var count = 0
      try store.insertBatch("Member") { _ in
        count += 1
        if count == 5 { throw Stop() }
        return true
      }
    }
    #expect(try store.wholeState().isEmpty)
    try store.insertBatch("Member", rows: [[:]])
    #expect(try store.wholeHistory() == ["1 insert Member 1+1"])
  }

  @Test func `an abstract or unknown entity is an error`() throws {
    let store = try BatchSamples.store()
    #expect(
      storeError { try store.insertBatch("Nobody", rows: [[:]]) }?.code == .unknownEntity)
  }
}
