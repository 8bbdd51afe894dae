import DataModel
import ObjectStore
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

/// Fields that a program writes for older versions of itself.
@Suite struct LegacyFieldTests {
  private static let tail = Schema.Attribute(name: "tail", type: .string, isOptional: true)

  /// Older programs have the duration as a text.
  private static let old = Schema(
    name: "Log",
    entities: [
      Schema.Entity(
        name: "Entry",
        attributes: [tail, Schema.Attribute(name: "duration", type: .string, isOptional: true)])
    ])
  private static let new = Schema(
    name: "Log",
    entities: [
      Schema.Entity(
        name: "Entry",
        attributes: [tail, Schema.Attribute(name: "hours", type: .integer64, isOptional: true)])
    ])

  private static let duration = LegacyField("duration", of: "Entry", from: ["hours"]) { fields in
    guard case .int64(let hours)? = fields["hours"]?.value else { return .null }
    return .string("\(hours):00")
  }

  let ann: Device
  let ben: Device

  init() throws {
    let hall = RecordHall()
    ann = try Device(1, hall, schema: Self.new)
    ann.configuration.legacyFields = [Self.duration]
    try ann.restart()
    ben = try Device(2, hall, schema: Self.old)
  }

  private func sync() async throws {
    for device in [ann, ben, ann] { try await device.sync() }
  }

  @Test func `an older program reads what is made of newer fields`() async throws {
    try ann.edit { try $0.insert("Entry").setValue("hours", .integer(3)) }
    try await sync()
    #expect(try ben.objects("Entry") == ["duration=3:00"])
    try ann.edit(first: "Entry") { try $0.setValue("hours", .integer(4)) }
    try await sync()
    #expect(try ben.objects("Entry") == ["duration=4:00"])
    #expect(try ann.objects("Entry") == ["hours=4"])
    for device in [ann, ben] { #expect(try await device.verify().shown == []) }
  }

  @Test func `what an older program writes there stays until a source is edited`() async throws {
    try ann.edit { try $0.insert("Entry").setValue("hours", .integer(3)) }
    try await sync()
    try ben.edit(first: "Entry") { try $0.setValue("duration", .string("half an hour")) }
    try await sync()
    try ann.edit(first: "Entry") { try $0.setValue("tail", .string("N1")) }
    try await sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["duration=half an hour tail=N1"])
    try ann.edit(first: "Entry") { try $0.setValue("hours", .integer(5)) }
    try await sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["duration=5:00 tail=N1"])
  }

  @Test func `a field that the program has itself is not made for older ones`() throws {
    ben.configuration.legacyFields = [Self.duration]
    let error = try #require(throws: UnsyncableSchema.self) { try ben.restart() }
    #expect(error.problems.map(\.subject) == [.entity("Entry")])
  }
}
