import DataModel
import Foundation
import PredicateSQL

// A small model as `@Model` would make it: computed properties over storage.

class Person {
  var name: String
  var age: Int
  init(name: String, age: Int = 30) {
    self.name = name
    self.age = age
  }
}

final class Pilot: Hashable {
  var store: [String: FieldValue] = [:]
  var name: String
  var nick: String?
  var age: Int
  var rating: Decimal
  var chief: Pilot?
  var entries: [Entry] = []
  var key: Int64

  init(
    _ key: Int64, name: String, nick: String? = nil, age: Int = 30, rating: Decimal = 1,
    chief: Pilot? = nil
  ) {
    self.key = key
    self.name = name
    self.nick = nick
    self.age = age
    self.rating = rating
    self.chief = chief
  }

  static func == (left: Pilot, right: Pilot) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  var id: ObjectIdentity { ObjectIdentity(store: storeID, entity: "Pilot", key: key) }
}

extension Pilot: QueryValueConvertible {
  var queryValue: FieldValue { .objectID(id) }
}

let storeID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

enum Mood: String, Codable, CaseIterable { case calm, rough }

struct Place: Codable, Hashable {
  var street: String
  var height: Int
}

class Entry: Hashable {
  var key: Int64
  var tail: String = ""
  var remarks: String?
  var hours: Double = 0
  var fuel: Double?
  var seats: Int = 0
  var legs: Int?
  var night: Bool = false
  var solo: Bool?
  var date: Date = Date(timeIntervalSinceReferenceDate: 0)
  var landed: Date?
  var price: Decimal = 0
  var mark: UUID = storeID
  var page: URL?
  var mood: Mood = .calm
  var place: Place = Place(street: "", height: 0)
  var pilot: Pilot?
  var tags: [Tag] = []

  init(_ key: Int64) { self.key = key }
  static func == (left: Entry, right: Entry) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  var id: ObjectIdentity {
    ObjectIdentity(store: storeID, entity: self is NightEntry ? "NightEntry" : "Entry", key: key)
  }
}

final class NightEntry: Entry {
  var lamps: Int = 0
}

final class Tag: Hashable {
  var key: Int64
  var word: String
  init(_ key: Int64, _ word: String) {
    self.key = key
    self.word = word
  }
  static func == (left: Tag, right: Tag) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

let names = ListedQueryNames(
  properties: [
    \Pilot.name: "name", \Pilot.nick: "nick", \Pilot.age: "age", \Pilot.rating: "rating",
    \Pilot.chief: "chief", \Pilot.entries: "entries", \Pilot.id: "",
    \Entry.tail: "tail", \Entry.remarks: "remarks", \Entry.hours: "hours", \Entry.fuel: "fuel",
    \Entry.seats: "seats", \Entry.legs: "legs", \Entry.night: "night", \Entry.solo: "solo",
    \Entry.date: "date", \Entry.landed: "landed", \Entry.price: "price", \Entry.mark: "mark",
    \Entry.page: "page", \Entry.mood: "mood", \Entry.place: "place", \Place.street: "street",
    \Place.height: "height", \Entry.pilot: "pilot", \Entry.tags: "tags", \Entry.id: "",
    \NightEntry.lamps: "lamps", \NightEntry.hours: "hours", \Tag.word: "word",
    \Entry.pilot?.name: "pilot.name",
  ],
  entities: [
    ObjectIdentifier(Pilot.self): "Pilot", ObjectIdentifier(Entry.self): "Entry",
    ObjectIdentifier(NightEntry.self): "NightEntry", ObjectIdentifier(Tag.self): "Tag",
  ])

let flightLog: SQLModel = {
  let entry: [String: SQLColumn] = [
    "tail": SQLColumn("tail", type: .string),
    "remarks": SQLColumn("remarks", type: .string, isOptional: true, isNormalized: false),
    "hours": SQLColumn("hours", type: .double),
    "fuel": SQLColumn("fuel", type: .double, isOptional: true),
    "seats": SQLColumn("seats", type: .integer64),
    "legs": SQLColumn("legs", type: .integer64, isOptional: true),
    "night": SQLColumn("night", type: .boolean),
    "solo": SQLColumn("solo", type: .boolean, isOptional: true),
    "date": SQLColumn("date", type: .date),
    "landed": SQLColumn("landed", type: .date, isOptional: true),
    "price": SQLColumn("price", type: .decimal), "mark": SQLColumn("mark", type: .uuid),
    "page": SQLColumn("page", type: .uri, isOptional: true),
    "mood": SQLColumn("mood", type: .string),
    "place.street": SQLColumn("place_street", type: .string),
    "place.height": SQLColumn("place_height", type: .integer64),
  ]
  let links: [String: SQLRelationship] = [
    "pilot": SQLRelationship(destination: "Pilot", isToMany: false, place: .column("pilot")),
    "tags": SQLRelationship(
      destination: "Tag", isToMany: true,
      place: .table("Entry_tags", near: "entry", far: "tag", order: nil)),
  ]
  var night = entry
  night["lamps"] = SQLColumn("lamps", type: .integer64, isOptional: true)
  return SQLModel(
    entities: [
      "Entry": SQLEntity(
        name: "Entry", table: "Entry", numbers: [1, 2], attributes: entry, relationships: links),
      "NightEntry": SQLEntity(
        name: "NightEntry", table: "Entry", numbers: [2], attributes: night, relationships: links),
      "Pilot": SQLEntity(
        name: "Pilot", table: "Pilot",
        attributes: [
          "name": SQLColumn("name", type: .string),
          "nick": SQLColumn("nick", type: .string, isOptional: true),
          "age": SQLColumn("age", type: .integer64),
          "rating": SQLColumn("rating", type: .decimal),
        ],
        relationships: [
          "chief": SQLRelationship(destination: "Pilot", isToMany: false, place: .column("chief")),
          "entries": SQLRelationship(
            destination: "Entry", isToMany: true, place: .farColumn("pilot", order: nil)),
        ]),
      "Tag": SQLEntity(
        name: "Tag", table: "Tag", attributes: ["word": SQLColumn("word", type: .string)]),
    ], store: storeID)
}()
