import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver
import Testing

struct SQLTextTests {
  @Test func `simple comparisons are ones that an index serves`() throws {
    let (ann, three, nick) = ("Ann", 3, "nick" as String?)
    #expect(try sql(#Predicate<Pilot> { $0.name == ann }) == #"t0."name" = ? | "Ann""#)
    #expect(try sql(#Predicate<Pilot> { $0.nick == nick }) == #"t0."nick" IS ? | "nick""#)
    #expect(try sql(#Predicate<Pilot> { $0.nick == nil }) == #"t0."nick" IS NULL | "#)
    #expect(
      try sql(#Predicate<Pilot> { $0.age > three && $0.age <= 9 })
        == #"(t0."age" > ? AND t0."age" <= ?) | 3, 9"#)
    #expect(
      try sql(#Predicate<Pilot> { $0.name.starts(with: ann) })
        == #"(t0."name" >= ? AND t0."name" < ? AND contrail_text_begins(t0."name", ?, 0))"#
        + #" | "Ann", "Ano", "Ann""#)
    #expect(
      try sql(#Predicate<Entry> { $0.hours > 2 }, entity: "NightEntry")
        == #"(t0."_entity" IN (2) AND (t0."hours" > ? AND t0."hours" <= 9e999)) | 2.0"#)
  }

  @Test func `to-one is a look-up by key, to-many a subquery`() throws {
    let (ann, key) = ("Ann", Pilot(7, name: "").id)
    #expect(
      try sql(#Predicate<Pilot> { $0.chief?.name == ann })
        == #"(SELECT t1."name" FROM "Pilot" AS t1 WHERE t1."_id" = t0."chief") IS ? | "Ann""#)
    #expect(try sql(#Predicate<Pilot> { $0.chief?.id == key }) == #"t0."chief" IS ? | 7"#)
    #expect(
      try sql(#Predicate<Pilot> { $0.entries.contains { $0.seats == 2 } })
        == #"EXISTS (SELECT 1 FROM "Entry" AS t1 WHERE (t1."pilot" = t0."_id" AND "#
        + #"t1."_entity" IN (1, 2) AND t1."seats" = ?)) | 2"#)
    #expect(
      try sql(#Predicate<Entry> { $0.tags.allSatisfy { $0.word == ann } }, entity: "Entry")
        == #"(t0."_entity" IN (1, 2) AND NOT EXISTS (SELECT 1 FROM "Entry_tags" AS t4, "#
        + #""Tag" AS t3 WHERE (t4."entry" = t0."_id" AND t3."_id" = t4."tag" AND "#
        + #"NOT (t3."word" = ?)))) | "Ann""#)
  }

  @Test func `an identity of another store is no object here`() throws {
    let here = Pilot(7, name: "").id
    let other = ObjectIdentity(
      store: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)), entity: here.entity,
      key: here.key)
    #expect(try sql(#Predicate<Pilot> { $0.chief?.id == other }) == "0 | ")
  }

  @Test func `names are quoted and values are parameters`() throws {
    let evil = "\"; DROP TABLE x; --"
    let model = SQLModel(entities: [
      "E": SQLEntity(name: "E", table: "E", attributes: ["n": SQLColumn("a\"b", type: .string)])
    ])
    let query = try SQLQuery(model, entity: "E")
    let fragment = try query.condition(
      .compare(.equal, .property("n"), .literal(.string(evil))))
    #expect(fragment == SQLFragment("t0.\"a\"\"b\" = ?", [.string(evil)]))
  }

  @Test func `what SQL cannot ask is left to memory`() throws {
    var model = flightLog
    model.entities["Pilot"]?.attributes["name"] = nil
    let query = try SQLQuery(model, entity: "Pilot")
    let name = QueryExpression.compare(.equal, .property("name"), .literal(.string("x")))
    let age = QueryExpression.compare(.equal, .property("age"), .literal(.integer(3)))
    let split = query.split(.and([age, name]))
    #expect(split.condition == SQLFragment("t0.\"age\" = ?", [.integer(3)]))
    #expect(split.remainder == [name])
    #expect(split.problems.map(\.code) == [.unknownProperty])
  }

  @Test func `whatever is too deep or too long is refused`() throws {
    let query = try SQLQuery(flightLog, entity: "Pilot")
    var deep = QueryExpression.literal(.boolean(true))
    for _ in 0..<1000 { deep = .not(deep) }
    #expect(throws: QueryProblem.self) { try query.condition(deep) }
    #expect(throws: QueryProblem.self) { try deep.isTrue(of: Pilot(1, name: "")) }
    var wide = QueryExpression.property("nick")
    for number in 1..<40 {
      wide = .flatMap(
        wide, number,
        .conditional(
          .isEmpty(.variable(number)), .variable(number), .variable(number)))
    }
    let grown = QueryExpression.compare(.equal, wide, .literal(.null))
    #expect(throws: QueryProblem.self) { try query.condition(grown) }
  }

  @Test func `SQLite divides by zero as an error, never as nil`() throws {
    var values = Values(seed: 5)
    let log = try values.flightLog(entries: 20)
    let query = try SQLQuery(flightLog, entity: "Entry")
    for text in [QueryExpression.Arithmetic.divide, .remainder] {
      let expression = QueryExpression.compare(
        .equal, .arithmetic(text, .literal(.integer(1)), .literal(.integer(0))),
        .property("seats"))
      let condition = try query.condition(expression)
      #expect(throws: (any Error).self) { try log.keys(query, where: condition) }
      #expect(throws: QueryProblem.self) { try expression.isTrue(of: log.entries[0]) }
    }
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func `rows come in the order that memory sorts them in`(seed: UInt64) throws {
    print("seed \(seed)")
    var values = Values(seed: seed)
    let log = try values.flightLog(entries: 80)
    let query = try SQLQuery(flightLog, entity: "Entry")
    let paths = [
      "tail", "remarks", "hours", "fuel", "legs", "solo", "date", "landed", "price", "mark",
      "place.height", "pilot.name", "pilot.chief.nick",
    ]
    for path in paths {
      for isAscending in [true, false] {
        for texts in TextOrder.allCases {
          let sorts = [
            QuerySort(.property(path), isAscending: isAscending, texts: texts),
            QuerySort(.object),
          ]
          let keyed = try log.entries.map { (try sorts.values(for: $0), $0.key) }
          let expected = keyed.sorted { sorts.order($0.0, $1.0) < 0 }.map(\.1)
          let keys = try log.keys(
            query, where: try query.condition(.literal(.boolean(true))),
            order: try query.order(sorts))
          #expect(keys == expected, "seed \(seed) \(path)")
        }
      }
    }
  }

  @Test func `sort descriptors are translated`() throws {
    #expect(
      try QuerySort(SortDescriptor(\Entry.remarks, order: .reverse), names: names)
        == QuerySort(.property("remarks"), isAscending: false))
    #expect(
      try QuerySort(SortDescriptor(\Entry.pilot?.name), names: names)
        == QuerySort(.property("pilot.name")))
    #expect(throws: QueryProblem.self) {
      try QuerySort(SortDescriptor(\Entry.key), names: names)
    }
  }

  @Test func `groups are counted and put together`() throws {
    let query = try SQLQuery(flightLog, entity: "Pilot")
    let summary = SQLSummary(
      columns: [
        ("name", .value(.property("name"))), ("many", .count),
        ("oldest", .aggregate(.maximum, .property("age"))),
        ("rating", .aggregate(.average, .property("rating"))),
      ], groups: [.property("name")], having: [.init(.count, .greater, .integer(1))])
    let fragment = try query.summary(summary)
    #expect(
      fragment.sql == """
        SELECT t0."name" AS "name", count(*) AS "many", max(t0."age") AS "oldest", \
        contrail_decimal_average(group_concat(t0."rating", ' ')) AS "rating" \
        FROM "Pilot" AS t0 WHERE 1 GROUP BY t0."name" HAVING count(*) > ? ORDER BY t0."name"
        """)
    var values = Values(seed: 9)
    let log = try values.flightLog(entries: 10)
    let statement = try log.connection.prepare(fragment.sql)
    statement.bind(1, stored: fragment.values[0])
    while try statement.step() { #expect(statement.integer(1) > 1) }
  }

  @Test func `an index is used`() throws {
    var values = Values(seed: 3)
    let log = try values.flightLog(entries: 10)
    let query = try SQLQuery(flightLog, entity: "Entry")
    let (ann, two, legs) = ("Ann", 2.0, 3 as Int?)
    let pilot = Pilot(1, name: "").id
    let predicates: [(Predicate<Entry>, String)] = [
      (#Predicate { $0.tail == ann }, "tails"), (#Predicate { $0.tail.starts(with: ann) }, "tails"),
      (#Predicate { $0.hours > two }, "hour"), (#Predicate { $0.legs == legs }, "leg"),
      (#Predicate { $0.legs == nil }, "leg"), (#Predicate { $0.pilot?.id == pilot }, "pilots"),
    ]
    for (predicate, index) in predicates {
      let expression = try #require(QueryTranslation(predicate, names: names).expression)
      let condition = try query.condition(expression)
      let statement = try log.connection.prepare(
        "EXPLAIN QUERY PLAN SELECT 1 FROM \(query.table.sql) WHERE \(condition.sql)")
      #expect(try statement.step())
      #expect(statement.text(3).contains("INDEX \(index)"), "\(expression)")
    }
  }
}
