import DataModel
import ObjectStore
import RecordServer
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

/// Records that were gone and are there again: sent by another device, or made anew by another program.
@Suite struct ReturningTests {
  static let schema = Schema(
    name: "Log",
    entities: [
      Schema.Entity(
        name: "Airport",
        attributes: [Schema.Attribute(name: "code", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(
            name: "flights", destination: "Flight", inverse: "airport", isToMany: true)
        ]),
      Schema.Entity(
        name: "Flight",
        attributes: [
          Schema.Attribute(name: "number", type: .string, isOptional: true),
          Schema.Attribute(
            name: "plan", type: .binaryData, isOptional: true, options: .externalStorage),
        ],
        relationships: [
          Schema.Relationship(name: "airport", destination: "Airport", inverse: "flights")
        ]),
    ])

  let hall = RecordHall()

  private func device(
    _ number: UInt64, _ policy: TroublePolicy = .ask, schema: Schema = Self.schema
  ) throws -> Device {
    let policies = Trouble.allCases.filter { $0 != .quotaExceeded }.map { ($0, policy) }
    return try Device(
      number, hall, schema: schema, policies: Dictionary(uniqueKeysWithValues: policies))
  }

  private func insert(_ device: Device, plan: [UInt8]? = nil) throws {
    try device.edit { context in
      let airport = try context.insert("Airport")
      try airport.setValue("code", .string("LSZH"))
      let flight = try context.insert("Flight")
      try flight.setValue("number", .string("LX 8"))
      if let plan { try flight.setValue("plan", .data(plan)) }
      try flight.setRelated("airport", airport)
    }
  }

  private func plan(_ device: Device) throws -> FieldValue? {
    let context = ModelContext(device.store)
    defer { withExtendedLifetime(context) {} }
    return try context.fetch(FetchRequest("Flight")).first?.value("plan")
  }

  private func setPlan(_ device: Device, _ bytes: [UInt8]?) throws {
    try device.edit(first: "Flight") { try $0.setValue("plan", bytes.map { .data($0) } ?? .null) }
  }

  /// Another program does something to a record.
  private func modify(_ kind: RecordOperation.Kind, _ record: Record) async throws {
    let request = ModifyRequest(
      operations: [RecordOperation(kind, record)],
      zone: ZoneIdentity(name: SyncConfiguration.nativeZone))
    _ = await hall.send(
      SyncCall("records/modify", in: .database(.private), body: try request.json()))
  }

  private func loseZone() async throws {
    for kind in [ZoneModifyRequest.Operation.Kind.delete, .create] {
      let request = ZoneModifyRequest(
        operations: [.init(kind, ZoneIdentity(name: SyncConfiguration.nativeZone))])
      _ = await hall.send(
        SyncCall("zones/modify", in: .database(.private), body: try request.json()))
    }
  }

  private func name(of entity: String, _ device: Device) throws -> String {
    try device.session.read { rows in
      try #require(
        try rows.records(from: 1, count: .max / 2).first { $0.type == entity }?.name)
    }
  }

  private func expectSame(
    _ devices: [Device], _ entity: String = "Flight", rounds: Int = 2
  ) async throws {
    for _ in 0..<rounds {
      for device in devices { #expect(try await device.sync().outcome == .complete) }
    }
    for device in devices {
      #expect(try device.objects(entity) == devices[0].objects(entity))
      #expect(try device.bases() == devices[0].bases())
      #expect(try device.changes(.pending) == [])
      #expect(try await device.verify().shown == [])
    }
  }

  @Test func `references to an object that went are there again when it is`() async throws {
    let (ann, ben) = (try device(1), try device(2))
    try insert(ann)
    for device in [ann, ben] { try await device.sync() }
    let airport = try name(of: "Airport", ann)
    try await modify(.forceDelete, Record(recordName: airport, recordType: "Airport"))
    for device in [ann, ben] { try await device.sync() }
    #expect(try ann.objects("Flight") == ["number=LX 8"])
    try await modify(
      .create,
      Record(
        recordName: airport, recordType: "Airport",
        fields: RecordFields([("code", RecordField(.string("LSZH")))])))
    try await expectSame([ann, ben])
    #expect(try ann.objects("Flight") == ["airport=\(airport) number=LX 8"])
  }

  @Test func `a reference that was emptied meanwhile stays empty when its object is there again`()
    async throws
  {
    let (ann, ben) = (try device(1), try device(2))
    try insert(ann)
    for device in [ann, ben] { try await device.sync() }
    let (airport, flight) = (try name(of: "Airport", ann), try name(of: "Flight", ann))
    try await modify(.forceDelete, Record(recordName: airport, recordType: "Airport"))
    try await ann.sync()
    try await modify(
      .forceUpdate,
      Record(
        recordName: flight, recordType: "Flight",
        fields: RecordFields([("airport", RecordField(.null))])))
    try await ann.sync()
    try await modify(
      .create,
      Record(
        recordName: airport, recordType: "Airport",
        fields: RecordFields([("code", RecordField(.string("LSZH")))])))
    try await expectSame([ann, ben])
    #expect(try ann.objects("Flight") == ["number=LX 8"])
  }

  @Test func `what a server that was put back tells before anybody knows takes nothing away`()
    async throws
  {
    let ann = try device(1)
    try insert(ann)
    try await ann.sync()
    let backup = hall.backup()
    try ann.edit(first: "Flight") { try $0.setValue("number", .string("LX 9")) }
    try await ann.sync()
    hall.restore(backup)
    // The push is refused for its tag, and the record is looked up.
    let nowhere: ManagedObject? = nil
    try ann.edit(first: "Flight") { try $0.setRelated("airport", nowhere) }
    for step in [SyncStep.push, .lookUp] { _ = try await ann.carryOut(step) }
    #expect(try ann.objects("Flight") == ["number=LX 9"])
  }

  @Test func `a reference that waits and that a restored server has lost is sent again`()
    async throws
  {
    let (ann, ben) = (try device(1, .reupload), try device(2, .reupload))
    try ann.edit { try $0.insert("Flight").setValue("number", .string("LX 8")) }
    for device in [ann, ben] { try await device.sync() }
    let backup = hall.backup()
    try ann.edit { context in
      let airport = try context.insert("Airport")
      try context.first("Flight").setRelated("airport", airport)
    }
    try await ann.sync()
    let airport = try name(of: "Airport", ann)
    try await modify(.forceDelete, Record(recordName: airport, recordType: "Airport"))
    try await ben.sync()
    #expect(try ben.objects("Flight") == ["number=LX 8"])
    hall.restore(backup)
    try await expectSame([ben, ann])
    #expect(try ben.objects("Flight") == ["airport=\(airport) number=LX 8"])
  }

  @Test func `what a device has not is left to who has it when a server is put back`() async throws
  {
    let schema = FlightLog.schema
    let (ann, ben) = (
      try device(1, .reupload, schema: schema), try device(2, .reupload, schema: schema)
    )
    try ann.edit { try $0.insert("Entry").setValue("route", .string("ZRH")) }
    for device in [ann, ben] { try await device.sync() }
    let backup = hall.backup()
    try ann.edit { context in
      let (pilot, license) = (try context.insert("Pilot"), try context.insert("License"))
      try pilot.setRelated("license", license)
      try context.first("Entry").setRelated("pilot", pilot)
      try context.first("Entry").setRelated("witness", context.insert("Person"))
    }
    for device in [ann, ben] { try await device.sync() }
    for entity in ["Pilot", "Person"] {
      try await modify(
        .forceDelete, Record(recordName: try name(of: entity, ann), recordType: entity))
    }
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["route=ZRH"])
    let whole = try ann.objects("Entry")
    hall.restore(backup)
    try await expectSame([ben, ann], "Entry", rounds: 3)
    #expect(try ben.objects("Entry") == whole)
    #expect(whole[0].contains("pilot_order=") && whole[0].contains("witness="))
  }

  @Test func `a deletion that was refused is done when the server has lost the record`()
    async throws
  {
    let (ann, ben) = (try device(1, .keepLocal), try device(2, .reupload))
    try insert(ann)
    for device in [ann, ben] { try await device.sync() }
    try ann.edit { try $0.delete($0.first("Flight")) }
    hall.setGate { $0.path == "records/modify" ? .refuse(.accessDenied) : .pass }
    try await ann.sync()
    hall.setGate(nil)
    #expect(try ann.changes(.failed).map(\.change.kind) == [.delete])
    try await loseZone()
    try await expectSame([ann, ben], rounds: 3)
    #expect(try ann.changes(.failed) == [])
    #expect(try ann.objects("Flight").count == 1)
  }
}

extension ReturningTests {
  @Test func `a file that was set and not sent when the server lost its record wins over none`()
    async throws
  {
    let (ann, ben) = (try device(1, .reupload), try device(2, .reupload))
    try insert(ann, plan: [1])
    try await ann.sync()
    hall.setGate { $0.path == "assets/file" ? .loseReply : .pass }
    try await ben.sync()
    hall.setGate(nil)
    try setPlan(ann, [2])
    try await loseZone()
    try await ben.sync()
    try await expectSame([ann, ben])
    #expect(try [plan(ann), plan(ben)] == [.data([2]), .data([2])])
  }

  @Test func `a file is sent again by who has it, though others have sent its record without`()
    async throws
  {
    let (ann, ben) = (try device(1, .reupload), try device(2, .reupload))
    try insert(ann)
    try await ann.sync()
    try setPlan(ann, [1])
    try await loseZone()
    try await ann.sync()
    hall.setGate { $0.path == "assets/file" ? .loseReply : .pass }
    try await ben.sync()
    hall.setGate(nil)
    try await loseZone()
    try await ben.sync()
    try await expectSame([ann, ben])
    #expect(try [plan(ann), plan(ben)] == [.data([1]), .data([1])])
  }

  @Test func `who sent a record without its file takes the file from who sends it`() async throws {
    let (ann, ben) = (try device(1, .reupload), try device(2, .reupload))
    try insert(ann, plan: [1])
    try await ann.sync()
    hall.setGate { $0.path == "assets/file" ? .loseReply : .pass }
    try await ben.sync()
    hall.setGate(nil)
    try await loseZone()
    // Both are about to send it: ann is first.
    hall.setGate { $0.path == "records/modify" ? .loseRequest : .pass }
    try await ben.sync()
    hall.setGate(nil)
    try await ann.sync()
    try await expectSame([ben, ann])
    #expect(try [plan(ann), plan(ben)] == [.data([1]), .data([1])])
  }

  @Test(arguments: [false, true])
  func `a file that is taken away while the server is put back stays away`(
    isTakenLate: Bool
  ) async throws {
    let (ann, ben) = (try device(1, .reupload), try device(2, .reupload))
    try insert(ann)
    for device in [ann, ben] { try await device.sync() }
    let backup = hall.backup()
    try setPlan(ann, [1])
    for device in [ann, ben] { try await device.sync() }
    // Some changes more, so that the server that is put back does not grow as far again.
    for code in ["KSFO", "KLAX", "LSZB", "LSZH"] {
      try ann.edit(first: "Airport") { try $0.setValue("code", .string(code)) }
      try await ann.sync()
    }
    try await ben.sync()
    hall.restore(backup)
    if isTakenLate {
      // What was lost is about to be sent.
      hall.setGate { $0.path == "records/modify" ? .loseRequest : .pass }
      try await ann.sync()
      hall.setGate(nil)
    }
    try setPlan(ann, nil)
    try await ann.sync()
    try await expectSame([ben, ann])
    #expect(try [plan(ann), plan(ben)] == [.null, .null])
  }
}
