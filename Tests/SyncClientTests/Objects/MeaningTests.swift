import DataModel
import ObjectStore
import RecordWire
import Testing

@testable import SyncClient

@Suite struct MeaningTests {
  @Test func `each property in history stands for fields, pairs or nothing`() throws {
    #expect(
      try meanings(FlightLog.schema, .native) == [
        "Entry.pilot: pilot, pilot_order", "Entry.route: route", "Entry.shout: nothing",
        "Entry.tags: source of Entry_tags", "Entry.witness: witness", "Instructor.entries: nothing",
        "Instructor.friends: source of Person_friends", "Instructor.hours: hours",
        "Instructor.license: license, opposite License.holder", "Instructor.name: name",
        "Instructor.spouse: spouse, opposite Person.spouse",
        "License.holder: holder, opposite Pilot.license", "License.number: number",
        "Person.friends: source of Person_friends", "Person.name: name",
        "Person.spouse: spouse, opposite Person.spouse", "Pilot.entries: nothing",
        "Pilot.friends: source of Person_friends", "Pilot.hours: hours",
        "Pilot.license: license, opposite License.holder", "Pilot.name: name",
        "Pilot.spouse: spouse, opposite Person.spouse", "Tag.entries: target of Entry_tags",
        "Tag.name: name",
      ])
    #expect(
      try meanings(FlightLog.schema, .coreData).filter {
        $0.hasPrefix("Entry") || $0.hasPrefix("License")
      } == [
        "Entry.pilot: CD_pilot", "Entry.route: CD_route, CD_route_ckAsset", "Entry.shout: nothing",
        "Entry.tags: source of CDMR", "Entry.witness: CD_witness",
        "License.holder: CD_holder, opposite Pilot.CD_license",
        "License.number: CD_number, CD_number_ckAsset",
      ])
  }

  @Test func `members of composites have fields of their own`() throws {
    #expect(
      try meanings(Self.composite, .native) == [
        "Shop.place.at.floor: place_at_floor", "Shop.place.street: place_street",
      ])
    let world = try World(Self.composite, .native)
    let fields: RecordFields = ["place_at_floor": .int64(3), "place_street": .string("High St")]
    try world.insert("Shop", fields)
    #expect(try world.fields("Shop", 1) == fields)
  }

  @Test func `version, natural key and rules are by fields`() throws {
    let world = try World(FlightLog.schema, .coreData)
    let pilot = try world.type("Instructor")
    #expect(pilot.versionField == "CD_name")
    #expect(pilot.naturalKey == ["CD_name", "CD_spouse"])
    #expect(pilot.mergeRules.map { "\($0.key) \($0.value)" } == ["CD_hours counter"])
    #expect(try world.type("Tag").versionField == nil)
    #expect(pilot.clocksField == nil)
    #expect(try World(FlightLog.schema, .native).type("Tag").clocksField == "contrailClocks")
  }

  @Test func `a schema that no record can hold is refused with all that is wrong`() throws {
    func problems(_ profile: MappingProfile) throws -> [String] {
      let store = try Store(at: .memory, schema: Self.wrong)
      do {
        _ = try ObjectRecords(store.layout, profile)
        return []
      } catch {
        return error.problems.map(\.description).sorted()
      }
    }
    #expect(
      try problems(.native) == [
        "Bad.contrailClocks: Bad.contrailClocks claims the field Bad.contrailClocks, which the mapping needs itself; rename what claims it",
        "Bad.many: its inverse does not name it as inverse; make both ends of the relationship name each other",
        "Bad.other: no record can hold it; give it a type that means something elsewhere, or an inverse, or make it transient",
        "Bad.price: is of type decimal, with which the merge rule \"maximum\" can do nothing; rules for it: lastEdit, server, client",
        "Bad.total: names the merge rule \"sum\", which there is not; rules: lastEdit, server, client, counter, union, minimum, maximum",
        "Bad: its natural key names \"nothing\", which is in no field; name an attribute or a to-one relationship of the entity",
        "Bad: its version field names \"absent\", which is in no field; name an attribute or a to-one relationship of the entity",
      ])
    #expect(
      try problems(.coreData).contains(
        "Bad.place: a composite is an archive of Core Data's in this profile, which Contrail cannot read; "
          + "use attributes of the entity itself, or the native profile"))
  }

  private static let composite = Schema(
    name: "Shops",
    entities: [
      Schema.Entity(
        name: "Shop",
        attributes: [
          Schema.Attribute(
            name: "place", type: .composite, compositeName: "Place", isOptional: true)
        ])
    ], composites: places)

  private static let places = [
    Schema.Composite(
      name: "Place",
      attributes: [
        Schema.Attribute(name: "street", type: .string),
        Schema.Attribute(name: "at", type: .composite, compositeName: "Level"),
      ]),
    Schema.Composite(
      name: "Level", attributes: [Schema.Attribute(name: "floor", type: .integer16)]),
  ]

  private static let wrong = Schema(
    name: "Wrong",
    entities: [
      Schema.Entity(
        name: "Bad",
        attributes: [
          Schema.Attribute(name: "contrailClocks", type: .binaryData, isOptional: true),
          Schema.Attribute(name: "other", type: .objectID, isOptional: true),
          Schema.Attribute(
            name: "price", type: .decimal, isOptional: true, userInfo: ["contrail.merge": "maximum"]
          ),
          Schema.Attribute(name: "place", type: .composite, compositeName: "Place"),
          Schema.Attribute(
            name: "total", type: .double, isOptional: true, userInfo: ["contrail.merge": "sum"]),
        ],
        relationships: [
          Schema.Relationship(name: "many", destination: "Bad", inverse: "one", isToMany: true),
          Schema.Relationship(name: "one", destination: "Bad", inverse: "one"),
        ], versionField: "absent", naturalKey: ["total", "nothing"])
    ], composites: places)

  private func meanings(_ schema: Schema, _ profile: MappingProfile) throws -> [String] {
    let records = try World(schema, profile).records
    return records.objectTypes.flatMap { type in
      type.layout.slots.filter { $0.number > 0 && !$0.name.hasSuffix(Slot.orderSuffix) }
        .sorted { $0.name < $1.name }.map { slot in
          "\(type.entity).\(slot.name): "
            + shown(records.meaning(of: slot.number, entity: type.number), records)
        }
    }
  }

  private func shown(_ meaning: PropertyMeaning, _ records: ObjectRecords) -> String {
    switch meaning {
    case .nothing: "nothing"
    case .fields(let fields, let opposite):
      fields.joined(separator: ", ")
        + (opposite.map {
          ", opposite \(records.layout.entities[$0.destination].name).\($0.field)"
        } ?? "")
    case .edges(let type, let side): "\(side.rawValue) of \(type.edge.recordType)"
    }
  }
}
