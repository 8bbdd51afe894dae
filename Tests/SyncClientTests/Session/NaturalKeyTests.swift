import DataModel
import ObjectStore
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

/// Objects that several devices make, and that are the same to people.
@Suite struct NaturalKeyTests {
  private static func attribute(_ name: String, _ userInfo: [String: String] = [:])
    -> Schema.Attribute
  {
    Schema.Attribute(name: name, type: .string, isOptional: true, userInfo: userInfo)
  }

  static let schema = Schema(
    name: "Log",
    entities: [
      Schema.Entity(
        name: "Airport",
        attributes: [attribute("code"), attribute("city"), attribute("country")],
        relationships: [
          Schema.Relationship(
            name: "flights", destination: "Flight", inverse: "airport", isToMany: true),
          Schema.Relationship(
            name: "pilots", destination: "Pilot", inverse: "airports", isToMany: true),
        ], naturalKey: ["code"]),
      Schema.Entity(
        name: "Flight", attributes: [attribute("name")],
        relationships: [
          Schema.Relationship(name: "airport", destination: "Airport", inverse: "flights")
        ]),
      Schema.Entity(
        name: "Pilot", attributes: [attribute("name")],
        relationships: [
          Schema.Relationship(
            name: "airports", destination: "Airport", inverse: "pilots", isToMany: true)
        ]),
    ])

  private func devices(_ count: Int, _ profile: MappingProfile = .native) throws -> [Device] {
    let hall = RecordHall()
    return try (1...count).map {
      try Device(UInt64($0), hall, schema: Self.schema, profile: profile)
    }
  }

  private func sync(_ devices: [Device]) async throws {
    for _ in 0..<3 { for device in devices { try await device.sync() } }
  }

  private func expectNoEcho(_ devices: [Device]) async throws {
    devices[0].hall.forgetCalls()
    for device in devices { try await device.sync() }
    #expect(!devices[0].hall.calls.contains("records/modify"))
    for device in devices { #expect(try await device.verify().shown == []) }
  }

  @Test(arguments: MappingProfile.allCases, [2, 3])
  func `what each device made for itself becomes one, with what refers to it`(
    profile: MappingProfile, count: Int
  ) async throws {
    let devices = try devices(count, profile)
    for (number, device) in devices.enumerated() {
      try device.edit { context in
        let airport = try context.insert("Airport")
        try airport.setValue("code", .string("LSZH"))
        if number == 0 { try airport.setValue("country", .string("CH")) }
        try airport.setValue("city", .string("Zurich \(number)"))
        let flight = try context.insert("Flight")
        try flight.setValue("name", .string("flight \(number)"))
        try flight.setRelated("airport", airport)
        let pilot = try context.insert("Pilot")
        try pilot.setValue("name", .string("pilot \(number)"))
        try pilot.addRelated("airports", airport)
      }
    }
    try await sync(devices)
    for device in devices {
      #expect(
        try device.airports == [
          "LSZH CH Zurich \(count - 1): "
            + (0..<count).map { "flight \($0)" }.joined(separator: " ") + " "
            + (0..<count).map { "pilot \($0)" }.joined(separator: " ")
        ])
    }
    #expect(try devices.reduce(0) { try $0 + $1.log([.unified]).count } >= count - 1)
    try await expectNoEcho(devices)
  }

  @Test func `objects whose keys become equal by edits become one`() async throws {
    let devices = try devices(2)
    try devices[0].makeAirports("LSZH", "LSZX")
    try await sync(devices)
    try devices[1].edit { context in
      try context.airport("LSZX").setValue("code", .string("LSZH"))
    }
    try await sync(devices)
    for device in devices { #expect(try device.airports.count == 1) }
    try await expectNoEcho(devices)
  }

  @Test(arguments: [nil, ErrorCode.tryAgainLater, .accessDenied])
  func `one that became another elsewhere before we said that it is equal stays apart`(
    refusal: ErrorCode?
  ) async throws {
    let devices = try devices(2)
    try devices[0].makeAirports("LSZH")
    try await sync(devices)
    try devices[1].makeAirports("LSZX")
    try await sync(devices)
    // Here the two become one, and nobody hears of it …
    try devices[0].edit { context in
      try context.airport("LSZX").setValue("code", .string("LSZH"))
    }
    for step in [SyncStep.pull, .schema, .push, .pull, .settle] {
      _ = try await devices[0].carryOut(step)
    }
    let dropped = try #require(try devices[0].dropped)
    if let refusal {
      devices[0].hall.setGate { $0.path == "records/modify" ? .refuse(refusal) : .pass }
      _ = try await devices[0].carryOut(.push)
      devices[0].hall.setGate(nil)
    }
    // … before the one that went gets another key and a flight there.
    try devices[1].edit { context in
      let airport = try context.airport(dropped, devices[1])
      try airport.setValue("code", .string("LSGG"))
      let flight = try context.insert("Flight")
      try flight.setValue("name", .string("home"))
      try flight.setRelated("airport", airport)
    }
    try await devices[1].sync()
    try await sync(devices)
    for device in devices {
      #expect(try device.airports == ["LSGG: home", "LSZH: "])
    }
    try await expectNoEcho(devices)
  }

  @Test
  func `who refers to one that became another here, and may be gone there, refers to that one`()
    async throws
  {
    let devices = try devices(2)
    try devices[0].makeAirports("LSZH")
    try await sync(devices)
    try devices[1].makeAirports("LSZX")
    try await sync(devices)
    try devices[0].edit { context in
      try context.airport("LSZX").setValue("code", .string("LSZH"))
    }
    for step in [SyncStep.pull, .schema, .push, .pull, .settle] {
      _ = try await devices[0].carryOut(step)
    }
    let dropped = try #require(try devices[0].dropped)
    devices[0].hall.setGate { $0.path == "records/modify" ? .loseRequest : .pass }
    #expect(try await devices[0].carryOut(.push) == .unanswered("lost"))
    devices[0].hall.setGate(nil)
    try devices[1].edit { context in
      let airport = try context.airport(dropped, devices[1])
      try airport.setValue("code", .string("LSGG"))
      let flight = try context.insert("Flight")
      try flight.setValue("name", .string("home"))
      try flight.setRelated("airport", airport)
    }
    // Only what it sends: it hears of nothing before.
    for step in [SyncStep.push, .schema, .push, .lookUp, .push] {
      _ = try await devices[1].carryOut(step)
    }
    try await sync(devices)
    for device in devices {
      let airports = try device.airports
      #expect(airports == ["LSZH: home"], "\(airports)")
    }
    try await expectNoEcho(devices)
  }

  @Test func `a reference to one that became another long ago leads to that one`() async throws {
    let devices = try devices(3)
    try devices[0].makeAirports("LSZH", "LSZX")
    try await sync(devices)
    try devices[0].edit { context in
      try context.airport("LSZX").setValue("code", .string("LSZH"))
    }
    try await devices[0].sync()
    let dropped = try #require(try devices[0].dropped)
    for device in [devices[1], devices[0], devices[1], devices[0]] { try await device.sync() }
    // Somebody who was away has not heard of it, and sends before reading.
    try devices[2].edit { context in
      let flight = try context.insert("Flight")
      try flight.setValue("name", .string("home"))
      try flight.setRelated("airport", try context.airport(dropped, devices[2]))
    }
    for step in [SyncStep.push, .schema, .push] { _ = try await devices[2].carryOut(step) }
    try await sync(devices)
    for device in devices { #expect(try device.airports == ["LSZH: home"]) }
    try await expectNoEcho(devices)
  }

  @Test func `what became another object is not given up, only sent again`() async throws {
    let devices = try devices(2)
    try devices[0].makeAirports("LSZH", "LSZX")
    try await sync(devices)
    try devices[0].edit { context in
      try context.airport("LSZX").setValue("code", .string("LSZH"))
    }
    for step in [SyncStep.pull, .schema, .push, .pull, .settle] {
      _ = try await devices[0].carryOut(step)
    }
    devices[0].hall.setGate { $0.path == "records/modify" ? .refuse(.accessDenied) : .pass }
    _ = try await devices[0].carryOut(.push)
    devices[0].hall.setGate(nil)
    #expect(try devices[0].changes(.failed).map(\.change.kind) == [.delete])
    #expect(try devices[0].store.discardFailedChanges() == 0)
    #expect(try devices[0].airports == ["LSZH: "])
    #expect(try devices[0].store.retryFailedChanges() == 1)
    try await sync(devices)
    for device in devices { #expect(try device.airports == ["LSZH: "]) }
    try await expectNoEcho(devices)
  }

  @Test func `a deletion is sent though the object that it named became another one`()
    async throws
  {
    let devices = try devices(2)
    let (ann, ben) = (devices[0], devices[1])
    try ann.makeAirports("LSZH", "LSZX")
    try ann.edit { try $0.insert("Flight").setValue("name", .string("home")) }
    try await sync(devices)
    try ann.edit { try $0.airport("LSZX").setValue("code", .string("LSZH")) }
    try await ann.sync()
    let dropped = try #require(try ann.dropped)
    for device in [ben, ann] { try await device.sync() }
    // Who has heard of it refers to it all the same, as one that was away does.
    let cy = try Device(3, ann.hall, schema: Self.schema)
    try await cy.refer(first: "Flight", to: dropped)
    try ann.edit(first: "Flight") { try $0.setValue("name", .string("away")) }
    for step in [SyncStep.schema, .push, .lookUp] { _ = try await ann.carryOut(step) }
    try ann.edit { try $0.delete($0.first("Flight")) }
    _ = try await ann.carryOut(.pull)
    #expect(try ann.changes(.pending).map(\.change.kind) == [.delete])
    try await sync(devices)
    for device in devices {
      #expect(try device.objects("Flight") == [])
      #expect(try await device.verify().shown == [])
    }
  }

  @Test func `objects without a key stay apart`() async throws {
    let devices = try devices(2)
    for device in devices {
      try device.edit { context in
        try context.insert("Airport").setValue("city", .string("somewhere"))
        try context.insert("Airport").setValue("code", .string(""))
      }
    }
    try await sync(devices)
    for device in devices { #expect(try device.airports.count == 4) }
  }

  @Test func `what was done elsewhere to an object that became another one is done to that one`()
    async throws
  {
    let devices = try devices(3)
    try devices[0].makeAirports("LSZH")
    try await sync(devices)
    try devices[1].makeAirports("LSZH")
    try await devices[1].session(without: .settle)
    // The third device has both; the first one makes them one meanwhile.
    try await devices[2].session(without: .settle)
    try await devices[0].sync()
    let loser = try #require(try devices[0].dropped)
    try devices[2].edit { context in
      let airport = try context.airport(loser, devices[2])
      try airport.setValue("city", .string("late"))
      let flight = try context.insert("Flight")
      try flight.setValue("name", .string("late flight"))
      try flight.setRelated("airport", airport)
    }
    try await sync(devices)
    for device in devices { #expect(try device.airports == ["LSZH late: late flight"]) }
    for device in devices { #expect(try device.changes(.failed) == []) }
    try await expectNoEcho(devices)
  }
}

extension Device {
  fileprivate func makeAirports(_ codes: String...) throws {
    try edit { context in
      for code in codes { try context.insert("Airport").setValue("code", .string(code)) }
    }
  }

  /// Has the server's first record of a type refer to the airport of a name, whether that is there or not.
  fileprivate func refer(first type: String, to airport: String) async throws {
    try await sync()
    let row = try #require(
      try session.read { try $0.records(from: 1, count: .max / 2).first { $0.type == type } })
    let tag = try session.read { try $0.baseTag(of: row.number) }
    let record = Record(
      recordName: row.name, recordType: type,
      fields: RecordFields([("airport", RecordField(.string(airport)))]), changeTag: tag)
    let request = ModifyRequest(
      operations: [RecordOperation(.update, record)],
      zone: ZoneIdentity(name: SyncConfiguration.nativeZone))
    _ = await hall.send(
      SyncCall("records/modify", in: .database(.private), body: try request.json()))
  }

  /// A pass that sends and reads, and is gone before its last step.
  fileprivate func session(without last: SyncStep) async throws {
    for step in [SyncStep.pull, .schema, .push, .pull] where step != last {
      _ = try await carryOut(step)
    }
    try restart()
  }

  /// The record's name of the object that became another one.
  fileprivate var dropped: String? {
    get throws {
      reports.compactMap { if case .unified(_, let dropped) = $0 { dropped } else { nil } }.last
    }
  }

  /// The airports as texts: key, values, flights and pilots.
  fileprivate var airports: [String] {
    get throws {
      var found: [String] = []
      try edit { context in
        for airport in try context.fetch(FetchRequest("Airport")) {
          let head = try ["code", "country", "city"].compactMap { try airport.text($0) }
          let related = try ["flights", "pilots"].flatMap { name in
            try airport.relatedObjects(name).compactMap { try $0.text("name") }.sorted()
          }
          found.append("\(head.joined(separator: " ")): \(related.joined(separator: " "))")
        }
      }
      return found.sorted()
    }
  }
}

extension ModelContext {
  fileprivate func airport(_ code: String) throws -> ManagedObject {
    try #require(try fetch(FetchRequest("Airport")).first { try $0.text("code") == code })
  }

  /// The airport with that record name.
  fileprivate func airport(_ name: String, _ device: Device) throws -> ManagedObject {
    let row = try #require(try device.session.read { try $0.record(named: name, zone: 1) })
    let key: Int64? = if case .object(_, let key) = row.owner { key } else { nil }
    return try #require(
      try fetch(FetchRequest("Airport")).first { $0.key == key })
  }
}

extension ManagedObject {
  fileprivate func text(_ name: String) throws -> String? {
    if case .string(let text) = try value(name) { text } else { nil }
  }
}
