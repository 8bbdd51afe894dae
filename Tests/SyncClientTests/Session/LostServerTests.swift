import DataModel
import Foundation
import ObjectStore
import RecordServer
import RecordWire
import SyncCore
import Synchronization
import Testing

@testable import SyncClient

/// Devices that do different things about what a server has lost, or learn of it at different times.
@Suite struct LostServerTests {
  private static func attribute(_ name: String) -> Schema.Attribute {
    Schema.Attribute(name: name, type: .string, isOptional: true)
  }

  private static func schema(_ attributes: Schema.Attribute...) -> Schema {
    Schema(
      name: "Log",
      entities: [Schema.Entity(name: "Entry", attributes: [attribute("tail")] + attributes)])
  }

  static let schema = schema(
    attribute("remarks"),
    Schema.Attribute(
      name: "hours", type: .integer64, isOptional: true, userInfo: ["contrail.merge": "counter"]))

  let hall = RecordHall()

  private func device(_ number: UInt64, _ policy: TroublePolicy) throws -> Device {
    let policies = Trouble.allCases.filter { $0 != .quotaExceeded }.map { ($0, policy) }
    return try Device(
      number, hall, schema: Self.schema, policies: Dictionary(uniqueKeysWithValues: policies))
  }

  private func change(_ kinds: ZoneModifyRequest.Operation.Kind...) async throws {
    try await hall.change(ZoneIdentity(name: SyncConfiguration.nativeZone), kinds)
  }

  private func set(_ device: Device, _ field: String, _ value: String) throws {
    try device.edit(first: "Entry") { try $0.setValue(field, .string(value)) }
  }

  private func expectSame(_ devices: [Device], _ entries: [String]) async throws {
    for device in devices + devices { #expect(try await device.sync().outcome == .complete) }
    for device in devices {
      #expect(try device.objects("Entry") == entries)
      #expect(try device.bases() == devices[0].bases())
      #expect(try device.changes(.pending) == [])
      #expect(try await device.verify().shown == [])
    }
  }

  @Test func `what is kept here only becomes what another device has sent again`() async throws {
    let (ann, ben) = (try device(1, .keepLocal), try device(2, .reupload))
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    for device in [ann, ben] { try await device.sync() }
    try set(ann, "remarks", "calm")
    try await ann.sync()
    try await change(.delete, .create)
    try await ann.sync()
    #expect(try ann.objects("Entry") == ["remarks=calm tail=N1"])
    try await expectSame([ben, ann], ["tail=N1"])
  }

  @Test(arguments: [TroublePolicy.reupload, .keepLocal, .deleteLocal])
  func `what was deleted here is gone though another device has sent it again`(
    _ policy: TroublePolicy
  ) async throws {
    let (ann, ben) = (try device(1, policy), try device(2, .reupload))
    for tail in ["N1", "N2"] {
      try ann.edit { try $0.insert("Entry").setValue("tail", .string(tail)) }
    }
    for device in [ann, ben] { try await device.sync() }
    try await change(.delete, .create)
    try await ben.sync()
    try ann.edit { try $0.delete($0.first("Entry")) }
    try await expectSame([ann, ben], ["tail=N2"])
  }

  @Test func `what is sent as new wins only where it was edited`() async throws {
    let (ann, ben) = (try device(1, .keepLocal), try device(2, .reupload))
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    for device in [ann, ben] { try await device.sync() }
    try await change(.delete, .create)
    try set(ben, "remarks", "calm")
    try set(ann, "tail", "N2")
    try await expectSame([ann, ben], ["remarks=calm tail=N2"])
  }

  @Test func `an object that was kept here only is sent with its first edit`() async throws {
    let (ann, ben) = (try device(1, .keepLocal), try device(2, .keepLocal))
    try ann.edit { context in
      let entry = try context.insert("Entry")
      try entry.setValue("tail", .string("N1"))
      try entry.setValue("remarks", .string("calm"))
    }
    for device in [ann, ben] { try await device.sync() }
    try await change(.delete, .create)
    for device in [ann, ben] { try await device.sync() }
    let fresh = try device(3, .ask)
    try await expectSame([fresh], [])
    try set(ben, "remarks", "windy")
    try set(ann, "tail", "N2")
    try await expectSame([ann, ben, fresh], ["remarks=windy tail=N2"])
  }

  @Test func `what arrived in a zone that was made anew is not sent a second time`() async throws {
    let ann = try device(1, .reupload)
    try await ann.sync()
    try ann.edit { try $0.insert("Entry").setValue("hours", .integer(8)) }
    _ = try await ann.carryOut(.schema)
    try await change(.delete, .create)
    hall.setGate { $0.path == "records/modify" ? .loseReply : .pass }
    _ = try await ann.carryOut(.push)
    hall.setGate(nil)
    try await expectSame([ann, device(2, .ask)], ["hours=8"])
  }

  @Test func `a tag that a restored server gives again is of another state`() async throws {
    let (ann, ben) = (try device(1, .reupload), try device(2, .reupload))
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    for device in [ann, ben] { try await device.sync() }
    let backup = hall.backup()
    try set(ann, "tail", "N2")
    try await ann.sync()
    // A change more, so that the server that is put back does not grow as far again.
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N3")) }
    try await ann.sync()
    hall.restore(backup)
    try set(ben, "remarks", "calm")
    try await ben.sync()
    #expect(try tags(of: ben).isSubset(of: tags(of: ann)))
    try await expectSame([ann, ben], ["remarks=calm tail=N2", "tail=N3"])
  }

  @Test func `a tag that is given again is of another state, too, where all is read anew`()
    async throws
  {
    let (ann, ben) = (try device(1, .reupload), try device(2, .reupload))
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    try await ann.sync()
    let backup = hall.backup()
    try set(ann, "tail", "N2")
    for device in [ann, ben] { try await device.sync() }
    let before = try tags(of: ben)
    hall.restore(backup)
    try await force("remarks", "calm", inRecord: try #require(ben.bases().keys.first))
    let isExpired = Atomic(true)
    hall.setGate { call in
      guard call.path == "changes/zone",
        isExpired.exchange(false, ordering: .relaxed)
      else { return .pass }
      return .answer(RequestFailure(.changeTokenExpired))
    }
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["remarks=calm tail=N2"])
    #expect(before.count == 1)
  }

  /// Sets a field of a record behind the backs of all.
  private func force(_ field: String, _ value: String, inRecord name: String) async throws {
    let record = Record(
      recordName: name, recordType: "Entry",
      fields: RecordFields([(field, RecordField(.string(value)))]))
    let request = ModifyRequest(
      operations: [RecordOperation(.forceUpdate, record)],
      zone: ZoneIdentity(name: SyncConfiguration.nativeZone))
    _ = await hall.send(
      SyncCall("records/modify", in: .database(.private), body: try request.json()))
  }

  private func tags(of device: Device) throws -> Set<String> {
    Set(
      try device.session.read { rows in
        try rows.records(from: 1, count: .max / 2).compactMap {
          try rows.baseTag(of: $0.number)?.text
        }
      })
  }

  @Test func `objects with natural keys go with all others, without another question`() async throws
  {
    let ann = try Device(
      1, hall, schema: NaturalKeyTests.schema, policies: [.zoneReset: .deleteLocal])
    try ann.edit { try $0.insert("Airport").setValue("code", .string("KSFO")) }
    try await ann.sync()
    try await change(.delete, .create)
    #expect(try await ann.sync().outcome == .complete)
    #expect(try ann.objects("Airport") == [])
    #expect(try ann.bases() == [:])
  }

  @Test func `fields that a program only keeps wait with their record until production has them`()
    async throws
  {
    let hall = RecordHall(.production)
    let newer = Self.schema(Self.attribute("remarks"))
    func device(_ number: UInt64, _ schema: Schema) throws -> Device {
      try Device(number, hall, schema: schema, policies: [.serverRestored: .reupload])
    }
    try await hall.promote(Self.schema())
    let (old, new) = (try device(1, Self.schema()), try device(2, newer))
    try await old.sync()
    let backup = hall.backup()
    try await hall.promote(newer)
    try new.edit { try $0.insert("Entry").setValue("remarks", .string("calm")) }
    for device in [new, old] { try await device.sync() }
    // Production is as it was before the promotion, and only the older program goes on.
    hall.restore(backup)
    try old.edit(first: "Entry") { try $0.setValue("tail", .string("N1")) }
    for _ in 0..<3 { #expect(try await old.sync().outcome == .complete) }
    #expect(try SyncStatus.read(old.store).parked == 1)
    #expect(try SyncStatus.read(old.store).pending == 0)
    #expect(
      try old.log([.parked]) == [#"parked {"type":"Entry","fields":["remarks"]}"#])
    try await hall.promote(newer)
    try await old.sync()
    #expect(try SyncStatus.read(old.store).parked == 0)
    let other = try device(3, newer)
    try await other.sync()
    #expect(try other.objects("Entry") == ["remarks=calm tail=N1"])
  }

  @Test func `what was looked up and cannot be any more is tried again`() async throws {
    let hall = RecordHall(.production)
    try await hall.promote(Self.schema())
    let ann = try Device(1, hall, schema: Self.schema(Self.attribute("remarks")))
    try ann.edit { try $0.insert("Entry").setValue("remarks", .string("calm")) }
    try await ann.sync()
    #expect(try SyncStatus.read(ann.store).parked == 1)
    try await hall.promote(Self.schema(Self.attribute("remarks")))
    ann.configuration.usesExtensions = false
    try ann.restart()
    try await ann.sync()
    #expect(try SyncStatus.read(ann.store).parked == 0)
    #expect(try SyncStatus.read(ann.store).pending == 0)
  }
}
