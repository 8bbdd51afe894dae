import DataModel
import ObjectStore
import RecordWire
import Testing

@testable import SyncClient

@Suite struct RelationshipTests {
  @Test(arguments: Setting.all)
  func `references come back as they were imported, of entities that share a table too`(
    _ setting: Setting
  ) throws {
    let world = try World(FlightLog.schema, setting.profile, setting.place)
    func fields(_ entity: String, _ values: [(String, RecordValue)]) -> RecordFields {
      var fields = RecordFields(values.map { (setting.field($0.0), RecordField($0.1)) })
      if setting.profile == .coreData { fields["CD_entityName"] = RecordField(.string(entity)) }
      return fields
    }
    let person = fields("Person", [("name", .string("Ada"))])
    let teacher = fields("Instructor", [("name", .string("Bo")), ("spouse", .string("Person-1"))])
    var entry = fields(
      "Entry",
      [
        ("pilot", .string("Instructor-2")), ("route", .string("here")),
        ("witness", .string("Person-1")),
      ])
    if setting.profile == .native { entry["pilot_order"] = RecordField(.int64(-5)) }

    try world.insert("Person", person)
    try world.insert("Instructor", teacher)
    try world.insert("Entry", entry)
    try world.insert("License", fields("License", [("holder", .string("Instructor-2"))]))

    #expect(
      try world.fields("Person", 1)
        == fields("Person", [("name", .string("Ada")), ("spouse", .string("Instructor-2"))]))
    #expect(
      try world.fields("Instructor", 2)
        == fields(
          "Instructor",
          [
            ("name", .string("Bo")), ("spouse", .string("Person-1")),
            ("license", .string("License-1")),
          ]))
    #expect(try world.fields("Entry", 1) == entry)
    #expect(try world.fields("Pilot", 2) == nil, "the object is no plain pilot")
  }

  @Test(arguments: World.Place.allCases)
  func `both sides of a one-to-one stay the same, whichever record arrives`(
    _ place: World.Place
  ) throws {
    let world = try World(FlightLog.schema, .native, place)
    for _ in 0..<2 { try world.insert("Pilot", [:]) }
    try world.insert("License", ["holder": .string("Pilot-1")])
    try world.insert("License", [:])

    // From the end whose key is in the other's row, and from the one that has it.
    try world.update("Pilot", 1, ["license": .string("License-2")])
    #expect(
      try state(world) == ["Pilot-1 License-2", "Pilot-2 -", "License-1 -", "License-2 Pilot-1"])
    try world.update("License", 1, ["holder": .string("Pilot-1")])
    #expect(
      try state(world) == ["Pilot-1 License-1", "Pilot-2 -", "License-1 Pilot-1", "License-2 -"])
    try world.update("License", 1, ["holder": .string("Pilot-2")])
    #expect(
      try state(world) == ["Pilot-1 -", "Pilot-2 License-1", "License-1 Pilot-2", "License-2 -"])
    try world.update("Pilot", 2, ["license": .null])
    #expect(try state(world) == ["Pilot-1 -", "Pilot-2 -", "License-1 -", "License-2 -"])
  }

  private func state(_ world: World) throws -> [String] {
    let (pilot, license) = try (world.type("Pilot").number, world.type("License").number)
    func line(_ entity: Int, _ key: Int64, _ name: String, _ field: String) throws -> String {
      let value = try world.fields(ObjectKey(entity: entity, key: key))?.fields[field]?.value
      guard case .string(let text)? = value else { return "\(name)-\(key) -" }
      return "\(name)-\(key) \(text)"
    }
    return try [
      line(pilot, 1, "Pilot", "license"), line(pilot, 2, "Pilot", "license"),
      line(license, 1, "License", "holder"), line(license, 2, "License", "holder"),
    ]
  }

  @Test func `a one-to-one with itself is undone and made at both ends`() throws {
    let world = try World(FlightLog.schema, .native)
    for _ in 0..<4 { try world.insert("Person", [:]) }
    func spouses() throws -> [RecordValue?] {
      try (1...4).map { try world.fields("Person", $0)?["spouse"]?.value }
    }

    try world.update("Person", 1, ["spouse": .string("Person-2")])
    try world.update("Person", 3, ["spouse": .string("Person-4")])
    #expect(
      try spouses() == [
        .string("Person-2"), .string("Person-1"), .string("Person-4"), .string("Person-3"),
      ])
    try world.update("Person", 1, ["spouse": .string("Person-4")])
    #expect(try spouses() == [.string("Person-4"), nil, nil, .string("Person-1")])
    try world.update("Person", 4, ["spouse": .null])
    #expect(try spouses() == [nil, nil, nil, nil])
  }

  @Test(arguments: MappingProfile.allCases)
  func `children stand in the order that their records say, or come last`(
    _ profile: MappingProfile
  ) throws {
    let world = try World(FlightLog.schema, profile)
    let setting = Setting(profile: profile, place: .memory)
    try world.insert("Pilot", [:])
    for (route, order) in [("c", 3), ("a", 1), ("b", 2)] as [(String, Int64)] {
      var fields = RecordFields()
      fields[setting.field("route")] = RecordField(.string(route))
      fields[setting.field("pilot")] = RecordField(.string("Pilot-1"))
      if profile == .native { fields["pilot_order"] = RecordField(.int64(order)) }
      try world.insert("Entry", fields)
    }

    let context = ModelContext(world.store)
    let pilot = try needed(context.fetch(FetchRequest("Pilot")).first, "a pilot")
    let routes = try pilot.relatedObjects("entries").map { try $0.value("route") }
    withExtendedLifetime(context) {}
    #expect(
      routes
        == (profile == .native
          ? [.string("a"), .string("b"), .string("c")]
          : [.string("c"), .string("a"), .string("b")]))
  }

  @Test func `a reference whose record is not here waits, and is set when it is`() throws {
    let world = try World(FlightLog.schema, .native)
    try world.insert("Pilot", [:])
    let pilot = try world.type("Entry").place(of: "pilot")?.property ?? 0
    let witness = try world.type("Entry").place(of: "witness")?.property ?? 0

    let entry = try world.insert(
      "Entry", ["pilot": .string("Pilot-9"), "pilot_order": .int64(4), "witness": .string("x")])

    var expected = ImportedObject(key: 1)
    expected.waiting = [
      WaitingReference(field: "pilot", property: pilot, target: "Pilot-9"),
      WaitingReference(field: "witness", property: witness, target: "x"),
    ]
    #expect(entry == expected)
    #expect(try world.fields("Entry", 1) == ["pilot_order": .int64(4)])

    let number = try world.type("Pilot").number
    let set = try world.write { transaction in
      try ObjectWriter(world.type("Entry"), of: world.records, transaction).setTarget(
        "pilot", of: 1, to: ObjectKey(entity: number, key: 1))
    }
    #expect(set?.isChanged == true)
    #expect(
      try world.fields("Entry", 1) == ["pilot": .string("Pilot-1"), "pilot_order": .int64(4)])
    // The other one turns out to be gone.
    let update = try world.update("Entry", 1, ["pilot": .string("Pilot-7")])
    #expect(update?.waiting.map(\.target) == ["Pilot-7"])
    #expect(try world.fields("Entry", 1) == ["pilot_order": .int64(4)])
  }

  @Test func `a reference to an object without a record is named`() throws {
    let world = try World(FlightLog.schema, .native)
    try world.insert("Pilot", [:])
    try world.insert("Entry", ["pilot": .string("Pilot-1")])
    let (entry, pilot) = try (world.type("Entry").number, world.type("Pilot").number)

    let read = try world.store.readRows { connection in
      try world.records.fields(of: ObjectKey(entity: entry, key: 1), in: connection) { _, _ in nil }
    }

    #expect(
      read?.unnamed == [UnnamedTarget(field: "pilot", object: ObjectKey(entity: pilot, key: 1))])
    #expect(read?.fields == [:])
  }

  @Test(arguments: World.Place.allCases)
  func `a deleted object leaves no key behind, and delete rules delete nothing else`(
    _ place: World.Place
  ) throws {
    let world = try World(FlightLog.schema, .native, place)
    try world.insert("Pilot", ["name": .string("gone")])
    try world.insert("Person", ["spouse": .string("Pilot-1")])
    try world.insert("License", ["holder": .string("Pilot-1")])
    try world.insert(
      "Entry",
      ["pilot": .string("Pilot-1"), "pilot_order": .int64(1), "witness": .string("Pilot-1")])
    let friends = try needed(world.friends, "friends")
    let (pilot, person) = try (world.type("Pilot").number, world.type("Person").number)
    try world.write { transaction in
      _ = try friends.join(
        EdgePair(
          source: ObjectKey(entity: pilot, key: 1), target: ObjectKey(entity: person, key: 2)),
        in: transaction)
    }
    let before = try world.store.history().count

    #expect(try world.delete("Pilot", 1))

    #expect(try world.fields("Person", 2) == [:])
    #expect(try world.fields("License", 1) == [:])
    #expect(try world.fields("Entry", 1) == [:])
    let left = try world.store.readRows { connection in
      try friends.pairs(of: 2, at: .source, in: connection)
    }
    #expect(left == [])
    #expect(
      try Set(world.history(skipping: before)) == [
        "contrail.sync: delete Pilot 1", "contrail.sync: update Person 2: spouse",
        "contrail.sync: update License 1: holder", "contrail.sync: update Entry 1: pilot",
        "contrail.sync: update Entry 1: witness", "contrail.sync: update Person 2: friends",
      ])
    #expect(try !world.delete("Pilot", 1), "it is gone")
  }
}

extension World {
  var friends: EdgeType? { edge("Person", "friends") }

  func edge(_ entity: String, _ relationship: String) -> EdgeType? {
    guard let layout = store.layout.entity(entity), let slot = layout.slot(relationship) else {
      return nil
    }
    return layout.slots[slot].relationship.flatMap { records.edgeType(number: $0.ownerNumber) }
  }
}
