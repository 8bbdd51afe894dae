import DataModel
import Foundation
import HTTPTransport
import ObjectStore
import RecordServer
import RecordWire
import SyncCore
import Synchronization
import Testing

@testable import SyncClient

@Suite struct FileSyncTests {
  static let large = (0..<120_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
  static let small: [UInt8] = [1, 2, 3]
  static let schema = Schema(
    name: "Album",
    entities: [
      Schema.Entity(
        name: "Photo",
        attributes: [
          Schema.Attribute(name: "caption", type: .string, isOptional: true),
          Schema.Attribute(name: "note", type: .string, isOptional: true),
          Schema.Attribute(
            name: "picture", type: .binaryData, isOptional: true, options: .externalStorage),
        ])
    ])

  let hall = RecordHall()
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func device(
    _ number: UInt64, _ place: World.Place = .memory, _ hall: RecordHall? = nil,
    profile: MappingProfile = .native
  ) throws -> Device {
    try Device(
      number, hall ?? self.hall, schema: FileSyncTests.schema, profile: profile,
      at: place == .memory ? .memory : .file(folder.path + "/\(number).sqlite"))
  }

  private func edit(_ device: Device, _ body: (ManagedObject) throws -> Void) throws {
    let context = ModelContext(device.store)
    try body(try context.fetch(FetchRequest("Photo")).first ?? context.insert("Photo"))
    try context.save()
  }

  private func setPicture(_ device: Device, _ bytes: [UInt8]?) throws {
    try edit(device) { try $0.setValue("picture", bytes.map { .data($0) } ?? .null) }
  }

  /// What a server without extensions lacks is told by the words of its refusal only.
  private func refuseUploads(_ reason: String) {
    hall.setGate { call in
      call.path == "assets/upload" ? .answer(RequestFailure(.badRequest, reason: reason)) : .pass
    }
  }

  private func picture(_ device: Device) throws -> FieldValue? {
    let context = ModelContext(device.store)
    defer { withExtendedLifetime(context) {} }
    return try context.fetch(FetchRequest("Photo")).first?.value("picture")
  }

  private func differences(_ device: Device) throws -> [String] {
    try device.session.inspection().records.flatMap { $0.differences }
  }

  private func awaited(_ device: Device) throws -> [String] {
    try device.store.awaitedFiles(limit: 10).map {
      "\($0.field) \($0.code ?? "-") \($0.attempts)"
    }
  }

  @Test(arguments: World.Place.allCases, [120_000, 3, 0])
  func `bytes of any size go across`(place: World.Place, count: Int) async throws {
    let bytes = Array(Self.large.prefix(count))
    let (ann, ben) = (try device(1, place), try device(2, place))
    try setPicture(ann, bytes)
    let sent = try await ann.sync()
    #expect(sent == SyncMachine.PassEnd(.complete, SyncTally(pushed: 1, uploaded: 1)))
    let received = try await ben.sync()
    #expect(received == SyncMachine.PassEnd(.complete, SyncTally(pulled: 1, downloaded: 1)))
    #expect(try picture(ben) == .data(bytes))
    #expect(try ann.bases() == ben.bases())
    #expect(try awaited(ben) == [])
    hall.forgetCalls()
    for device in [ann, ben] { try await device.sync() }
    #expect(!hall.calls.contains { $0 == "records/modify" || $0.hasPrefix("assets/") })
    #expect(try differences(ben) == [])
  }

  @Test func `a file that was fetched is moved into the store, and nothing is left beside it`()
    async throws
  {
    let (ann, ben) = (try device(1, .file), try device(2, .file))
    try setPicture(ann, Self.large)
    try await ann.sync()
    try await ben.sync()
    let beside = try FileManager.default.subpathsOfDirectory(
      atPath: folder.path + "/2.sqlite.values")
    #expect(beside.filter { $0.contains("-") }.count == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/2.sqlite-sync.download"))
  }

  @Test func `a file is sent once, also where the process ends before its record is sent`()
    async throws
  {
    let (ann, ben) = (try device(1, .file), try device(2))
    try setPicture(ann, Self.large)
    hall.setGate { call in
      call.path == "records/modify" ? .answer(RequestFailure(.authenticationFailed)) : .pass
    }
    try await ann.sync()
    hall.setGate(nil)
    try ann.restart()
    try await ann.sync()
    #expect(hall.calls.count { $0 == "assets/place" } == 1)
    try await ben.sync()
    #expect(try picture(ben) == .data(Self.large))
  }

  @Test func `the page and its token stand although the file does not come`() async throws {
    let (ann, ben) = (try device(1), try device(2))
    try edit(ann) { try $0.setValue("note", .string("n")) }
    try setPicture(ann, Self.small)
    try await ann.sync()
    hall.setGate { $0.path == "assets/file" ? .answer(RequestFailure(.internalError)) : .pass }
    let end = try await ben.sync()
    #expect(end == SyncMachine.PassEnd(.complete, SyncTally(pulled: 1)))
    #expect(try picture(ben) == .null)
    #expect(try awaited(ben) == ["picture FILE_UNFETCHED 3"])
    #expect(try ann.bases() == ben.bases())
    let status = try SyncStatus.read(ben.store)
    #expect(status.awaitedFiles == 1)
    #expect(status.missingFiles == 0)
    #expect(!status.isIdle)
    #expect(try ben.store.syncLog(limit: 10).map(\.kind).contains("fileMissing"))

    hall.setGate(nil)
    #expect(try ben.store.retryFailedChanges() == 0)
    try await ben.sync()
    #expect(try picture(ben) == .data(Self.small))
    #expect(try awaited(ben) == [])
  }

  @Test
  func `a file that the server has lost is missing by name, and comes when it is there again`()
    async throws
  {
    let (ann, ben) = (try device(1), try device(2))
    try setPicture(ann, Self.small)
    try await ann.sync()
    let checksum = FileDigest(of: Self.small).checksum
    try #require(hall.assets).lose(checksum: checksum)
    for _ in 0..<3 {
      try await ben.sync()
      try ben.session.write { _, rows in try rows.run("UPDATE contrail_sync_awaited SET retry = 0")
      }
    }
    let missing = try #require(try ben.store.missingFiles().first)
    #expect([missing.recordType, missing.field] == ["Photo", "picture"])
    #expect(missing.code == SyncFailureCode.fileMissing)
    #expect(try SyncStatus.read(ben.store).missingFiles == 1)

    #expect(try ben.store.retryFailedChanges() == 1)
    try setPicture(ann, Self.large)
    try await ann.sync()
    try await ben.sync()
    #expect(try picture(ben) == .data(Self.large))
    #expect(try awaited(ben) == [])
  }

  @Test func `an edit of a field that waits for its file comes after the file`() async throws {
    let (ann, ben) = (try device(1), try device(2))
    try setPicture(ann, Self.small)
    try await ann.sync()
    hall.setGate { $0.path == "assets/file" ? .loseReply : .pass }
    try await ben.sync()
    hall.setGate(nil)
    try setPicture(ben, Self.large)
    try ben.session.write { _, rows in try rows.run("UPDATE contrail_sync_awaited SET retry = 0") }
    try await ben.sync()
    try await ann.sync()
    #expect(try picture(ann) == .data(Self.large))
    #expect(try picture(ben) == .data(Self.large))
    #expect(try awaited(ben) == [])
  }

  @Test func `the later of two pictures wins on both devices, and the same one is no conflict`()
    async throws
  {
    let (ann, ben) = (try device(1), try device(2))
    try setPicture(ann, [0])
    for device in [ann, ben] { try await device.sync() }
    try setPicture(ann, Self.small)
    try setPicture(ben, Self.large)
    for device in [ann, ben, ann] { try await device.sync() }
    #expect(try picture(ann) == .data(Self.large))
    #expect(try picture(ben) == .data(Self.large))

    ben.forgetReports()
    try setPicture(ann, [9])
    try setPicture(ben, [9])
    for device in [ann, ben, ann] { try await device.sync() }
    #expect(!ben.fates.contains { $0.contains("overruled") })
    #expect(try picture(ann) == .data([9]))
  }

  @Test func `a picture that is taken away goes everywhere, and with its object too`() async throws
  {
    let (ann, ben) = (try device(1), try device(2))
    try setPicture(ann, Self.large)
    for device in [ann, ben] { try await device.sync() }
    try setPicture(ben, nil)
    for device in [ben, ann] { try await device.sync() }
    #expect(try picture(ann) == .null)
    try setPicture(ann, Self.small)
    try await ann.sync()
    hall.setGate { $0.path == "assets/file" ? .loseReply : .pass }
    try await ben.sync()
    let context = ModelContext(ann.store)
    try context.delete(try #require(try context.fetch(FetchRequest("Photo")).first))
    try context.save()
    for device in [ann, ben] { try await device.sync() }
    #expect(try ben.objects("Photo") == [])
    for device in [ann, ben] {
      let left = try device.session.read { rows in
        try rows.integer(
          "SELECT (SELECT count(*) FROM contrail_sync_file) + (SELECT count(*) FROM contrail_sync_awaited)"
        )
      }
      #expect(left == 0)
    }
  }

  @Test func `a change whose file is refused fails, and what else there is goes`() async throws {
    let hall = RecordHall(hasAssets: false)
    let (ann, ben) = (try device(1, .memory, hall), try device(2, .memory, hall))
    try setPicture(ann, Self.small)
    let context = ModelContext(ann.store)
    try context.insert("Photo").setValue("note", .string("plain"))
    try context.save()
    let end = try await ann.sync()
    #expect(end == SyncMachine.PassEnd(.complete, SyncTally(pushed: 1)))
    let failed = try #require(try ann.store.failedChanges().first)
    #expect(failed.code == "BAD_REQUEST")
    #expect(failed.reason == "picture: this server does not offer assets")
    try await ben.sync()
    #expect(try ben.objects("Photo") == ["note=plain"])
  }

  @Test func `where no more may be kept the change fails, and the pass says so`() async throws {
    let hall = RecordHall(assetBytesMax: 10_000)
    let ann = try device(1, .memory, hall)
    try setPicture(ann, Self.large)
    let end = try await ann.sync()
    #expect(end.outcome == .trouble(.quotaExceeded))
    #expect(try ann.store.failedChanges().map(\.code) == ["QUOTA_EXCEEDED"])
    try setPicture(ann, Self.small)
    try await ann.sync()
    #expect(try ann.store.failedChanges() == [])
    #expect(try ann.bases().count == 1)
  }

  @Test func `a field that production lacks is parked with its file, the rest is sent`()
    async throws
  {
    let ann = try device(1)
    try edit(ann) { try $0.setValue("note", .string("n")) }
    try setPicture(ann, Self.small)
    refuseUploads("Cannot create or modify field 'picture' in record 'Photo' in production schema")
    try await ann.sync()
    #expect(try ann.store.failedChanges() == [])
    #expect(try ann.changes(.parked).map { $0.change.edits.map(\.name) } == [["picture"]])
    #expect(try ann.bases().values.allSatisfy { $0.contains("note") && !$0.contains("picture") })
  }

  @Test func `an edit of what waits for its type sends all of it, its file too`() async throws {
    let (ann, ben) = (try device(1), try device(2))
    try setPicture(ann, Self.small)
    refuseUploads("Cannot create new type Photo in production schema")
    try await ann.sync()
    _ = try await ann.carryOut(.schema)
    #expect(try ann.changes(.parked).count == 1)
    // It is promoted, and as long has passed as a device waits before it tries again.
    hall.pass(seconds: 300)
    try edit(ann) { try $0.setValue("note", .string("n")) }
    hall.setGate { $0.path == "records/modify" ? .loseReply : .pass }
    while case .done(let facts) = try await ann.carryOut(.push), facts.hasMore || facts.needsUpload
    {
      if facts.needsUpload { _ = try await ann.carryOut(.upload) }
    }
    hall.setGate(nil)
    for device in [ann, ann, ben] { #expect(try await device.sync().outcome == .complete) }
    #expect(try picture(ben) == .data(Self.small))
    #expect(try picture(ann) == .data(Self.small))
  }

  @Test func `a damaged file is not taken`() async throws {
    let (ann, ben) = (try device(1), try device(2))
    try setPicture(ann, Self.small)
    try await ann.sync()
    hall.setGate { $0.path == "assets/file" ? .loseRequest : .pass }
    try await ben.sync()
    hall.setGate(nil)
    try ben.session.write { _, rows in try rows.run("UPDATE contrail_sync_awaited SET retry = 0") }
    guard case .call = try ben.session.begin(.download, now: hall.now()) else {
      Issue.record("nothing is fetched")
      return
    }
    let reply = SyncReply(status: 200, body: [1, 2, 4])
    let result = try ben.session.finish(.download, .success(reply), now: hall.now())
    #expect(result == .unanswered("what came has another checksum than its record says"))
    #expect(try picture(ben) == .null)
    #expect(try awaited(ben) == ["picture FILE_DAMAGED 4"])
  }

  @Test func `verify finds a picture that was changed unseen, and a repair sends it`() async throws
  {
    let (ann, ben) = (try device(1), try device(2))
    try setPicture(ann, Self.small)
    for device in [ann, ben] { try await device.sync() }
    #expect(try await ben.verify().report.isEqual)
    try ben.store.write(author: SyncAuthor.name) { transaction in
      let type = try #require(ben.session.objects.objectType(entity: "Photo"))
      let file = AwaitedFile(field: "picture", plainField: nil, asset: RecordAsset())
      _ = try ObjectWriter(type, of: ben.session.objects, transaction).setFile(
        file, of: 1, to: [8, 8])
    }
    #expect(try differences(ben) == ["picture"])
    #expect(try await ben.verify(repair: true).shown == ["objectDiffers Photo [picture] repaired"])
    for device in [ben, ann] { try await device.sync() }
    #expect(try picture(ann) == .data([8, 8]))
    #expect(try await ann.verify().report.isEqual)
  }

  @Test
  func `a record that waits for its file is what was confirmed, and what is missing comes anew`()
    async throws
  {
    let (ann, ben) = (try device(1), try device(2))
    try setPicture(ann, Self.small)
    try await ann.sync()
    hall.setGate { $0.path == "assets/file" ? .loseReply : .pass }
    try await ben.sync()
    hall.setGate(nil)
    #expect(try await ben.verify().report.isEqual)
    // As if the page had never come.
    try ben.tamper("DELETE FROM Photo")
    try ben.tamper("DELETE FROM contrail_sync_awaited")
    #expect(try await ben.verify(repair: true).shown == ["objectMissing Photo repaired"])
    try await ben.sync()
    #expect(try picture(ben) == .data(Self.small))
  }

  @Test func `a file larger than the server takes fails before it is sent`() async throws {
    let ann = try device(1)
    try setPicture(ann, Self.small)
    ann.session.capabilities = CapabilitiesResponse(server: "test", extensions: [])
    ann.session.capabilities?.assetBytesMax = 2
    for step in [SyncStep.account, .makeZone, .schema, .push, .upload, .upload] {
      _ = try await ann.carryOut(step)
    }
    #expect(try ann.store.failedChanges().map(\.code) == [SyncFailureCode.fileTooLarge])
    #expect(
      try ann.store.failedChanges().map(\.reason)
        == ["picture: has 3 bytes, and the server takes 2 bytes at most"])
    #expect(!hall.calls.contains("assets/place"))
  }

  @Test func `a receipt that the server takes no more is replaced by another upload, once`()
    async throws
  {
    let ann = try device(1)
    try setPicture(ann, Self.small)
    hall.setGate { call in
      call.path == "records/modify" ? .answer(RequestFailure(.authenticationFailed)) : .pass
    }
    try await ann.sync()
    hall.setGate(nil)
    // The receipt is of another place by now.
    try ann.session.write { _, rows in
      let digest = FileDigest(of: Self.small)
      var row = try #require(try rows.file(1, "picture", digest))
      row.receipt?.receipt = "stale"
      try rows.put(row)
    }
    let end = try await ann.sync()
    #expect(end.tally == SyncTally(pushed: 1, uploaded: 1))
    #expect(try ann.store.failedChanges() == [])
    #expect(hall.calls.count { $0 == "assets/place" } == 2)
  }

  @Test func `what an old program does not know comes with its file after an upgrade`() async throws
  {
    let ann = try device(1)
    try edit(ann) { try $0.setValue("note", .string("n")) }
    try setPicture(ann, Self.large)
    try await ann.sync()
    let place = Store.Location.file(folder.path + "/ben.sqlite")
    let old = Schema(
      name: "Album",
      entities: [
        Schema.Entity(
          name: "Photo",
          attributes: [Schema.Attribute(name: "note", type: .string, isOptional: true)])
      ])
    do {
      let ben = try Device(2, hall, schema: old, at: place)
      try await ben.sync()
      #expect(try awaited(ben) == [])
    }
    let ben = try Device(2, hall, schema: Self.schema, at: place)
    hall.forgetCalls()
    let end = try await ben.sync()
    #expect(end.tally.downloaded == 1)
    #expect(try picture(ben) == .data(Self.large))
    #expect(hall.calls.filter { $0 == "records/lookup" || $0 == "assets/file" }.count == 2)
  }
}

@Suite struct FileAddressTests {
  private let endpoint = RecordEndpoint(
    server: "https://records.example.org", container: "c", environment: "development",
    apiToken: "secret", userToken: "secret")

  @Test func `addresses of files get no credentials`() {
    let url = "https://elsewhere.example.org/f?x=1"
    #expect(endpoint.url(of: SyncCall("assets/file", in: .address(url), method: .get)) == url)
  }

  @Test func `a server that is asked over TLS cannot send us elsewhere without`() async throws {
    let transport = HTTPRecordTransport(endpoint, client: try HTTPClient())
    let call = SyncCall("assets/file", in: .address("http://127.0.0.1:9/f"), method: .get)
    await #expect(
      throws: TransportFailure("the server sends files over plain HTTP, which is not followed")
    ) { try await transport.send(call) }
  }
}
