import DataModel
import Foundation
import ObjectStore
import RecordServer
import RecordWire
import SyncCore
import Synchronization
import Testing

@testable import SyncClient

/// What went wrong in other people's sync, each with where it was reported, and must not here.
@Suite struct PeerTests {
  let hall = RecordHall()
  let ann: Device
  let ben: Device

  init() throws {
    ann = try Device(1, hall, schema: TwoDevicesTests.schema)
    ben = try Device(2, hall, schema: TwoDevicesTests.schema)
  }

  // MARK: Divergence

  @Test(.bug("https://github.com/pointfreeco/sqlite-data/issues/274"), arguments: [false, true])
  func `edits made offline on both sides end the same, whoever syncs first`(
    _ benIsFirst: Bool
  ) async throws {
    try await share()
    try ann.editEntry { try $0.setValue("tail", .string("ann")) }
    try ben.editEntry { try $0.setValue("tail", .string("ben")) }
    try ann.editEntry { try $0.setValue("hours", .integer(1)) }
    for device in benIsFirst ? [ben, ann, ben] : [ann, ben, ann] { try await device.sync() }
    #expect(try ann.objects("Entry") == ["hours=1 tail=ben"])
    #expect(try ben.objects("Entry") == ["hours=1 tail=ben"])
    try await expectQuiet()
  }

  @Test(.bug("https://github.com/pointfreeco/sqlite-data/issues/354"))
  func `the last edit wins, also where the earlier one arrives later`() async throws {
    try await share()
    try ann.editEntry { try $0.setValue("tail", .string("early")) }
    try ben.editEntry { try $0.setValue("tail", .string("late")) }
    try await ben.sync()
    try await ann.sync()
    try await ben.sync()
    #expect(try ann.objects("Entry") == ["tail=late"])
    #expect(try ben.objects("Entry") == ["tail=late"])
  }

  @Test(.bug("https://github.com/tursodatabase/turso/issues/6617"), arguments: [false, true])
  func `of a deletion and an edit the deletion wins, whoever syncs first`(
    _ editorIsFirst: Bool
  ) async throws {
    try await share()
    try ann.deleteEntry()
    try ben.editEntry { try $0.setValue("tail", .string("kept")) }
    for device in editorIsFirst ? [ben, ann, ben] : [ann, ben, ann] { try await device.sync() }
    #expect(try ann.objects("Entry") == [])
    #expect(try ben.objects("Entry") == [])
    // Who could see the edit before deleting has nothing to tell; else the edit is kept.
    #expect(try ben.store.failedChanges().count == (editorIsFirst ? 0 : 1))
    try await expectQuiet()
  }

  @Test(.bug("https://github.com/couchbase/couchbase-lite-ios/issues/2557"))
  func `an object that both sides delete is gone, and that is all`() async throws {
    try await share()
    try ann.deleteEntry()
    try ben.deleteEntry()
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.store.failedChanges() == [])
    #expect(try ann.bases() == [:])
    try await expectQuiet()
  }

  // MARK: Dropped changes

  @Test(
    .bug("https://github.com/pointfreeco/sqlite-data/issues/432"),
    arguments: [ErrorCode.throttled, .tryAgainLater, .internalError])
  func `a change that the server cannot take now is taken later`(_ code: ErrorCode) async throws {
    let refusals = Mutex(3)
    hall.setGate { call in
      guard call.path == "records/modify" else { return .pass }
      let isRefused = refusals.withLock { left in
        left -= 1
        return left >= 0
      }
      return isRefused ? .answer(RequestFailure(code, reason: "not now", retryAfter: 1)) : .pass
    }
    try ann.insertEntry("once")
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=once"])
    #expect(try ann.store.failedChanges() == [])
  }

  @Test(.bug("https://github.com/pointfreeco/sqlite-data/issues/492"))
  func `a pass that uploads nothing does not say that it did`() async throws {
    hall.setGate { call in
      call.path == "records/modify"
        ? .refuse(ErrorCode(rawValue: "NEVER_HEARD_OF")) : .pass
    }
    try ann.insertEntry("once")
    let end = try await ann.sync()
    #expect(end.tally.pushed == 0)
    let status = try SyncStatus.read(ann.store)
    #expect(status.pending + status.failed == 1)
    #expect(!status.isIdle)
  }

  @Test(.bug("https://github.com/pointfreeco/sqlite-data/issues/315"))
  func `a child is not dropped since its parent is in conflict`() async throws {
    try await share()
    try ben.editEntry { try $0.setValue("tail", .string("ben")) }
    try await ben.sync()
    // One transaction: the entry, which the server has in another state, and a pilot for it.
    let context = ModelContext(ann.store)
    let entry = try #require(try context.fetch(FetchRequest("Entry")).first)
    let pilot = try context.insert("Pilot")
    try pilot.setValue("name", .string("Ann"))
    try entry.setRelated("pilot", pilot)
    try context.save()
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Pilot") == ["name=Ann"])
    #expect(try ben.objects("Entry") == ann.objects("Entry"))
    try await expectQuiet()
  }

  @Test(.bug("https://github.com/pointfreeco/sqlite-data/issues/333"))
  func `more than one request holds is sent in several`() async throws {
    let context = ModelContext(ann.store)
    for number in 0..<1_000 {
      try context.insert("Entry").setValue("hours", .integer(Int64(number)))
    }
    try context.save()
    #expect(try await ann.sync().tally.pushed == 1_000)
    #expect(try await ben.sync().tally.pulled == 1_000)
  }

  @Test(.bug("https://github.com/pointfreeco/sqlite-data/issues/335"))
  func `a quota that is used up is told, and the changes are sent when there is room`() async throws
  {
    hall.setGate { $0.path == "records/modify" ? .refuse(.quotaExceeded) : .pass }
    try ann.insertEntry("once")
    #expect(try await ann.sync().outcome == .trouble(.quotaExceeded))
    #expect(try SyncStatus.read(ann.store).failed == 1)
    hall.setGate(nil)
    try ann.session.resolve(.reupload, now: hall.now())
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=once"])
  }

  @Test(.bug("https://github.com/mentrena/SyncKit/issues/111"))
  func `one record that the server refuses does not keep the others back`() async throws {
    try ann.insertEntry(String(repeating: "large ", count: 200_000))
    try ann.insertEntry("small")
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=small"])
    #expect(try ann.store.failedChanges().map(\.code) == [SyncFailureCode.tooLarge])
    #expect(try ann.store.failedChanges().map(\.object?.entity) == ["Entry"])
  }

  @Test(.bug("https://github.com/apple/sample-cloudkit-sync-engine/issues/5"))
  func `an edit that is made while an earlier one is on its way is sent too`() async throws {
    try await share()
    try ann.editEntry { try $0.setValue("tail", .string("first")) }
    _ = try await ann.carryOut(.pull)
    guard case .call(let call) = try ann.session.begin(.push, now: hall.now()) else {
      Issue.record("nothing is sent")
      return
    }
    try ann.editEntry { try $0.setValue("tail", .string("second")) }
    _ = try ann.session.finish(.push, await hall.send(call), now: hall.now())
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=second"])
    try await expectQuiet()
  }

  // MARK: Delete and insert again

  @Test(.bug("https://github.com/pointfreeco/sqlite-data/issues/418"), arguments: [false, true])
  func `a pair that is parted and joined again is there on all sides`(
    _ syncsBetween: Bool
  ) async throws {
    let context = ModelContext(ann.store)
    let entry = try context.insert("Entry")
    let tag = try context.insert("Tag")
    try entry.addRelated("tags", tag)
    try context.save()
    try await ann.sync()
    try await ben.sync()
    try entry.removeRelated("tags", tag)
    try context.save()
    if syncsBetween { try await ann.sync() }
    try entry.addRelated("tags", tag)
    try context.save()
    try await ann.sync()
    try await ben.sync()
    let other = ModelContext(ben.store)
    let received = try #require(try other.fetch(FetchRequest("Entry")).first)
    #expect(try received.relatedObjects("tags").count == 1)
    try await expectQuiet()
  }

  // MARK: Base and conflicts

  @Test(.bug("https://github.com/couchbase/couchbase-lite-core/issues/402"))
  func `the copy of what the server had changes when it confirms, and not before`() async throws {
    try await share()
    let before = try ann.bases()
    hall.setGate { $0.path == "records/modify" ? .loseReply : .pass }
    try ann.editEntry { try $0.setValue("tail", .string("sent")) }
    for step in [SyncStep.pull, .push, .schema, .push] { _ = try await ann.carryOut(step) }
    #expect(try ann.bases() == before)
    hall.setGate(nil)
    try await ann.sync()
    #expect(try ann.bases() != before)
  }

  @Test(.bug("https://github.com/couchbase/couchbase-lite-ios/issues/1217"))
  func `a conflict is over after a few requests`() async throws {
    try await share()
    try ann.editEntry { try $0.setValue("tail", .string("ann")) }
    try ben.editEntry { try $0.setValue("tail", .string("ben")) }
    hall.forgetCalls()
    for device in [ann, ben, ann, ben] { try await device.sync() }
    #expect(hall.calls.filter { $0 == "records/modify" }.count == 2)
    #expect(hall.calls.count < 20)
  }

  @Test(.bug("https://github.com/tursodatabase/libsql/issues/2122"))
  func `a push that conflicts goes on by itself`() async throws {
    try await share()
    try ann.editEntry { try $0.setValue("tail", .string("ann")) }
    _ = try await ann.carryOut(.pull)
    try ben.editEntry { try $0.setValue("hours", .integer(5)) }
    try await ben.sync()
    // Its token is from before: the server refuses the edit, and it is merged.
    for step in [SyncStep.push, .schema, .push, .lookUp, .push] { _ = try await ann.carryOut(step) }
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["hours=5 tail=ann"])
    try await expectQuiet()
  }

  // MARK: First sync, and again

  @Test(.bug("https://github.com/dexie/Dexie.js/issues/2140"))
  func `what both sides had before their first sync is on both afterwards`() async throws {
    try ann.insertEntry("ann")
    try ben.insertEntry("ben")
    for device in [ann, ben, ann] { try await device.sync() }
    #expect(try ann.objects("Entry") == ["tail=ann", "tail=ben"])
    #expect(try ben.objects("Entry") == ["tail=ann", "tail=ben"])
    try await expectQuiet()
  }

  @Test(.bug("https://github.com/medic/cht-core/issues/7528"))
  func `a first sync that is cut goes on with the page where it was`() async throws {
    let context = ModelContext(ann.store)
    for number in 0..<500 {
      try context.insert("Entry").setValue("hours", .integer(Int64(number)))
    }
    try context.save()
    try await ann.sync()
    for step in [SyncStep.hello, .account, .pull] { _ = try await ben.carryOut(step) }
    let first = try ben.objects("Entry").count
    #expect(first > 0)
    try ben.restart()
    #expect(try await ben.sync().tally.pulled == 500 - first)
    #expect(try ben.objects("Entry").count == 500)
  }

  @Test(.bug("https://github.com/Kinto/kinto.js/issues/44"))
  func `a server that was emptied is told, and does not empty the devices`() async throws {
    try await share()
    hall.restore(MemoryStorage(epoch: 8))
    let end = try await ann.sync()
    #expect(end.outcome == .trouble(.zoneDeleted))
    #expect(try ann.objects("Entry") == ["tail=N628TS"])
  }

  // MARK: Versions

  @Test(.bug("https://github.com/scastiel/kado/pull/52"))
  func `what production lacks waits alone, and is sent by itself once it is promoted`() async throws
  {
    let hall = RecordHall(.production)
    let (old, new) = (Self.schema(hasRemarks: false), Self.schema(hasRemarks: true))
    try await hall.promote(old)
    let ann = try Device(1, hall, schema: new)
    let ben = try Device(2, hall, schema: new)
    try ann.insertEntry("N1") { try $0.setValue("remarks", .string("calm")) }
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=N1"])
    #expect(try SyncStatus.read(ann.store).lacks == ["Entry.remarks"])
    #expect(try SyncStatus.read(ann.store).parked == 1)
    try await hall.promote(new)
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["remarks=calm tail=N1"])
    #expect(try SyncStatus.read(ann.store).isIdle)
  }

  private static func schema(hasRemarks: Bool) -> Schema {
    let names = hasRemarks ? ["tail", "remarks"] : ["tail"]
    return Schema(
      name: "Log",
      entities: [
        Schema.Entity(
          name: "Entry",
          attributes: names.map { Schema.Attribute(name: $0, type: .string, isOptional: true) })
      ])
  }

  // MARK: Steps

  private func share() async throws {
    try ann.insertEntry("N628TS")
    try await ann.sync()
    try await ben.sync()
  }

  private func expectQuiet() async throws {
    for device in [ann, ben] { try await device.sync() }
    hall.forgetCalls()
    for device in [ann, ben] { try await device.sync() }
    #expect(!hall.calls.contains("records/modify"))
    #expect(try ann.bases() == ben.bases())
  }
}

extension Device {
  fileprivate func insertEntry(
    _ tail: String, _ more: (ManagedObject) throws -> Void = { _ in }
  ) throws {
    let context = ModelContext(store)
    let entry = try context.insert("Entry")
    try entry.setValue("tail", .string(tail))
    try more(entry)
    try context.save()
  }

  fileprivate func editEntry(_ body: (ManagedObject) throws -> Void) throws {
    let context = ModelContext(store)
    try body(try #require(try context.fetch(FetchRequest("Entry")).first))
    try context.save()
  }

  fileprivate func deleteEntry() throws {
    let context = ModelContext(store)
    try context.delete(try #require(try context.fetch(FetchRequest("Entry")).first))
    try context.save()
  }
}
