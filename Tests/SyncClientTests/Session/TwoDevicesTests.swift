import DataModel
import Foundation
import ObjectStore
import RecordWire
import SyncCore
import Synchronization
import Testing

@testable import SyncClient

@Suite struct TwoDevicesTests {
  static let schema = Schema(
    name: "Log",
    entities: [
      Schema.Entity(
        name: "Pilot",
        attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(
            name: "entries", destination: "Entry", inverse: "pilot", isToMany: true)
        ]),
      Schema.Entity(
        name: "Entry",
        attributes: [
          Schema.Attribute(name: "tail", type: .string, isOptional: true),
          Schema.Attribute(
            name: "hours", type: .integer64, isOptional: true,
            userInfo: ["contrail.merge": "counter"]),
        ],
        relationships: [
          Schema.Relationship(name: "pilot", destination: "Pilot", inverse: "entries"),
          Schema.Relationship(
            name: "tags", destination: "Tag", inverse: "entries", isToMany: true),
        ]),
      Schema.Entity(
        name: "Tag",
        attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(
            name: "entries", destination: "Entry", inverse: "tags", isToMany: true)
        ]),
    ])

  let hall = RecordHall()
  let ann: Device
  let ben: Device

  init() throws {
    ann = try Device(1, hall, schema: Self.schema)
    ben = try Device(2, hall, schema: Self.schema)
  }

  @Test func `an object made on one device is on the other`() async throws {
    try ann.edit { context in
      let entry = try context.insert("Entry")
      try entry.setValue("tail", .string("N628TS"))
      try entry.setValue("hours", .integer(3))
    }
    let sent = try await ann.sync()
    #expect(sent == SyncMachine.PassEnd(.complete, SyncTally(pushed: 1)))
    let received = try await ben.sync()
    #expect(received == SyncMachine.PassEnd(.complete, SyncTally(pulled: 1)))
    #expect(try ben.objects("Entry") == ["hours=3 tail=N628TS"])
    #expect(try ann.bases() == ben.bases())
    let again = try await ann.sync()
    #expect(again == SyncMachine.PassEnd(.complete, SyncTally()))
  }

  @Test func `edits of different fields on two devices both count`() async throws {
    try await shareOneEntry()
    try ann.edit { try $0.first("Entry").setValue("tail", .string("N1")) }
    try ben.edit { try $0.first("Entry").setValue("hours", .integer(5)) }
    try await ann.sync()
    try await ben.sync()
    try await ann.sync()
    #expect(try ann.objects("Entry") == ["hours=5 tail=N1"])
    #expect(try ben.objects("Entry") == ["hours=5 tail=N1"])
    try await expectQuiet()
  }

  @Test func `a counter that both devices raised has both`() async throws {
    try await shareOneEntry()
    try ann.edit { try $0.first("Entry").setValue("hours", .integer(3 + 10)) }
    try ben.edit { try $0.first("Entry").setValue("hours", .integer(3 + 100)) }
    try await ann.sync()
    try await ben.sync()
    try await ann.sync()
    #expect(try ann.objects("Entry") == ["hours=113 tail=N628TS"])
    #expect(try ben.objects("Entry") == ["hours=113 tail=N628TS"])
    try await expectQuiet()
  }

  @Test func `what is deleted on one device is deleted on the other`() async throws {
    try await shareOneEntry()
    try ann.edit { try $0.delete($0.first("Entry")) }
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == [])
    #expect(try ben.bases() == [:])
    try await expectQuiet()
  }

  @Test func `an edit of what was deleted elsewhere fails and is kept`() async throws {
    try await shareOneEntry()
    try ann.edit { try $0.delete($0.first("Entry")) }
    try ben.edit { try $0.first("Entry").setValue("tail", .string("kept")) }
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == [])
    let failed = try ben.changes(.failed)
    #expect(failed.map(\.code) == ["DELETED_REMOTELY"])
    #expect(try failed.first?.kept?.fields()["tail"]?.value == .string("kept"))
    try await expectQuiet()
  }

  @Test func `relationships of every kind arrive, in whatever order records come`() async throws {
    try ann.edit { context in
      let entry = try context.insert("Entry")
      let pilot = try context.insert("Pilot")
      try pilot.setValue("name", .string("Ann"))
      let tag = try context.insert("Tag")
      try tag.setValue("name", .string("night"))
      try entry.setRelated("pilot", pilot)
      try entry.addRelated("tags", tag)
    }
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ann.objects("Entry"))
    #expect(try ben.objects("Entry").first?.hasPrefix("pilot=") == true)
    let context = ModelContext(ben.store)
    let entry = try context.first("Entry")
    #expect(try entry.relatedObjects("tags").map { try $0.value("name") } == [.string("night")])
    try await expectQuiet()
    try ben.edit { context in
      let entry = try context.first("Entry")
      try entry.removeRelated("tags", try context.first("Tag"))
    }
    try await ben.sync()
    try await ann.sync()
    let other = ModelContext(ann.store)
    #expect(try other.first("Entry").relatedObjects("tags").isEmpty)
    try await expectQuiet()
  }

  @Test func `what was sent and not confirmed is not made twice`() async throws {
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("once")) }
    let lost = Once()
    hall.setGate { $0.path == "records/modify" && lost.first() ? .loseReply : .pass }
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=once"])
    #expect(try ann.changes(.pending) == [])
    try await expectQuiet()
  }

  @Test func `a process that ends while a request is on its way sends nothing twice`() async throws
  {
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("once")) }
    hall.setGate { $0.path == "records/modify" ? .loseReply : .pass }
    for step in [SyncStep.hello, .account, .makeZone, .pull, .push, .schema, .push] {
      _ = try await ann.carryOut(step)
    }
    hall.setGate(nil)
    try ann.restart()
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=once"])
    try await expectQuiet()
  }

  @Test func `what arrived without our knowing and was deleted since is not made again`()
    async throws
  {
    try await shareOneEntry()
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("once")) }
    hall.setGate { $0.path == "records/modify" ? .loseReply : .pass }
    for step in [SyncStep.pull, .push, .schema, .push] { _ = try await ann.carryOut(step) }
    hall.setGate(nil)
    try await ben.sync()
    try ben.edit { context in
      let found = try context.fetch(FetchRequest("Entry"))
      try context.delete(try #require(found.first { try $0.value("tail") == .string("once") }))
    }
    try await ben.sync()
    // All is read again, so that nothing but a tombstone tells what became of it.
    let expired = Once()
    hall.setGate { call in
      let isFirst = call.path == "changes/zone" && expired.first()
      return isFirst ? .answer(RequestFailure(.changeTokenExpired, reason: "too old")) : .pass
    }
    try await ann.sync()
    #expect(try ann.objects("Entry").count == 1)
    try await ben.sync()
    #expect(try ben.objects("Entry").count == 1)
    try await expectQuiet()
  }

  @Test func `objects that were there before sync are sent`() async throws {
    let store = ann.store
    _ = store
    let hall = RecordHall()
    let late = try Device(3, hall, schema: Self.schema)
    _ = late
    try late.edit { context in
      for number in 0..<5 { try context.insert("Entry").setValue("hours", .integer(Int64(number))) }
    }
    try await late.sync()
    let other = try Device(4, hall, schema: Self.schema)
    try await other.sync()
    #expect(try other.objects("Entry") == (0..<5).map { "hours=\($0)" })
  }

  private func shareOneEntry() async throws {
    try ann.edit { context in
      let entry = try context.insert("Entry")
      try entry.setValue("tail", .string("N628TS"))
      try entry.setValue("hours", .integer(3))
    }
    try await ann.sync()
    try await ben.sync()
    ann.forgetReports()
    ben.forgetReports()
  }

  /// Nobody has anything to send, and what both have confirmed is the same.
  private func expectQuiet() async throws {
    try await ann.sync()
    try await ben.sync()
    hall.forgetCalls()
    try await ann.sync()
    try await ben.sync()
    #expect(hall.calls.filter { $0 == "records/modify" } == [])
    #expect(try ann.bases() == ben.bases())
    #expect(try ann.changes(.pending) == [])
    #expect(try ben.changes(.pending) == [])
  }
}

/// True once.
final class Once: Sendable {
  private let flag = Mutex(false)

  func first() -> Bool {
    flag.withLock { flag in
      defer { flag = true }
      return !flag
    }
  }
}
