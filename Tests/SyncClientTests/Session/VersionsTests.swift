import DataModel
import Foundation
import ObjectStore
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

/// Devices with different versions of a program.
@Suite struct VersionsTests {
  private static let tail = Schema.Attribute(name: "tail", type: .string, isOptional: true)
  private static let version = Schema.Attribute(
    name: "version", type: .integer64, isOptional: true)

  private static let first = Schema(
    name: "Log",
    entities: [Schema.Entity(name: "Entry", attributes: [tail, version], versionField: "version")])

  private static let second = Schema(
    name: "Log",
    entities: [
      Schema.Entity(
        name: "Entry",
        attributes: [
          tail, version, Schema.Attribute(name: "remarks", type: .string, isOptional: true),
        ], versionField: "version"),
      Schema.Entity(name: "Pilot", attributes: [tail]),
    ])

  let hall = RecordHall()
  let folder = try? TemporaryFolder()

  private func file(_ name: String) throws -> Store.Location {
    .file(try #require(folder).path + "/\(name).sqlite")
  }

  private func shareEntryAndPilot(from ann: Device) async throws {
    try ann.edit { context in
      let entry = try context.insert("Entry")
      try entry.setValue("tail", .string("N1"))
      try entry.setValue("remarks", .string("calm"))
      try context.insert("Pilot").setValue("tail", .string("Ann"))
    }
    try await ann.sync()
  }

  @Test func `what an old program does not know survives its edits, and appears after an upgrade`()
    async throws
  {
    let ann = try Device(1, hall, schema: Self.second)
    try await shareEntryAndPilot(from: ann)
    do {
      let ben = try Device(2, hall, schema: Self.first, at: file("ben"))
      try await ben.sync()
      #expect(try ben.objects("Entry") == ["tail=N1"])
      try ben.edit { context in
        let entry = try #require(try context.fetch(FetchRequest("Entry")).first)
        try entry.setValue("tail", .string("N2"))
      }
      try await ben.sync()
    }
    try await ann.sync()
    #expect(try ann.objects("Entry") == ["remarks=calm tail=N2"])
    let upgraded = try Device(2, hall, schema: Self.second, at: file("ben"))
    hall.forgetCalls()
    _ = try await upgraded.carryOut(.hello)
    #expect(try upgraded.objects("Entry") == ["remarks=calm tail=N2"])
    #expect(try upgraded.objects("Pilot") == ["tail=Ann"])
    #expect(hall.calls == ["capabilities"])
    let pass = try await upgraded.sync()
    #expect(pass == SyncMachine.PassEnd(.complete, SyncTally()))
  }

  @Test func `an edit of a new field that waits to be sent is not overwritten by an upgrade`()
    async throws
  {
    let ann = try Device(1, hall, schema: Self.second)
    try await shareEntryAndPilot(from: ann)
    do {
      let ben = try Device(2, hall, schema: Self.first, at: file("ben"))
      try await ben.sync()
    }
    let upgraded = try Device(2, hall, schema: Self.second, at: file("ben"))
    try upgraded.edit { context in
      let entry = try #require(try context.fetch(FetchRequest("Entry")).first)
      try entry.setValue("remarks", .string("mine"))
    }
    try await upgraded.sync()
    try await ann.sync()
    #expect(try upgraded.objects("Entry") == ["remarks=mine tail=N1"])
    #expect(try ann.objects("Entry") == ["remarks=mine tail=N1"])
  }

  @Test func `records for later versions are held, and appear when the program is one`()
    async throws
  {
    let ann = try Device(1, hall, schema: Self.first)
    try ann.edit { context in
      for number in 1...3 {
        let entry = try context.insert("Entry")
        try entry.setValue("tail", .string("v\(number)"))
        try entry.setValue("version", .integer(Int64(number)))
      }
    }
    try await ann.sync()
    do {
      let ben = try Device(2, hall, schema: Self.first, at: file("ben"), versionMax: 1)
      try await ben.sync()
      #expect(try ben.objects("Entry") == ["tail=v1 version=1"])
      #expect(try ben.bases().count == 3)
      #expect(try ben.store.laterRecordCount() == 2)
    }
    let upgraded = try Device(2, hall, schema: Self.first, at: file("ben"), versionMax: 2)
    _ = try await upgraded.carryOut(.hello)
    #expect(try upgraded.objects("Entry") == ["tail=v1 version=1", "tail=v2 version=2"])
    #expect(try upgraded.store.laterRecordCount() == 1)
  }

  enum Trial: CaseIterable { case none, recreation, recreationOfWhatIsLost }

  @Test(arguments: Trial.allCases)
  func `a record that came back for later versions appears though edits were lost with it`(
    trial: Trial
  ) async throws {
    let ann = try Device(1, hall, schema: Self.first)
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    try await ann.sync()
    let name: String
    do {
      let ben = try Device(2, hall, schema: Self.first, at: file("ben"), versionMax: 1)
      try await ben.sync()
      try ann.edit { try $0.delete($0.first("Entry")) }
      try await ann.sync()
      try ben.edit(first: "Entry") { try $0.setValue("tail", .string("N2")) }
      try await ben.sync()
      name = try #require(try ben.store.failedChanges().first?.recordName)
      let record = Record(
        recordName: name, recordType: "Entry",
        fields: RecordFields([
          ("tail", RecordField(.string("N3"))), ("version", RecordField(.int64(2))),
        ]))
      let request = ModifyRequest(
        operations: [RecordOperation(.create, record)],
        zone: ZoneIdentity(name: SyncConfiguration.nativeZone))
      _ = await hall.send(
        SyncCall("records/modify", in: .database(.private), body: try request.json()))
      try await ben.sync()
      if trial == .recreationOfWhatIsLost {
        try await hall.makeAnew(ZoneIdentity(name: SyncConfiguration.nativeZone))
        #expect(try await ben.sync().outcome == .trouble(.zoneReset))
        try ben.session.resolve(.reupload, now: hall.now())
      }
      if trial != .none {
        #expect(try ben.store.recreateFailedChanges() == 0)
        try await ben.sync()
      }
      #expect(try ben.objects("Entry") == [])
    }
    let upgraded = try Device(2, hall, schema: Self.first, at: file("ben"), versionMax: 2)
    _ = try await upgraded.carryOut(.hello)
    #expect(try upgraded.objects("Entry") == ["tail=N3 version=2"])
    #expect(try upgraded.store.failedChanges().map(\.recordName) == [name])
  }

  @Test func `objects of an entity that adds no field appear when the program knows it`()
    async throws
  {
    let vehicle = Schema.Entity(name: "Vehicle", attributes: [Self.tail])
    let car = Schema.Entity(name: "Car", parent: "Vehicle")
    let ann = try Device(
      1, hall, schema: Schema(name: "Cars", entities: [vehicle, car]), profile: .coreData)
    try ann.edit { try $0.insert("Car").setValue("tail", .string("N1")) }
    try await ann.sync()
    do {
      let ben = try Device(
        2, hall, schema: Schema(name: "Cars", entities: [vehicle]), profile: .coreData,
        at: file("ben"))
      try await ben.sync()
      #expect(try ben.objects("Vehicle") == [])
    }
    let upgraded = try Device(
      2, hall, schema: Schema(name: "Cars", entities: [vehicle, car]), profile: .coreData,
      at: file("ben"))
    try await upgraded.sync()
    #expect(try upgraded.objects("Car") == ["CD_entityName=Car CD_tail=N1"])
  }

  @Test func `records appear when their type has no version any more`() async throws {
    let ann = try Device(1, hall, schema: Self.first)
    try ann.edit { try $0.insert("Entry").setValue("version", .integer(2)) }
    try await ann.sync()
    do {
      let ben = try Device(2, hall, schema: Self.first, at: file("ben"), versionMax: 1)
      try await ben.sync()
      #expect(try ben.objects("Entry") == [])
    }
    var plain = Self.first
    plain.entities[0].versionField = nil
    let later = try Device(2, hall, schema: plain, at: file("ben"), versionMax: 1)
    try await later.sync()
    #expect(try later.objects("Entry") == ["version=2"])
  }

  @Test func `a record that rises above the version disappears, and is not deleted`() async throws {
    let ann = try Device(1, hall, schema: Self.first)
    let ben = try Device(2, hall, schema: Self.first, versionMax: 1)
    try ann.edit { try $0.insert("Entry").setValue("version", .integer(1)) }
    try await ann.sync()
    try await ben.sync()
    try ann.edit { context in
      let entry = try #require(try context.fetch(FetchRequest("Entry")).first)
      try entry.setValue("version", .integer(2))
    }
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == [])
    try await ben.sync()
    try await ann.sync()
    #expect(try ann.objects("Entry") == ["version=2"])
  }

  @Test func `a record that rises above the version disappears when what was done to it is sent`()
    async throws
  {
    let ann = try Device(1, hall, schema: Self.first)
    let ben = try Device(2, hall, schema: Self.first, versionMax: 1)
    try ann.edit { try $0.insert("Entry").setValue("version", .integer(1)) }
    try await ann.sync()
    try await ben.sync()
    try set("version", .integer(2), on: ann)
    try await ann.sync()
    try set("tail", .string("N2"), on: ben)
    try await ben.sync()
    #expect(try ben.objects("Entry") == [])
    #expect(try ben.changes(.pending) == [])
    try await ann.sync()
    #expect(try ann.objects("Entry") == ["tail=N2 version=2"])
    try set("version", .integer(1), on: ann)
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=N2 version=1"])
  }

  @Test
  func `a record that rises above the version stays until what a server has lost of it is sent`()
    async throws
  {
    let policies: [Trouble: TroublePolicy] = [.serverRestored: .reupload]
    let ann = try Device(1, hall, schema: Self.first, policies: policies)
    let ben = try Device(2, hall, schema: Self.first, versionMax: 1, policies: policies)
    try ann.edit { try $0.insert("Entry").setValue("version", .integer(1)) }
    try await ann.sync()
    try await ben.sync()
    let backup = hall.backup()
    try set("tail", .string("N2"), on: ben)
    try await ben.sync()
    hall.restore(backup)
    for version in [3, 2] {
      try set("version", .integer(Int64(version)), on: ann)
      try await ann.sync()
    }
    try await ben.sync()
    #expect(try ben.changes(.pending) == [])
    #expect(try ben.objects("Entry") == [])
    try await ann.sync()
    #expect(try ann.objects("Entry") == ["tail=N2 version=2"])
  }

  @Test func `what a server has lost of a record for later versions comes from who only keeps it`()
    async throws
  {
    let policies = Trouble.allCases.filter { $0 != .quotaExceeded }.map {
      ($0, TroublePolicy.reupload)
    }
    func device(_ number: UInt64, versionMax: Int64? = nil) throws -> Device {
      try Device(
        number, hall, schema: Self.first, versionMax: versionMax,
        policies: Dictionary(uniqueKeysWithValues: policies))
    }
    let (ann, ben, cy) = (try device(1), try device(2, versionMax: 1), try device(3))
    try ann.edit { try $0.insert("Entry").setValue("version", .integer(1)) }
    for device in [ann, ben, cy] { try await device.sync() }
    try set("tail", .string("N2"), on: ben)
    try await ben.sync()
    try set("version", .integer(2), on: cy)
    for device in [cy, ben] { try await device.sync() }
    #expect(try ben.objects("Entry") == [])
    // Ann has heard of neither, and is the first to send the record again.
    try await hall.makeAnew(ZoneIdentity(name: SyncConfiguration.nativeZone))
    for device in [ann, ben, ann] { try await device.sync() }
    #expect(try ann.objects("Entry") == ["tail=N2 version=2"])
    #expect(try ben.objects("Entry") == [])
    #expect(try ann.bases() == ben.bases())
    for device in [ann, ben] {
      #expect(try device.changes(.pending) == [])
      #expect(try await device.verify().shown == [])
    }
  }

  private func set(_ name: String, _ value: FieldValue, on device: Device) throws {
    try device.edit { context in
      try #require(try context.fetch(FetchRequest("Entry")).first).setValue(name, value)
    }
  }
}
