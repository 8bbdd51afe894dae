import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct DictionaryTests {
  private func filled() throws -> Store {
    let store = try BatchSamples.store()
    try store.insertBatch("Club", rows: [["name": .string("A")], ["name": .string("B")]])
    let (a, b) = (
      FieldValue.objectID(store.identity("Club", 1)), FieldValue.objectID(store.identity("Club", 2))
    )
    try store.insertBatch(
      "Member",
      rows: [
        [
          "name": .string("Ann"), "age": .integer(10), "club": a, "weight": .double(50),
          "fee": .decimal(Decimal(sign: .plus, exponent: -1, significand: 1)),
        ],
        [
          "name": .string("Bob"), "age": .integer(20), "club": a, "weight": .double(.nan),
          "fee": .decimal(Decimal(sign: .plus, exponent: -1, significand: 2)),
          "active": .boolean(false),
        ],
        ["name": .string("Cy"), "age": .integer(40), "club": b, "weight": .double(70)],
      ])
    try store.insertBatch(
      "Guest",
      rows: [
        [
          "name": .string("Di"), "age": .integer(60),
          "mentor": .objectID(store.identity("Member", 1)),
          "joined": .date(Date(timeIntervalSinceReferenceDate: 1.5)),
        ]
      ])
    return store
  }

  private func fetch(
    _ store: Store, _ columns: [DictionaryRequest.Column],
    _ change: (inout DictionaryRequest) -> Void = { _ in }
  ) throws -> [[String: FieldValue]] {
    var request = DictionaryRequest("Member", columns)
    change(&request)
    return try ModelContext(store).fetchDictionaries(request)
  }

  @Test func `properties come typed, also of related objects, and computed values`() throws {
    let store = try filled()
    let rows = try fetch(
      store,
      [
        .property("name"), .property("club.name"), .property("weight"), .property("active"),
        .property("fee"), .property("joined"), .property("club"), .property("mentor"),
        .value("double", .arithmetic(.multiply, .property("age"), .literal(.integer(2)))),
        .value("old", compare("age", .greater, .integer(15))),
      ]
    ) { $0.sort = [QuerySort(.property("age"), isAscending: false)] }
    #expect(rows.count == 4)
    #expect(
      rows[0] == [
        "name": .string("Di"), "club.name": .null, "weight": .null, "active": .boolean(true),
        "fee": .null, "joined": .date(Date(timeIntervalSinceReferenceDate: 1.5)), "club": .null,
        "mentor": .objectID(store.identity("Member", 1)), "double": .integer(120),
        "old": .boolean(true),
      ])
    #expect(
      rows[2] == [
        "name": .string("Bob"), "club.name": .string("A"), "weight": .double(.nan),
        "active": .boolean(false), "fee": .decimal(Decimal(string: "0.2")!), "joined": .null,
        "club": .objectID(store.identity("Club", 1)), "mentor": .null, "double": .integer(40),
        "old": .boolean(true),
      ])
    let guests = try ModelContext(store).fetchDictionaries(DictionaryRequest("Guest"))
    #expect(guests.count == 1)
    #expect(
      Set(guests[0].keys) == [
        "active", "age", "club", "code", "fee", "joined", "mentor", "name", "token", "until",
        "weight",
      ])
  }

  @Test func `groups have aggregates, having, an order and a limit`() throws {
    let store = try filled()
    let columns: [DictionaryRequest.Column] = [
      .property("club.name"), .count("members"), .sum("ages", of: .property("age")),
      .average("mean", of: .property("age")), .minimum("first", of: .property("name")),
      .maximum("oldest", of: .property("age")), .sum("fees", of: .property("fee")),
      .count("paid", of: .property("fee")),
    ]
    let rows = try fetch(store, columns) {
      $0.groupBy = [.property("club.name")]
      $0.having = compare("ages", .lessOrEqual, .integer(40))
      $0.sort = [
        QuerySort(.property("members"), isAscending: false), QuerySort(.property("club.name")),
      ]
    }
    #expect(
      rows == [
        [
          "club.name": .string("A"), "members": .integer(2), "ages": .integer(30),
          "mean": .double(15), "first": .string("Ann"), "oldest": .integer(20),
          "fees": .decimal(Decimal(string: "0.3")!), "paid": .integer(2),
        ],
        [
          "club.name": .string("B"), "members": .integer(1), "ages": .integer(40),
          "mean": .double(40), "first": .string("Cy"), "oldest": .integer(40),
          "fees": .decimal(0), "paid": .integer(0),
        ],
      ])
    let second = try fetch(store, [.property("club.name"), .count("n")]) {
      $0.groupBy = [.property("club.name")]
      $0.sort = [QuerySort(.property("club.name"))]
      $0.limit = 1
      $0.offset = 1
    }
    #expect(second == [["club.name": .string("A"), "n": .integer(2)]])
  }

  @Test func `aggregates of all objects are one dictionary, also of none`() throws {
    let store = try filled()
    let all = try fetch(store, [.count("n"), .maximum("age", of: .property("age"))])
    #expect(all == [["n": .integer(4), "age": .integer(60)]])
    let none = try fetch(store, [.count("n"), .maximum("age", of: .property("age"))]) {
      $0.filter = compare("age", .greater, .integer(100))
    }
    #expect(none == [["n": .integer(0), "age": .null]])
  }

  @Test func `distinct texts are distinct as in Swift`() throws {
    let store = try filled()
    try store.insertBatch(
      "Member", rows: [["name": .string("e\u{301}")], ["name": .string("\u{e9}")]])
    let rows = try fetch(store, [.property("name")]) {
      $0.filter = compare("age", .equal, .integer(18))
      $0.isDistinct = true
      $0.sort = [QuerySort(.property("name"))]
    }
    #expect(rows == [["name": .string("\u{e9}")]])
  }

  @Test func `errors name what is wrong`() throws {
    let store = try filled()
    func code(
      _ columns: [DictionaryRequest.Column], _ change: (inout DictionaryRequest) -> Void = { _ in }
    ) -> String? {
      storeError { _ = try fetch(store, columns, change) }.map {
        "\($0.code.rawValue) \($0.subject)"
      }
    }
    #expect(code([.property("nome")]) == "unknownProperty Member")
    #expect(code([.property("name"), .property("name")]) == "invalidFetch Member")
    #expect(code([.property("name"), .count("n")]) == "invalidFetch Member.name")
    #expect(code([.sum("n", of: .property("name"))]) == "unsupportedPredicate Member")
    #expect(code([.property("groups")]) == "unsupportedPredicate Member")
    #expect(
      code([.property("name")]) { $0.having = compare("name", .equal, .null) }
        == "invalidFetch Member")
    #expect(
      code([.property("name")]) {
        $0.isDistinct = true
        $0.sort = [QuerySort(.property("age"))]
      } == "unknownProperty Member")
    #expect(code([.property("name")]) { $0.limit = -1 } == "invalidFetch Member")
    #expect(code([.property("name")]) { $0.entity = "Nobody" } == "unknownEntity Nobody")
    let context = ModelContext(store)
    try context.insert("Member")
    var request = DictionaryRequest("Member", [.property("name")])
    #expect(try context.fetchDictionaries(request).count == 4)
    request.includesPendingChanges = true
    #expect(
      storeError { _ = try context.fetchDictionaries(request) }?.code == .invalidFetch)
  }

  @Test func `an index serves the condition and the order`() throws {
    let store = try filled()
    var request = DictionaryRequest(
      "Member", [.property("name"), .property("joined")],
      where: compare("joined", .greater, .date(Date(timeIntervalSinceReferenceDate: 0))))
    request.sort = [QuerySort(.property("joined"))]
    let plan = try DictionaryPlan(request, store.layout, store.currentSQLModel())
    let lines = try store.read { try $0.queryPlan(of: plan.sql.sql) }
    #expect(lines == ["SEARCH t0 USING INDEX Member_joined_index (joined>?)"])
  }
}
