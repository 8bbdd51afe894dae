import DataModel
import ObjectStore
import SyncCore
import Testing

@testable import SyncClient

/// Values of Core Data's layout, which are in one of two fields.
@Suite struct TwinSyncTests {
  let hall = RecordHall()

  private func device(_ number: UInt64) throws -> Device {
    try Device(number, hall, schema: FileSyncTests.schema, profile: .coreData)
  }

  /// A device that sends again whatever a server has lost.
  private func sendingDevice(_ number: UInt64) throws -> Device {
    try Device(
      number, hall, schema: FileSyncTests.schema, profile: .coreData, policies: .sendingAgain)
  }

  private func set(_ device: Device, _ name: String, _ value: FieldValue) throws {
    let context = ModelContext(device.store)
    let photo = try context.fetch(FetchRequest("Photo")).first ?? context.insert("Photo")
    try photo.setValue(name, value)
    try context.save()
  }

  private func value(_ device: Device, _ name: String) throws -> FieldValue? {
    let context = ModelContext(device.store)
    defer { withExtendedLifetime(context) {} }
    return try context.fetch(FetchRequest("Photo")).first?.value(name)
  }

  @Test func `a text moves into a file when its record grows, and back, on both devices`()
    async throws
  {
    let (ann, ben) = (try device(1), try device(2))
    let (long, longer) = (
      String(repeating: "ä", count: 200_000), String(repeating: "x", count: 500_000)
    )
    try set(ann, "caption", .string("short"))
    for device in [ann, ben] { try await device.sync() }
    #expect(try value(ben, "caption") == .string("short"))

    try set(ann, "caption", .string(long))
    for device in [ann, ben] { try await device.sync() }
    #expect(try value(ben, "caption") == .string(long))
    #expect(!hall.calls.contains("assets/place"), "it fits into the record")

    // Now both are too large: the larger one goes into a file, and later the other.
    try set(ben, "note", .string(longer))
    for device in [ben, ann] { try await device.sync() }
    #expect(try value(ann, "note") == .string(longer))
    #expect(try value(ann, "caption") == .string(long))
    #expect(hall.calls.contains("assets/place"))

    try set(ann, "note", .string("brief"))
    for device in [ann, ben] { try await device.sync() }
    #expect(try value(ben, "note") == .string("brief"))
    #expect(try value(ben, "caption") == .string(long))
    #expect(try ann.bases() == ben.bases())
  }

  @Test(arguments: [true, false])
  func `a text in a file that the server has lost is sent again`(isShort: Bool) async throws {
    let (ann, ben) = (try sendingDevice(1), try sendingDevice(2))
    let long = String(repeating: "x", count: 800_000)
    try set(ann, "caption", isShort ? .string("short") : .null)
    for device in [ann, ben] { try await device.sync() }
    let backup = hall.backup()
    try set(ann, "caption", .string(long))
    for device in [ann, ben] { try await device.sync() }
    hall.restore(backup)
    for device in [ben, ann, ben] { #expect(try await device.sync().outcome == .complete) }
    for device in [ann, ben] { #expect(try value(device, "caption") == .string(long)) }
    #expect(try ann.bases() == ben.bases())
  }

  @Test
  func `a text that was in a file when the server had it, and would not be now, is sent again`()
    async throws
  {
    let (ann, ben) = (try sendingDevice(1), try sendingDevice(2))
    let (long, longer) = (
      String(repeating: "ä", count: 200_000), String(repeating: "x", count: 500_000)
    )
    try set(ann, "caption", .string("short"))
    for device in [ann, ben] { try await device.sync() }
    let backup = hall.backup()
    try set(ann, "caption", .string(long))
    try await ann.sync()
    try set(ann, "note", .string(longer))
    try await ann.sync()
    // The record has room for the note again, which stays in its file.
    try set(ann, "caption", .string("brief"))
    for device in [ann, ben] { try await device.sync() }
    hall.restore(backup)
    for device in [ann, ben, ann] { #expect(try await device.sync().outcome == .complete) }
    for device in [ann, ben] {
      #expect(try value(device, "caption") == .string("brief"))
      #expect(try value(device, "note") == .string(longer))
    }
    #expect(try ann.bases() == ben.bases())
  }

  @Test func `a text in a file is taken away`() async throws {
    let (ann, ben) = (try device(1), try device(2))
    try set(ann, "caption", .string(String(repeating: "x", count: 800_000)))
    for device in [ann, ben] { try await device.sync() }
    try set(ann, "caption", .null)
    for device in [ann, ben] { try await device.sync() }
    #expect(try value(ben, "caption") == .null)
    #expect(try ann.bases() == ben.bases())
  }

  @Test func `what nobody edited moves into a file when another value leaves it no room`()
    async throws
  {
    let (ann, ben) = (try device(1), try device(2))
    let (long, other) = (
      String(repeating: "x", count: 650_000), String(repeating: "y", count: 600_000)
    )
    try set(ann, "caption", .string(long))
    for device in [ann, ben] { try await device.sync() }
    try set(ann, "note", .string(other))
    for device in [ann, ben] { try await device.sync() }
    #expect(try ann.store.failedChanges() == [])
    #expect(try value(ben, "caption") == .string(long))
    #expect(try value(ben, "note") == .string(other))
    #expect(try ann.bases() == ben.bases())
  }
}
