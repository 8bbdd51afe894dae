import DataModel
import Foundation
import ObjectStore
import PredicateSQL
import RecordWire
import Testing

@testable import SyncClient

@Suite struct ImportTests {
  @Test(arguments: World.Place.allCases)
  func `history says who imported what`(_ place: World.Place) throws {
    let world = try World(FlightLog.schema, .native, place)

    for name in ["a", "b", "c"] { try world.insert("Tag", ["name": .string(name)]) }
    try world.insert("Pilot", ["name": .string("Ada")])
    try world.update("Tag", 2, ["name": .string("B")])
    try world.update("Tag", 2, ["name": .string("B")])
    try world.insert("Entry", ["route": .string("x"), "pilot": .string("Pilot-1")])
    try world.update("Entry", 1, ["route": .null, "pilot": .null, "pilot_order": .int64(3)])
    try world.delete("Tag", 1)

    #expect(
      try world.history() == [
        "contrail.sync: insert Tag 1", "contrail.sync: insert Tag 2",
        "contrail.sync: insert Tag 3", "contrail.sync: insert Pilot 1",
        "contrail.sync: update Tag 2: name", "contrail.sync: insert Entry 1",
        "contrail.sync: update Entry 1: route, pilot", "contrail.sync: update Entry 1: shout",
        "contrail.sync: delete Tag 1",
      ])
    var others = HistoryRequest()
    others.excludedAuthors = [SyncAuthor.name]
    #expect(try world.store.history(others) == [])
  }

  @Test(arguments: World.Place.allCases)
  func `contexts that are open see what is imported, and its derived values`(
    _ place: World.Place
  ) throws {
    let world = try World(FlightLog.schema, .native, place)
    try world.insert("Entry", ["route": .string("old")])
    let context = ModelContext(world.store)
    let entry = try needed(context.fetch(FetchRequest("Entry")).first, "an entry")
    #expect(try entry.value("shout") == .string("OLD"))

    try world.update("Entry", 1, ["route": .string("new")])
    context.receiveChanges()
    #expect(try entry.value("route") == .string("new"))
    #expect(try entry.value("shout") == .string("NEW"))

    try world.insert("Pilot", [:])
    try world.update("Entry", 1, ["pilot": .string("Pilot-1")])
    context.receiveChanges()
    #expect(try entry.related("pilot")?.key == 1)
    #expect(try entry.related("pilot")?.relatedObjects("entries").map(\.key) == [1])

    try world.delete("Entry", 1)
    context.receiveChanges()
    #expect(entry.isDeleted)
  }

  @Test func `texts in any normal form are found by queries`() throws {
    let world = try World(FlightLog.schema, .native)
    try world.insert("Tag", ["name": .string("e\u{301}")])
    let found = try ModelContext(world.store).fetch(
      FetchRequest("Tag", where: .compare(.equal, .property("name"), .literal(.string("\u{e9}")))))
    #expect(found.map(\.key) == [1])
    #expect(try world.fields("Tag", 1)?["name"]?.value.utf8 == Array("e\u{301}".utf8))
  }

  @Test func `a save after an import meets it as a conflict, not as its own`() throws {
    let world = try World(FlightLog.schema, .native)
    try world.insert("Tag", ["name": .string("a")])
    let context = ModelContext(world.store)
    let tag = try needed(context.fetch(FetchRequest("Tag")).first, "a tag")
    try tag.setValue("name", .string("mine"))
    try world.update("Tag", 1, ["name": .string("theirs")])
    #expect(throws: StoreError.self) { try context.save() }
  }

  @Test func `an object that is gone is not updated`() throws {
    let world = try World(FlightLog.schema, .native)
    try world.insert("Pilot", [:])
    #expect(try world.update("Tag", 4, ["name": .string("x")]) == nil)
    #expect(try world.update("Person", 1, ["name": .string("x")]) == nil, "it is a pilot")
  }

  @Test(arguments: World.Place.allCases)
  func `rules of the schema refuse nothing that comes from elsewhere`(_ place: World.Place) throws {
    let schema = Schema(
      name: "Strict",
      entities: [
        Schema.Entity(
          name: "Thing",
          attributes: [
            Schema.Attribute(
              name: "code", type: .string, validation: .init(maximum: "3", pattern: "[a-z]+")),
            Schema.Attribute(
              name: "level", type: .integer16, isOptional: true, validation: .init(maximum: "9")),
          ],
          relationships: [
            Schema.Relationship(name: "owner", destination: "Thing", isOptional: false)
          ], uniquenessConstraints: [["code"]])
      ])
    let world = try World(schema, .native, place)
    for _ in 0..<2 {
      let thing = try world.insert("Thing", ["code": .string("TOO LONG"), "level": .int64(99)])
      #expect(thing.unfit == [])
    }
    #expect(try world.fields("Thing", 2) == ["code": .string("TOO LONG"), "level": .int64(99)])
  }
}

@Suite struct ForeignShapeTests {
  @Test(arguments: World.Place.allCases)
  func `values of other types are reported, and the object stays as it was`(
    _ place: World.Place
  ) throws {
    let world = try World(AllTypes.schema, .native, place)
    try world.insert("Value", ["count": .int64(3), "uuidMaybe": .string("x"), "wind": .int64(1)])
    let wrong: RecordFields = [
      "count": .string("four"), "integer16Must": .int64(40_000), "dateMust": .int64(5),
      "decimalMaybe": .string("12 pounds"), "stringMaybe": .unknown(type: "HOLOGRAM", json: [0x31]),
      "booleanMaybe": .list([.int64(1)], of: .int64), "uuidMust": .string("no"),
      "floatMaybe": .double(1e300), "word": .untyped(.string("untyped")),
    ]

    let update = try needed(world.update("Value", 1, wrong), "the object")

    #expect(
      update.unfit.map(\.description) == [
        "Value.booleanMaybe: booleanMaybe should be INT64, and is INT64 list",
        "Value.count: count should be INT64 of 32 bits, and is STRING",
        "Value.dateMust: dateMust should be TIMESTAMP, and is INT64",
        "Value.decimalMaybe: decimalMaybe should be STRING with a decimal number, and is \"12 pounds\"",
        "Value.floatMaybe: floatMaybe should be DOUBLE of single precision, and is 1e+300",
        "Value.integer16Must: integer16Must should be INT64 of 16 bits, and is 40000",
        "Value.stringMaybe: stringMaybe should be STRING, and is HOLOGRAM",
        "Value.uuidMust: uuidMust should be STRING with a UUID, and is \"no\"",
      ])
    let read = try needed(world.fields("Value", 1), "the object")
    #expect(read["count"]?.value == .int64(3))
    #expect(read["word"]?.value == .string("untyped"))
    #expect(read["stringMaybe"] == nil)
    #expect(read["wind"] == nil)
    let type = try world.type("Value")
    #expect(type.asStored(.int64(40_000), in: "integer16Must") == nil)
  }

  @Test func `references of other types, or to records of others, are reported`() throws {
    let world = try World(FlightLog.schema, .native)
    try world.insert("Tag", [:])
    try world.insert("Person", [:])
    try world.insert("Pilot", [:])
    try world.insert("Entry", ["pilot": .string("Pilot-2")])

    let update = try world.update(
      "Entry", 1,
      ["pilot": .string("Person-1"), "witness": .string("Tag-1"), "pilot_order": .double(1)])
    let other = try world.update("Entry", 1, ["pilot": .int64(1)])

    #expect(
      update?.unfit.map(\.description) == [
        "Entry.pilot: pilot should be STRING with the name of a record of the right type, and is \"Person-1\"",
        "Entry.pilot@order: pilot_order should be INT64, and is DOUBLE",
        "Entry.witness: witness should be STRING with the name of a record of the right type, and is \"Tag-1\"",
      ])
    #expect(other?.unfit.count == 1)
    #expect(try world.fields("Entry", 1) == ["pilot": .string("Pilot-2")])
  }

  @Test func `a record's type and entity are found, or known to be unknown`() throws {
    let (native, mirrored) = try (
      World(FlightLog.schema, .native).records, World(FlightLog.schema, .coreData).records
    )
    func entity(_ records: ObjectRecords, _ type: String, _ fields: RecordFields) -> String? {
      records.objectType(recordType: type, fields: fields)?.entity
    }

    #expect(entity(native, "Instructor", [:]) == "Instructor")
    #expect(entity(native, "CD_Person", [:]) == nil)
    #expect(entity(mirrored, "CD_Person", ["CD_entityName": .string("Pilot")]) == "Pilot")
    #expect(entity(mirrored, "CD_Person", [:]) == "Person")
    #expect(entity(mirrored, "CD_Person", ["CD_entityName": .string("Robot")]) == nil)
    #expect(entity(mirrored, "CD_Person", ["CD_entityName": .string("Tag")]) == nil)
    #expect(entity(mirrored, "CD_Person", ["CD_entityName": .int64(1)]) == nil)
    #expect(entity(mirrored, "CD_Pilot", [:]) == nil)
    #expect(native.isEdge(recordType: "Entry_tags"))
    #expect(mirrored.isEdge(recordType: "CDMR"))
  }
}

extension RecordValue {
  fileprivate var utf8: [UInt8]? {
    if case .string(let text) = self { Array(text.utf8) } else { nil }
  }
}
