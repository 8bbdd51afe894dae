import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver

// The model's objects as queries in memory see them, and their rows in a real database.

extension Pilot: QueryRow {
  var queryIdentity: ObjectIdentity { id }
  func isOfEntity(_ name: String) -> Bool { name == "Pilot" }
  func queryMember(_ name: String) -> QueryMember? {
    switch name {
    case "name": .value(.string(self.name))
    case "nick": .value(FieldValue(optional: nick) { .string($0) })
    case "age": .value(.integer(Int64(age)))
    case "rating": .value(.decimal(rating))
    case "chief": .object(chief)
    case "entries": .objects(entries)
    default: nil
    }
  }
}

extension Tag: QueryRow {
  var queryIdentity: ObjectIdentity { ObjectIdentity(store: storeID, entity: "Tag", key: key) }
  func isOfEntity(_ name: String) -> Bool { name == "Tag" }
  func queryMember(_ name: String) -> QueryMember? {
    name == "word" ? .value(.string(word)) : nil
  }
}

extension Entry: QueryRow {
  var queryIdentity: ObjectIdentity { id }
  func isOfEntity(_ name: String) -> Bool {
    name == "Entry" || (name == "NightEntry" && self is NightEntry)
  }

  func queryMember(_ name: String) -> QueryMember? {
    if name == "pilot" { return .object(pilot) }
    if name == "tags" { return .objects(tags) }
    if name == "place" {
      return .value(
        .composite(["street": .string(place.street), "height": .integer(Int64(place.height))]))
    }
    return columns[name].map { .value($0) }
  }

  var columns: [String: FieldValue] {
    [
      "tail": .string(tail), "remarks": FieldValue(optional: remarks) { .string($0) },
      "hours": .double(hours), "fuel": FieldValue(optional: fuel) { .double($0) },
      "seats": .integer(Int64(seats)), "legs": FieldValue(optional: legs) { .integer(Int64($0)) },
      "night": .boolean(night), "solo": FieldValue(optional: solo) { .boolean($0) },
      "date": .date(date), "landed": FieldValue(optional: landed) { .date($0) },
      "price": .decimal(price), "mark": .uuid(mark),
      "page": FieldValue(optional: page) { .uri($0.absoluteString) },
      "mood": .string(mood.rawValue), "place_street": .string(place.street),
      "place_height": .integer(Int64(place.height)),
      "lamps": FieldValue(optional: (self as? NightEntry)?.lamps) { .integer(Int64($0)) },
    ]
  }
}

extension FieldValue {
  init<Value>(optional value: Value?, _ make: (Value) -> FieldValue) {
    self = value.map(make) ?? .null
  }
}

/// Objects, and a database that holds them.
final class FlightLog {
  let pilots: [Pilot]
  let entries: [Entry]
  let connection: Connection

  init(pilots: [Pilot], entries: [Entry], tags: [Tag]) throws {
    self.pilots = pilots
    self.entries = entries
    connection = try Connection(.memory)
    for row in SQLFunction.rows {
      try connection.addFunction(
        row.name, argumentCount: Int32(row.argumentCount), isDeterministic: row.isDeterministic,
        row.body)
    }
    for row in SQLCollation.rows { try connection.addCollation(row.name, row.compare) }
    try connection.execute(
      """
      CREATE TABLE "Entry" (_id INTEGER PRIMARY KEY, _entity INTEGER, tail TEXT, remarks TEXT,
        hours REAL, fuel REAL, seats INTEGER, legs INTEGER, night INTEGER, solo INTEGER, date REAL,
        landed REAL, price TEXT, mark BLOB, page TEXT, mood TEXT, place_street TEXT,
        place_height INTEGER, lamps INTEGER, pilot INTEGER);
      CREATE INDEX tails ON "Entry" (tail); CREATE INDEX hour ON "Entry" (hours);
      CREATE INDEX leg ON "Entry" (legs); CREATE INDEX pilots ON "Entry" (pilot);
      CREATE TABLE "Pilot" (_id INTEGER PRIMARY KEY, name TEXT, nick TEXT, age INTEGER, rating TEXT,
        chief INTEGER);
      CREATE TABLE "Tag" (_id INTEGER PRIMARY KEY, word TEXT);
      CREATE TABLE "Entry_tags" (entry INTEGER, tag INTEGER);
      """)
    for entry in entries {
      var values = entry.columns.mapValues(\.stored)
      // This column is said not to be normalized.
      values["remarks"] = entry.columns["remarks"]
      values["_id"] = .integer(entry.key)
      values["_entity"] = .integer(entry is NightEntry ? 2 : 1)
      values["pilot"] = FieldValue(optional: entry.pilot) { .integer($0.key) }
      try insert("Entry", values)
      for tag in entry.tags {
        try insert("Entry_tags", ["entry": .integer(entry.key), "tag": .integer(tag.key)])
      }
    }
    // A row of the shared table that is of another entity.
    try insert("Entry", ["_id": .integer(1_000_000), "_entity": .integer(3)])
    for pilot in pilots {
      try insert(
        "Pilot",
        [
          "_id": .integer(pilot.key), "name": FieldValue.string(pilot.name).stored,
          "nick": FieldValue(optional: pilot.nick) { FieldValue.string($0).stored },
          "age": .integer(Int64(pilot.age)), "rating": FieldValue.decimal(pilot.rating).stored,
          "chief": FieldValue(optional: pilot.chief) { .integer($0.key) },
        ])
    }
    for tag in tags {
      try insert("Tag", ["_id": .integer(tag.key), "word": FieldValue.string(tag.word).stored])
    }
  }

  private func insert(_ table: String, _ values: [String: FieldValue]) throws {
    let names = values.keys.sorted()
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let statement = try connection.statement(
      "INSERT INTO \"\(table)\" (\(names.joined(separator: ", "))) VALUES (\(marks))")
    for (index, name) in names.enumerated() {
      statement.bind(Int32(index + 1), stored: values[name] ?? .null)
    }
    try statement.run()
  }

  /// The keys of the rows that a condition selects, in the order asked for.
  func keys(
    _ query: SQLQuery, where condition: SQLFragment, order: SQLFragment? = nil
  ) throws -> [Int64] {
    let order = order ?? SQLFragment("t0.\"_id\"")
    let statement = try connection.prepare(
      "SELECT t0.\"_id\" FROM \(query.table.sql) WHERE \(condition.sql) ORDER BY \(order.sql)")
    for (index, value) in (condition.values + order.values).enumerated() {
      statement.bind(Int32(index + 1), stored: value)
    }
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(0)) }
    return keys
  }
}

extension Statement {
  func bind(_ index: Int32, stored value: FieldValue) {
    switch value {
    case .integer(let value): bind(index, value)
    case .double(let value): bind(index, value)
    case .string(let value): bind(index, value)
    case .data(let value): bind(index, value)
    default: bindNull(index)
    }
  }
}
