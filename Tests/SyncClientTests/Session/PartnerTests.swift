import DataModel
import ObjectStore
import SyncCore
import Testing

@testable import SyncClient

/// One-to-one relationships that are edited on several devices at once.
@Suite struct PartnerTests {
  private static func attribute(_ name: String) -> Schema.Attribute {
    Schema.Attribute(name: name, type: .string, isOptional: true)
  }

  static let schema = Schema(
    name: "Club",
    entities: [
      Schema.Entity(
        name: "Person", attributes: [attribute("name")],
        relationships: [
          Schema.Relationship(name: "badge", destination: "Badge", inverse: "holder")
        ]),
      Schema.Entity(
        name: "Badge", attributes: [attribute("name")],
        relationships: [
          Schema.Relationship(name: "holder", destination: "Person", inverse: "badge")
        ]),
    ])

  /// Devices with persons and badges of these names.
  private func devices(
    _ profile: MappingProfile, _ persons: [String], _ badges: [String], count: Int = 2
  ) async throws -> [Device] {
    let hall = RecordHall()
    let all = try (1...count).map {
      try Device(UInt64($0), hall, schema: Self.schema, profile: profile)
    }
    try all[0].edit { context in
      for name in persons { try context.insert("Person").setValue("name", .string(name)) }
      for name in badges { try context.insert("Badge").setValue("name", .string(name)) }
    }
    try await sync(all)
    return all
  }

  private func sync(_ devices: [Device]) async throws {
    for device in devices { try await device.sync() }
    for device in devices { try await device.sync() }
  }

  /// After everybody has everything nobody has anything to say.
  private func expectNoEcho(_ devices: [Device]) async throws {
    devices[0].hall.forgetCalls()
    for device in devices { try await device.sync() }
    #expect(!devices[0].hall.calls.contains("records/modify"))
    for device in devices { #expect(try await device.verify().shown == []) }
  }

  @Test(arguments: MappingProfile.allCases)
  func `of two who took one badge the later one has it, on every device`(
    profile: MappingProfile
  ) async throws {
    let devices = try await devices(profile, ["Ann", "Ben"], ["1"])
    try devices[0].give("1", to: "Ann")
    try devices[1].give("1", to: "Ben")
    try await sync(devices)
    for device in devices { #expect(try device.holders == ["1": "Ben"]) }
    #expect(try devices[0].overruled == ["badge"])
    #expect(try devices[1].overruled == ["badge"])
    try await expectNoEcho(devices)
  }

  @Test(arguments: MappingProfile.allCases)
  func `who was deleted stays deleted when another one takes the badge`(
    profile: MappingProfile
  ) async throws {
    let devices = try await devices(profile, ["Ann", "Ben"], ["1"])
    try devices[0].give("1", to: "Ann")
    try await sync(devices)
    try devices[1].edit { try $0.delete(try $0.named("Ann", "Person")) }
    try devices[1].give("1", to: "Ben")
    try await sync(devices)
    for device in devices {
      #expect(try device.holders == ["1": "Ben"])
      #expect(try device.objects("Person").count == 1)
    }
    try await expectNoEcho(devices)
  }

  @Test(arguments: MappingProfile.allCases)
  func
    `whose edits were lost with a deletion elsewhere is not tried again when another one takes the badge`(
      profile: MappingProfile
    ) async throws
  {
    let devices = try await devices(profile, ["Ann", "Ben"], ["1"])
    try devices[0].give("1", to: "Ann")
    try await sync(devices)
    try devices[1].edit { try $0.named("Ann", "Person").setValue("name", .string("Anna")) }
    try devices[0].edit { try $0.delete(try $0.named("Ann", "Person")) }
    try await devices[0].sync()
    _ = try await devices[1].carryOut(.pull)
    try devices[1].give("1", to: "Ben")
    try await sync(devices)
    for device in devices { #expect(try device.holders == ["1": "Ben"]) }
    #expect(try devices[1].changes(.pending).isEmpty)
    #expect(try devices[1].changes(.failed).count == 1)
    try await expectNoEcho(devices)
  }

  @Test(arguments: MappingProfile.allCases)
  func `of two badges that one took the later one is theirs`(
    profile: MappingProfile
  ) async throws {
    let devices = try await devices(profile, ["Ann"], ["1", "2"])
    try devices[1].give("2", to: "Ann")
    try devices[0].give("1", to: "Ann")
    try await sync(devices.reversed())
    for device in devices { #expect(try device.holders.count == 1) }
    #expect(try devices[0].holders == devices[1].holders)
    // Without clocks the moment at which the server took an edit stands for that of the edit.
    if profile == .native { #expect(try devices[0].holders == ["1": "Ann"]) }
    try await expectNoEcho(devices)
  }

  @Test func `three devices that each gave away a badge agree`() async throws {
    let devices = try await devices(.native, ["Ann", "Ben", "Cleo"], ["1", "2"], count: 3)
    try devices[0].give("1", to: "Ann")
    try devices[1].give("1", to: "Ben")
    try devices[2].give("2", to: "Ben")
    try await sync(devices)
    for device in devices { #expect(try device.holders == ["2": "Ben"]) }
    try await expectNoEcho(devices)
  }

  @Test(arguments: MappingProfile.allCases)
  func `who lost a badge can take it again`(profile: MappingProfile) async throws {
    let devices = try await devices(profile, ["Ann", "Ben"], ["1"])
    try devices[0].give("1", to: "Ann")
    try devices[1].give("1", to: "Ben")
    try await sync(devices)
    try devices[0].give("1", to: "Ann")
    try await sync(devices)
    for device in devices { #expect(try device.holders == ["1": "Ann"]) }
    try await expectNoEcho(devices)
  }

  @Test func `giving a badge on is no conflict, and not in the log`() async throws {
    let devices = try await devices(.native, ["Ann", "Ben"], ["1"])
    try devices[0].give("1", to: "Ann")
    try await sync(devices)
    try devices[1].give("1", to: "Ben")
    try await sync(devices)
    for device in devices {
      #expect(try device.holders == ["1": "Ben"])
      #expect(try device.overruled == [])
    }
  }

  @Test func `the partner of a new object says so too`() async throws {
    let devices = try await devices(.native, ["Ann"], [])
    try devices[0].edit { context in
      let badge = try context.insert("Badge")
      try badge.setValue("name", .string("1"))
      try badge.setRelated("holder", try context.first("Person"))
    }
    try await sync(devices)
    for device in devices { #expect(try device.holders == ["1": "Ann"]) }
    #expect(try devices[0].bases() == devices[1].bases())
    try await expectNoEcho(devices)
  }
}

extension Device {
  /// Gives a badge to a person, by their names.
  fileprivate func give(_ badge: String, to person: String) throws {
    try edit { context in
      try context.named(person, "Person").setRelated("badge", try context.named(badge, "Badge"))
    }
  }

  /// Who has which badge, by names.
  fileprivate var holders: [String: String] {
    get throws {
      var found: [String: String] = [:]
      try edit { context in
        for badge in try context.fetch(FetchRequest("Badge")) {
          guard let holder = try badge.related("holder") else { continue }
          #expect(try holder.related("badge")?.text == badge.text)
          found[try badge.text] = try holder.text
        }
      }
      return found
    }
  }

  /// The fields that were overruled, as the log has them.
  fileprivate var overruled: [String] {
    get throws {
      try log([.overruled]).compactMap { line in
        ["holder", "badge"].first { line.contains("\($0)\":{\"value\"") }
      }
    }
  }
}

extension ModelContext {
  fileprivate func named(_ name: String, _ entity: String) throws -> ManagedObject {
    try #require(try fetch(FetchRequest(entity)).first { try $0.text == name })
  }
}

extension ManagedObject {
  fileprivate var text: String {
    get throws { if case .string(let text) = try value("name") { text } else { "" } }
  }
}
