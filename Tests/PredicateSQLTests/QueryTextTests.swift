import DataModel
import PredicateSQL
import Testing

private let schema = Schema(
  entities: [
    Schema.Entity(
      name: "Entry",
      attributes: [
        Schema.Attribute(name: "tail", type: .string),
        Schema.Attribute(name: "hours", type: .double),
        Schema.Attribute(name: "seats", type: .integer64),
        Schema.Attribute(name: "night", type: .boolean),
        Schema.Attribute(name: "date", type: .date),
        Schema.Attribute(name: "mark", type: .uuid),
        Schema.Attribute(name: "place", type: .composite, compositeName: "Place"),
      ],
      relationships: [
        Schema.Relationship(name: "pilot", destination: "Pilot"),
        Schema.Relationship(name: "tags", destination: "Tag", isToMany: true),
      ]),
    Schema.Entity(
      name: "Pilot", attributes: [Schema.Attribute(name: "name", type: .string)],
      relationships: [
        Schema.Relationship(name: "entries", destination: "Entry", isToMany: true)
      ]),
    Schema.Entity(name: "Tag", attributes: [Schema.Attribute(name: "word", type: .string)]),
  ],
  composites: [
    Schema.Composite(
      name: "Place", attributes: [Schema.Attribute(name: "street", type: .string)])
  ])

private func read(_ text: String) -> String {
  do throws(QueryProblem) {
    return try QueryExpression(parsing: text, entity: "Entry", schema: schema).description
  } catch {
    return error.description
  }
}

struct QueryTextTests {
  @Test(arguments: [
    (
      "hours > 2 AND pilot.name CONTAINS[cd] 'ann'",
      #"((self.hours > 2.0) && self.pilot.name.contains[cd]("ann"))"#
    ),
    (
      "not (seats = -1 || seats <> 2) && night",
      "(!((self.seats == -1) || (self.seats != 2)) && (self.night == true))"
    ),
    (
      #"tail BEGINSWITH "N\"1" OR tail like '*x?'"#,
      #"(self.tail.begins("N"1") || self.tail.like("*x?"))"#
    ),
    ("seats IN {1, 2}", "[1, 2].contains(self.seats)"),
    ("hours BETWEEN {1, 2.5}", "(1.0...2.5).contains(self.hours)"),
    ("pilot == nil AND tail !=[c] 'a'", #"((self.pilot == null) && !self.tail.equal[c]("a"))"#),
    ("date >= '2026-01-31'", "(self.date >= 2026-01-31T00:00:00Z)"),
    ("date < CAST(-5, 'NSDate')", "(self.date < 2000-12-31T23:59:55Z)"),
    (
      "mark = '01020304-0506-0708-090A-0B0C0D0E0F10'",
      "(self.mark == 01020304-0506-0708-090A-0B0C0D0E0F10)"
    ),
    ("ANY tags.word == 'x'", #"self.tags.contains { v1 in (v1.word == "x") }"#),
    ("NONE pilot.entries.seats > 3", "!self.pilot.entries.contains { v1 in (v1.seats > 3) }"),
    ("ALL tags.word BEGINSWITH 'x'", #"self.tags.allSatisfy { v1 in v1.word.begins("x") }"#),
    ("tags.@count > 2", "(self.tags.count > 2)"),
    ("place.street == tail", "(self.place.street == self.tail)"),
    ("TRUEPREDICATE", "true"),
  ])
  func `queries are read`(text: String, shown: String) { #expect(read(text) == shown) }

  @Test(arguments: [
    ("", #"at character 1, expected a property of Entry instead of: the end"#),
    ("hours >", #"at character 8, expected a value of type double instead of: the end"#),
    ("hours > 'x'", "at character 9, expected a value of type double instead of: the text 'x'"),
    ("seats == 1.5", #"at character 10, expected a value of type integer64 instead of: "1.5""#),
    ("hour > 2", "at character 1, Entry has no property of that name: hour"),
    ("hours > 2 tail", #"at character 11, expected AND, OR or the end instead of: "tail""#),
    ("(hours > 2", #"at character 11, expected ")" instead of: the end"#),
    ("tail == 'x", "the text at character 9 has no end: 'x"),
    ("tail ~ 'x'", #"at character 6 stands something that no query has: "~""#),
    (
      "tags.word == 'x'",
      "the relationship holds several objects: ask ANY, ALL or NONE of them, or .@count: self.tags"
    ),
    ("night > TRUE", "at character 7, the values have no order: self.night"),
    ("hours CONTAINS 'x'", "at character 7, CONTAINS is asked of texts only: self.hours"),
    ("tail ==[x] 'a'", #"at character 9, expected c, d or cd instead of: "x""#),
    ("hours == tail", "at character 10, expected a value of type double: self.tail"),
  ])
  func `errors say where and what`(text: String, message: String) {
    #expect(read(text) == message)
  }

  @Test func `errors have their place in the text`() throws {
    for (text, place) in [
      ("hours > 'x'", 9), ("hour > 2", 1), ("tail == 'x", 9), ("tail ~ 'x'", 6),
    ] {
      let problem = #expect(throws: QueryProblem.self) {
        try QueryExpression(parsing: text, entity: "Entry", schema: schema)
      }
      #expect(problem?.position == place)
    }
  }

  @Test(arguments: [
    ("pilot.name", "self.pilot.name"), ("pilot", "self.pilot"),
    ("place.street", "self.place.street"),
    ("tags", "self.tags.count"), ("tags.@count", "self.tags.count"),
    ("pilot.nam", "at character 7, Pilot has no property of that name: nam"),
    ("tags.word", #"at character 5, expected the end instead of: ".""#),
    ("hours > 2", #"at character 7, expected the end instead of: ">""#),
    ("", "at character 1, expected a property of Entry instead of: the end"),
  ])
  func `paths are read`(text: String, shown: String) {
    do throws(QueryProblem) {
      let path = try QueryExpression(
        parsingPath: text, entity: "Entry", schema: schema)
      #expect("\(path)" == shown)
    } catch {
      #expect("\(error)" == shown)
    }
  }

  @Test func `depth and length are limited`() {
    let deep =
      String(repeating: "(", count: 100_00) + "night" + String(repeating: ")", count: 100_00)
    #expect(read(deep).contains("nested"))
    #expect(read(String(repeating: "x", count: 70_000)).contains("bytes at most"))
  }
}
