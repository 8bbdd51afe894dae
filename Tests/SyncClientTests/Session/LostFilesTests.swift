import DataModel
import Foundation
import ObjectStore
import RecordServer
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

/// Files of records that a server has lost.
@Suite struct LostFilesTests {
  let hall = RecordHall()

  private func device(_ number: UInt64) throws -> Device {
    try Device(number, hall, schema: FileSyncTests.schema)
  }

  private func setPicture(_ device: Device, _ bytes: [UInt8]) throws {
    let context = ModelContext(device.store)
    let photo = try context.fetch(FetchRequest("Photo")).first ?? context.insert("Photo")
    try photo.setValue("picture", .data(bytes))
    try photo.setValue("note", .string("n"))
    try context.save()
  }

  /// A pass in which no file comes.
  private func syncWithoutFiles(_ device: Device) async throws {
    hall.setGate { $0.path == "assets/file" ? .loseReply : .pass }
    try await device.sync()
    hall.setGate(nil)
  }

  private func picture(_ device: Device) throws -> FieldValue? {
    let context = ModelContext(device.store)
    defer { withExtendedLifetime(context) {} }
    return try context.fetch(FetchRequest("Photo")).first?.value("picture")
  }

  @Test func `a record that the server has lost is sent again with its file`() async throws {
    let (ann, ben) = (try device(1), try device(2))
    let backup = hall.backup()
    try setPicture(ann, [1, 2, 3])
    try await ann.sync()
    hall.restore(backup)
    try #require(hall.assets).lose(checksum: FileDigest(of: [1, 2, 3]).checksum)
    try ann.session.write { _, rows in
      try rows.run("UPDATE contrail_sync_file SET receipt = NULL")
    }
    #expect(try await ann.sync().outcome == .trouble(.zoneDeleted))
    try ann.session.resolve(.reupload, now: hall.now())
    for device in [ann, ben] { try await device.sync() }
    #expect(try ann.store.failedChanges() == [])
    #expect(try picture(ben) == .data([1, 2, 3]))
    #expect(try ann.bases() == ben.bases())
  }

  @Test
  func `a record that the server has lost before its file was fetched is sent with what is here`()
    async throws
  {
    let (ann, ben, carl) = (try device(1), try device(2), try device(3))
    let backup = hall.backup()
    try setPicture(ann, [1])
    for device in [ann, ben] { try await device.sync() }
    try setPicture(ann, [2])
    try await ann.sync()
    try await syncWithoutFiles(ben)
    #expect(try picture(ben) == .data([1]))
    hall.restore(backup)
    #expect(try await ben.sync().outcome == .trouble(.zoneDeleted))
    try ben.session.resolve(.reupload, now: hall.now())
    for device in [ben, carl] { try await device.sync() }
    #expect(try ben.store.failedChanges() == [])
    #expect(try picture(carl) == .data([1]))
    #expect(try ben.store.awaitedFiles(limit: 1) == [])
    #expect(try ben.store.syncLog(limit: 100).contains { $0.kind == "fileMissing" })
  }

  @Test func `who keeps a record that the server has lost does not wait for its file for ever`()
    async throws
  {
    let (ann, ben) = (try device(1), try device(2))
    let backup = hall.backup()
    try setPicture(ann, [1])
    try await ann.sync()
    hall.setGate { $0.path == "assets/file" ? .loseRequest : .pass }
    try await ben.sync()
    #expect(try ben.store.awaitedFiles(limit: 2).count == 1)
    hall.restore(backup)
    try #require(hall.assets).lose(checksum: FileDigest(of: [1]).checksum)
    hall.setGate(nil)
    #expect(try await ben.sync().outcome == .trouble(.zoneDeleted))
    try ben.session.resolve(.keepLocal, now: hall.now())
    for _ in 0..<2 {
      hall.pass(seconds: 3_600)
      #expect(try await ben.sync().outcome == .complete)
    }
    #expect(try ben.store.awaitedFiles(limit: 1) == [])
    #expect(try picture(ben) == .null)
    // Who has the picture sends it again.
    try ann.session.write { _, rows in
      try rows.run("UPDATE contrail_sync_file SET receipt = NULL")
    }
    #expect(try await ann.sync().outcome == .trouble(.zoneReset))
    try ann.session.resolve(.reupload, now: hall.now())
    for device in [ann, ben] { try await device.sync() }
    #expect(try picture(ben) == .data([1]))
  }
}

/// Files that a device knows of and has not fetched when the server loses them: it has the values before.
extension LostFilesTests {
  /// A device that sends again whatever a server has lost.
  private func sendingDevice(_ number: UInt64) throws -> Device {
    try Device(number, hall, schema: FileSyncTests.schema, policies: .sendingAgain)
  }

  /// Ann has given a second picture of which Ben has not the file, and the server is as it was before that, or
  /// before the first one.
  private func devicesWithUnfetched(
    isBeforeBoth: Bool = false, between: () async throws -> Void = {}
  ) async throws -> (Device, Device) {
    let (ann, ben) = (try sendingDevice(1), try sendingDevice(2))
    try ann.edit { try $0.insert("Photo").setValue("note", .string("n")) }
    for device in [ann, ben] { try await device.sync() }
    let backup = hall.backup()
    try setPicture(ann, [1])
    for device in [ann, ben] { try await device.sync() }
    let later = hall.backup()
    try await between()
    try setPicture(ann, [2])
    try await ann.sync()
    try await syncWithoutFiles(ben)
    #expect(try picture(ben) == .data([1]))
    hall.restore(isBeforeBoth ? backup : later)
    return (ann, ben)
  }

  private func expectSame(_ devices: [Device], _ value: FieldValue) async throws {
    for device in devices + devices { #expect(try await device.sync().outcome == .complete) }
    for device in devices {
      #expect(try picture(device) == value)
      #expect(try device.bases() == devices[0].bases())
      #expect(try device.store.failedChanges() == [])
      #expect(try device.store.awaitedFiles(limit: 1) == [])
      #expect(try await device.verify().shown == [])
    }
  }

  @Test func `who has not its file does not send an edit again that the server has lost`()
    async throws
  {
    let (ann, ben) = try await devicesWithUnfetched()
    try await expectSame([ben], .data([1]))
    try await expectSame([ann, ben], .data([2]))
  }

  @Test func `the last that is left of a picture stays when the server has lost all of them`()
    async throws
  {
    let (ann, ben) = try await devicesWithUnfetched(isBeforeBoth: true)
    try await expectSame([ben, device(3)], .data([1]))
    try await expectSame([ann, ben], .data([2]))
  }

  @Test func `who has an earlier picture takes that another device has taken it away`() async throws
  {
    let (ann, ben) = try await devicesWithUnfetched()
    try await loseZone()
    // Ben is about to send what he has.
    hall.setGate { $0.path == "records/modify" ? .loseRequest : .pass }
    try await ben.sync()
    hall.setGate(nil)
    try ann.edit(first: "Photo") { try $0.setValue("picture", .null) }
    try await expectSame([ann, ben], .null)
  }

  @Test func `an earlier picture that is sent again wins over none, and later ones over it`()
    async throws
  {
    let (ann, ben) = try await devicesWithUnfetched()
    try await loseZone()
    try await expectSame([ben], .data([1]))
    let clocks = try clocks(of: ben)
    #expect(clocks.common.map { none in clocks["picture"].map { none < $0 } } == true)
    try await expectSame([ann, ben], .data([2]))
  }

  @Test(arguments: [true, false])
  func `an earlier picture that is sent again is as old as it was`(isZoneLost: Bool) async throws {
    var given: FieldClock?
    let (ann, ben) = try await devicesWithUnfetched(isBeforeBoth: true) {
      let cy = try self.sendingDevice(3)
      try await cy.sync()
      given = try self.clocks(of: cy)["picture"]
    }
    if isZoneLost { try await loseZone() }
    try await expectSame([ben], .data([1]))
    #expect(try given != nil && clocks(of: ben)["picture"] == given)
    try await expectSame([ann, ben], .data([2]))
  }

  @Test func `when a picture was given that waits is forgotten with the picture itself`()
    async throws
  {
    let (ann, ben) = try await devicesWithUnfetched()
    #expect(try earlierValues(of: ben).map(\.field) == ["picture"])
    try await expectSame([ann], .data([2]))
    hall.pass(seconds: 3_600)
    try await expectSame([ann, ben], .data([2]))
    #expect(try earlierValues(of: ben) == [])
  }

  @Test(arguments: [true, false])
  func `that there was no picture is as old as it was, too`(isZoneLost: Bool) async throws {
    let (ann, ben, cy) = (try sendingDevice(1), try sendingDevice(2), try sendingDevice(3))
    try setPicture(ann, [1])
    for device in [ann, ben, cy] { try await device.sync() }
    let backup = hall.backup()
    try ann.edit(first: "Photo") { try $0.setValue("picture", .null) }
    for device in [ann, ben] { try await device.sync() }
    try setPicture(ann, [2])
    try await ann.sync()
    try await syncWithoutFiles(ben)
    #expect(try picture(ben) == .null)
    if isZoneLost { try await loseZone() } else { hall.restore(backup) }
    try await expectSame([ben, cy], .null)
    try await expectSame([ann, ben, cy], .data([2]))
  }

  @Test func `what gave way by a rule gives way again when it is sent in place of a file`()
    async throws
  {
    let (ann, ben) = (try sendingDevice(1), try sendingDevice(2))
    ben.configuration.rules = ["Photo": ["picture": .server]]
    try ben.restart()
    try ann.edit { try $0.insert("Photo").setValue("note", .string("n")) }
    for device in [ann, ben] { try await device.sync() }
    try setPicture(ann, [1])
    try await ann.sync()
    try setPicture(ben, [2])
    try await syncWithoutFiles(ben)
    #expect(try picture(ben) == .data([2]))
    try await loseZone()
    try await expectSame([ben], .data([2]))
    try await expectSame([ann, ben], .data([1]))
  }

  @Test func `a picture that was given up wins over none only`() async throws {
    let (ann, ben, cy) = (try sendingDevice(1), try sendingDevice(2), try sendingDevice(3))
    try ann.edit { try $0.insert("Photo").setValue("note", .string("n")) }
    try await ann.sync()
    try setPicture(ann, [1])
    for device in [ann, ben, cy] { try await device.sync() }
    try setPicture(ben, [9])
    hall.setGate { $0.path == "records/modify" ? .refuse(.badRequest) : .pass }
    try await ben.sync()
    hall.setGate(nil)
    #expect(try ben.store.discardFailedChanges() == 1)
    try setPicture(ann, [2])
    try await ann.sync()
    try await syncWithoutFiles(ben)
    #expect(try picture(ben) == .data([9]))
    try await loseZone()
    try await expectSame([ben, cy], .data([1]))
    try await expectSame([ann, ben, cy], .data([2]))
  }

  @Test func `an earlier picture does not win over one that nobody here has heard of`() async throws
  {
    let cy = try sendingDevice(3)
    let (ann, ben) = try await devicesWithUnfetched {
      try await cy.sync()
      try self.setPicture(cy, [3])
    }
    try await loseZone()
    try await expectSame([cy, ben], .data([3]))
    try await expectSame([ann, ben, cy], .data([2]))
  }

  @Test func `of earlier pictures that are sent again the last that is left wins`() async throws {
    let (ann, eve) = (try sendingDevice(1), try sendingDevice(4))
    let (ben, cy) = (try sendingDevice(2), try sendingDevice(3))
    try ann.edit { try $0.insert("Photo").setValue("note", .string("n")) }
    for device in [ann, eve] { try await device.sync() }
    // Each has a picture less than what it has heard of.
    for (number, reader) in [(UInt8(1), cy), (2, ben), (3, nil)] {
      try setPicture(eve, [number])
      try await eve.sync()
      try await reader?.sync()
      guard let last = [1: ben, 2: cy][number] else { continue }
      if number == 1 { try await last.sync() }
    }
    for device in [ben, cy] { try await syncWithoutFiles(device) }
    #expect([try picture(cy), try picture(ben)] == [.data([1]), .data([2])])
    try await loseZone()
    try await expectSame([cy], .data([1]))
    try await expectSame([ben, cy], .data([2]))
    try await expectSame([eve, ben, cy], .data([3]))
  }

  private func earlierValues(of device: Device) throws -> [EarlierValue] {
    try device.session.read { rows in
      let row = try #require(try rows.records(from: 1, count: .max / 2).first)
      return try rows.earlierValues(of: row.number)
    }
  }

  private func clocks(of device: Device) throws -> FieldClocks {
    try device.session.read { rows in
      let row = try #require(try rows.records(from: 1, count: .max / 2).first)
      let base = try #require(try rows.base(of: row.number))
      return try #require(device.session.objects.clocks(of: base.fields.fields()))
    }
  }

  private func loseZone() async throws {
    for kind in [ZoneModifyRequest.Operation.Kind.delete, .create] {
      let request = ZoneModifyRequest(
        operations: [.init(kind, ZoneIdentity(name: SyncConfiguration.nativeZone))])
      _ = await hall.send(
        SyncCall("zones/modify", in: .database(.private), body: try request.json()))
    }
  }
}

extension LostFilesTests {
  @Test func `a value whose file somebody has removed fails by name, and the pass ends`()
    async throws
  {
    let folder = try TemporaryFolder()
    let ann = try Device(
      1, hall, schema: FileSyncTests.schema, at: .file(folder.path + "/ann.sqlite"))
    try setPicture(ann, FileSyncTests.large)
    hall.setGate { call in
      call.path == "records/modify" ? .answer(RequestFailure(.authenticationFailed)) : .pass
    }
    try await ann.sync()
    hall.setGate(nil)
    // What was sent is too long ago to be used, and the value is not there to be sent again.
    try ann.session.write { _, rows in
      try rows.run("UPDATE contrail_sync_file SET received = 0")
    }
    try FileManager.default.removeItem(atPath: folder.path + "/ann.sqlite.values")
    let end = try await ann.sync()
    #expect(end.outcome == .complete)
    #expect(try ann.store.failedChanges().map(\.code) == [SyncFailureCode.unrepresentable])
  }

  @Test func `a refusal that names another field than the file's is a failure, and has an end`()
    async throws
  {
    let ann = try device(1)
    try setPicture(ann, [1])
    hall.setGate { call in
      let lack = "Cannot create or modify field 'other' in record 'Photo' in production schema"
      return call.path == "assets/upload"
        ? .answer(RequestFailure(.badRequest, reason: lack)) : .pass
    }
    #expect(try await ann.sync().outcome == .complete)
    #expect(try ann.store.failedChanges().map(\.code) == ["BAD_REQUEST"])
  }

  @Test func `a picture that was given to an object deleted elsewhere is kept with its bytes`()
    async throws
  {
    let (ann, ben) = (try device(1), try device(2))
    try setPicture(ann, [1])
    for device in [ann, ben] { try await device.sync() }
    let context = ModelContext(ann.store)
    try context.delete(try #require(try context.fetch(FetchRequest("Photo")).first))
    try context.save()
    try await ann.sync()
    try setPicture(ben, [2, 3])
    try await ben.sync()
    let failed = try #require(try ben.changes(.failed).first)
    #expect(failed.code == SyncFailureCode.deletedRemotely)
    #expect(try failed.kept?.fields()["picture"]?.value == .bytes([2, 3]))
    // A store that was synced before there was this table, and not since.
    try ben.session.write { _, rows in try rows.run("DROP TABLE contrail_sync_earlier") }
    #expect(try ben.store.discardFailedChanges() == 1)
  }
}
