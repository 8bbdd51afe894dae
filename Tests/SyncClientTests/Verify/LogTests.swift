import DataModel
import ObjectStore
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

/// What the log and the explanation of a record say.
@Suite struct LogTests {
  let hall = RecordHall()
  let ann: Device
  let ben: Device

  init() throws {
    ann = try Device(1, hall, schema: TwoDevicesTests.schema)
    ben = try Device(2, hall, schema: TwoDevicesTests.schema)
  }

  private func share() async throws {
    let context = ModelContext(ann.store)
    try context.insert("Entry").setValue("tail", .string("N628TS"))
    try context.save()
    try await ann.sync()
    try await ben.sync()
  }

  @Test func `what lost against another edit is in the log with its value`() async throws {
    try await share()
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("early")) }
    try ann.edit(first: "Entry") { try $0.setValue("tail", .string("late")) }
    try await ann.sync()
    try await ben.sync()
    #expect(
      try ben.log([.overruled])
        == [
          #"overruled {"type":"CD_Entry","lost":{"tail":{"value":"early","type":"STRING"}},"#
            + #""won":{"tail":{"value":"late","type":"STRING"}}}"#
        ].map { $0.replacing("CD_Entry", with: entryType) })
    #expect(try ann.log([.overruled]) == [])
  }

  @Test func `what was deleted elsewhere while it was edited here is in the log`() async throws {
    try await share()
    let context = ModelContext(ann.store)
    try context.delete(try #require(try context.fetch(FetchRequest("Entry")).first))
    try context.save()
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("kept")) }
    try await ann.sync()
    try await ben.sync()
    #expect(
      try ben.log([.deletedRemotely, .failed]) == [
        #"deletedRemotely {"type":"\#(entryType)","code":"DELETED_REMOTELY","#
          + #""reason":"was deleted on another device, and edited here","#
          + #""lost":{"tail":{"value":"kept","type":"STRING"}}}"#
      ])
  }

  @Test func `a change that the server refuses is in the log with its reason`() async throws {
    hall.setGate {
      $0.path == "records/modify"
        ? .answer(RequestFailure(.accessDenied, reason: "not yours")) : .pass
    }
    let context = ModelContext(ann.store)
    try context.insert("Entry").setValue("tail", .string("N1"))
    try context.save()
    try await ann.sync()
    #expect(
      try ann.log([.failed]) == [
        #"failed {"type":"\#(entryType)","code":"ACCESS_DENIED","reason":"not yours"}"#
      ])
  }

  @Test func `a refetch is in the log`() async throws {
    try await share()
    let once = Once()
    hall.setGate {
      $0.path == "changes/zone" && once.first()
        ? .answer(RequestFailure(.changeTokenExpired, reason: "old")) : .pass
    }
    try await ann.sync()
    #expect(try ann.log([.refetch]) == ["refetch "])
  }

  @Test func `passes are in the log, and quiet ones after each other are one`() throws {
    let quiet = SyncMachine.PassEnd(.complete, SyncTally())
    let busy = SyncMachine.PassEnd(.complete, SyncTally(pushed: 2, pulled: 1))
    for (time, end) in [quiet, quiet, busy, busy, quiet].enumerated() {
      try ann.session.noteEnd(end, now: Int64(time))
    }
    #expect(try ann.store.syncLog(limit: 9).map(\.time) == [4, 3, 2, 1])
    #expect(
      try ann.log([.pass])[1]
        == #"pass {"outcome":"complete","pushed":2,"pulled":1,"merged":0,"unified":0}"#)
    #expect(try ann.store.syncLog(limit: 1).map(\.time) == [4])
  }

  @Test func `an explanation tells what is here, what was confirmed, and what waits`() async throws
  {
    try await share()
    try ann.edit(first: "Entry") { try $0.setValue("tail", .string("N2")) }
    try ann.session.write { _, rows in
      try ann.session.takeIn(rows, try ann.session.zone(rows), hall.now())
    }
    let told = try ann.store.explainRecord("Entry/1", ann.configuration)
    #expect(told.recordType == entryType && told.object == "Entry/1" && told.standing == nil)
    #expect(told.local?["tail"]?.value == .string("N2"))
    #expect(told.base == ["tail": .string("N628TS")])
    #expect(told.clocks.map(\.clock.device.rawValue) == [1])
    #expect(told.device.rawValue == 1)
    #expect(told.changes.map(\.state) == ["pending"])
    #expect(told.changes.first?.edits.map(\.field) == ["tail"])
    #expect(told.events == [] && told.waiting == [])
    #expect(try ann.store.explainRecord(told.recordName, ann.configuration) == told)
    #expect(throws: SyncError.self) {
      try ann.store.explainRecord("Entry/99", ann.configuration)
    }
    var asked = told
    try await asked.ask(ann.configuration, HallTransport(hall: hall))
    #expect(asked.server?.fields == ["tail": .string("N628TS")])
    #expect(asked.server?.tag == told.tag)
  }

  @Test func `an explanation has the record's entries of the log`() async throws {
    try await share()
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("early")) }
    try ann.edit(first: "Entry") { try $0.setValue("tail", .string("late")) }
    try await ann.sync()
    try await ben.sync()
    #expect(
      try ben.store.explainRecord("Entry/1", ben.configuration).events.map(\.kind)
        == ["overruled"])
  }

  private var entryType: String {
    ann.session.objects.objectType(entity: "Entry")?.recordType ?? ""
  }
}

/// The hall as a transport.
struct HallTransport: RecordTransport {
  let hall: RecordHall

  func send(_ call: SyncCall) async throws(TransportFailure) -> SyncReply {
    try await hall.send(call).get()
  }
}
