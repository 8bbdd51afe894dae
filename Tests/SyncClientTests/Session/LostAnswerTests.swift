import DataModel
import Foundation
import ObjectStore
import RecordServer
import RecordWire
import SQLiteDriver
import SyncCore
import Synchronization
import Testing

@testable import SyncClient

/// Requests that arrived, and whose answer did not: what they did is done once, and stays done.
@Suite struct LostAnswerTests {
  let hall = RecordHall()

  private func device(_ number: UInt64, _ profile: MappingProfile = .native) throws -> Device {
    try Device(number, hall, schema: TwoDevicesTests.schema, profile: profile)
  }

  /// Has the next push arrive, and something else come back.
  private func spoilNextPush(_ gate: RecordHall.Gate) {
    let once = Once()
    hall.setGate { call in call.path == "records/modify" && once.first() ? gate : .pass }
  }

  private func add(_ hours: Int64, on device: Device) throws {
    try device.edit(first: "Entry") { entry in
      guard case .integer(let before) = try entry.value("hours") else { return }
      try entry.setValue("hours", .integer(before + hours))
    }
  }

  private func expectSame(_ devices: [Device], _ hours: [Int64]) async throws {
    for device in devices + devices { #expect(try await device.sync().outcome == .complete) }
    for device in devices {
      #expect(
        try ModelContext(device.store).fetch(FetchRequest("Entry")).map { try $0.value("hours") }
          == hours.map { .integer($0) })
      #expect(try device.bases() == devices[0].bases())
      #expect(try device.changes(.pending) == [])
      #expect(try device.changes(.failed) == [])
    }
  }

  @Test(arguments: [MappingProfile.native, .coreData], [502, 504, 0])
  func `a counter is counted once, whoever answers in the server's place`(
    _ profile: MappingProfile, _ status: Int
  ) async throws {
    let (ann, ben) = (try device(1, profile), try device(2, profile))
    try ann.edit { try $0.insert("Entry").setValue("hours", .integer(10)) }
    for device in [ann, ben] { try await device.sync() }
    try add(2, on: ann)
    spoilNextPush(status == 0 ? .loseReply : .replacePage(status))
    try await expectSame([ann, ben], [12])
    try add(5, on: ben)
    try add(1, on: ann)
    try await expectSame([ann, ben], [18])
  }

  @Test func `what a gateway hid, and was deleted here, does not come back`() async throws {
    let (ann, ben) = (try device(1), try device(2))
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    for step in [SyncStep.pull, .push, .schema] { _ = try await ann.carryOut(step) }
    spoilNextPush(.replacePage(504))
    _ = try await ann.carryOut(.push)
    try ann.edit { try $0.delete($0.first("Entry")) }
    try await expectSame([ann, ben], [])
  }

  @Test(arguments: [false, true])
  func `a pair that is joined again after a lost deletion is there on all sides`(
    _ isKilled: Bool
  ) async throws {
    let (ann, ben) = (try device(1), try device(2))
    try ann.edit { context in
      try context.insert("Entry").addRelated("tags", context.insert("Tag"))
    }
    for device in [ann, ben] { try await device.sync() }
    try ann.edit { context in
      try context.first("Entry").removeRelated("tags", context.first("Tag"))
    }
    spoilNextPush(.loseReply)
    for step in [SyncStep.pull, .push, .schema, .push] { _ = try await ann.carryOut(step) }
    if isKilled { try ann.restart() }
    try ann.edit { context in
      try context.first("Entry").addRelated("tags", context.first("Tag"))
    }
    for device in [ann, ben, ann] { #expect(try await device.sync().outcome == .complete) }
    for device in [ann, ben] {
      let context = ModelContext(device.store)
      #expect(try context.first("Entry").relatedObjects("tags").count == 1)
      #expect(try device.bases() == ann.bases())
    }
  }

  @Test func `what is sent stands in the store's file before it is sent`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "ann.store").path
    let ann = try Device(1, hall, schema: TwoDevicesTests.schema, at: .file(path))
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    let found = Mutex<[String]>([])
    hall.setGate { call in
      guard call.path == "records/modify" else { return .pass }
      let texts = (try? Self.flights(in: path)) ?? []
      found.withLock { $0 += texts.map { $0 == call.body ? "the request" : "another" } }
      return .pass
    }
    #expect(try await ann.sync().outcome == .complete)
    #expect(found.withLock { $0 } == ["the request"])
    #expect(try Self.flights(in: path) == [])
  }

  /// The bodies of requests that may have arrived, as another process finds them.
  private static func flights(in path: String) throws -> [[UInt8]] {
    let connection = try Connection(.file(path), mode: .readOnly)
    let statement = try connection.statement("SELECT body FROM contrail_sync_flight")
    defer { statement.reset() }
    var bodies: [[UInt8]] = []
    while try statement.step() { bodies.append(statement.bytes(0)) }
    return bodies
  }

  @Test func `a record that the server has lost without a word keeps nothing else waiting`()
    async throws
  {
    let (ann, ben) = (try device(1), try device(2))
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("one")) }
    try await ann.sync()
    let backup = hall.backup()
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("two")) }
    try await ann.sync()
    hall.restore(backup)
    // It grows beyond what was known of it, so that no token tells.
    try ben.edit { context in
      for tail in ["three", "four"] { try context.insert("Entry").setValue("tail", .string(tail)) }
    }
    try await ben.sync()
    try ann.edit { context in
      for entry in try context.fetch(FetchRequest("Entry")) {
        if case .string("two") = try entry.value("tail") {
          try entry.setValue("hours", .integer(2))
        }
      }
      try context.insert("Pilot").setValue("name", .string("Ann"))
    }
    #expect(try await ann.sync().outcome == .complete)
    #expect(try ann.store.failedChanges().map(\.code) == [SyncFailureCode.lostThere])
    try await ben.sync()
    #expect(try ben.objects("Pilot") == ["name=Ann"])
    #expect(try ann.store.retryFailedChanges() == 1)
    for device in [ann, ben] { #expect(try await device.sync().outcome == .complete) }
    #expect(try ben.objects("Entry").contains("hours=2 tail=two"))
    #expect(try ann.changes(.failed) == [])
  }

  @Test func `a token that the server cannot read is not asked with again`() async throws {
    let (ann, ben) = (try device(1), try device(2))
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("one")) }
    for device in [ann, ben] { try await device.sync() }
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("two")) }
    try await ben.sync()
    let once = Once()
    hall.setGate { call in
      let hasToken = call.path == "changes/zone" && call.body.contains("\"syncToken\"")
      return hasToken && once.first()
        ? .answer(RequestFailure(.badRequest, reason: "no token")) : .pass
    }
    #expect(try await ann.sync().outcome == .complete)
    #expect(try ann.objects("Entry") == ["tail=two"])
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool {
    String(decoding: self, as: UTF8.self).contains(text)
  }
}
