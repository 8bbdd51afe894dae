import DataModel
import Foundation
import ObjectStore
import SyncCore
import Testing

@testable import SyncClient

/// Values in files of objects that several devices make, and that are the same to people.
@Suite struct NaturalKeyFileTests {
  static let schema = Schema(
    name: "Log",
    entities: [
      Schema.Entity(
        name: "Airport",
        attributes: [
          Schema.Attribute(name: "code", type: .string, isOptional: true),
          Schema.Attribute(name: "notes", type: .string, isOptional: true),
          Schema.Attribute(
            name: "map", type: .binaryData, isOptional: true, options: .externalStorage),
        ], naturalKey: ["code"])
    ])

  let hall = RecordHall()
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func device(_ number: UInt64, _ profile: MappingProfile, isOnDisk: Bool = true) throws
    -> Device
  {
    try Device(
      number, hall, schema: Self.schema, profile: profile,
      at: isOnDisk ? .file(folder.path + "/\(number).sqlite") : .memory)
  }

  private func setAirport(_ device: Device, _ map: [UInt8]?, notes: String? = nil) throws {
    try device.edit { context in
      let airport =
        try context.fetch(FetchRequest("Airport")).first ?? context.insert("Airport")
      try airport.setValue("code", .string("VIE"))
      if let map { try airport.setValue("map", .data(map)) }
      if let notes { try airport.setValue("notes", .string(notes)) }
    }
  }

  private func airports(_ device: Device, _ attribute: String = "map") throws -> [FieldValue] {
    let context = ModelContext(device.store)
    defer { withExtendedLifetime(context) {} }
    return try context.fetch(FetchRequest("Airport")).map { try $0.value(attribute) }
  }

  private func expectOne(
    _ devices: [Device], _ value: FieldValue, _ attribute: String = "map"
  ) async throws {
    for _ in 0..<3 { for device in devices { try await device.sync() } }
    for device in devices {
      #expect(try airports(device, attribute) == [value])
      #expect(try device.bases() == devices[0].bases())
      #expect(try device.store.failedChanges() == [])
      #expect(try await device.verify().shown == [])
    }
  }

  @Test(arguments: MappingProfile.allCases, [[1, 2, 3], FileSyncTests.large])
  func `what one of two equal objects has in a file the other gets`(
    profile: MappingProfile, map: [UInt8]
  ) async throws {
    for isOnDisk in [true, false] {
      let hall = RecordHall()
      let folder = try TemporaryFolder()
      let devices = try (1...3).map { number in
        try Device(
          UInt64(number), hall, schema: Self.schema, profile: profile,
          at: isOnDisk ? .file(folder.path + "/\(number).sqlite") : .memory)
      }
      // The first that is made stays.
      try setAirport(devices[0], nil)
      try setAirport(devices[1], map)
      try await expectOne(devices, .data(map))
    }
  }

  @Test(arguments: MappingProfile.allCases)
  func `of two files the later one stays`(profile: MappingProfile) async throws {
    let (ann, ben) = (try device(1, profile), try device(2, profile))
    try setAirport(ann, [1])
    try setAirport(ben, [2])
    try await expectOne([ann, ben], .data([2]))
  }

  @Test func `an earlier file gives way to what stays, and the log has its checksum`() async throws
  {
    let (ann, ben) = (try device(1, .native), try device(2, .native))
    try setAirport(ann, nil)
    try setAirport(ben, [2])
    try setAirport(ann, [1])
    try await expectOne([ann, ben], .data([1]))
    let unified = try [ann, ben].flatMap { try $0.store.syncLog(limit: 100) }.filter {
      $0.kind == "unified"
    }
    let checksum = FileDigest(of: [2]).checksum
    #expect(!unified.isEmpty && unified.allSatisfy { "\($0)".contains(checksum) })
  }

  @Test func `of three equal objects the latest value stays`() async throws {
    let ann = try device(1, .native)
    for notes in ["first", "second", "third"] {
      try ann.edit { context in
        let airport = try context.insert("Airport")
        try airport.setValue("code", .string("VIE"))
        try airport.setValue("notes", .string(notes))
      }
      try ann.session.work(now: hall.now())
    }
    for notes in ["third", "second"] {
      try ann.edit { context in
        let airport = try context.fetch(FetchRequest("Airport")).first {
          try $0.value("notes") == .string(notes)
        }
        try airport?.setValue("notes", .string(notes + " of two"))
      }
      try ann.session.work(now: hall.now())
    }
    try await expectOne([ann, device(2, .native)], .string("second of two"), "notes")
  }

  @Test func `a file that is gone keeps nobody from becoming one`()
    async throws
  {
    let (ann, ben) = (try device(1, .native), try device(2, .native))
    try setAirport(ann, nil, notes: "n")
    try setAirport(ben, FileSyncTests.large)
    try await ben.sync()
    try FileManager.default.removeItem(atPath: folder.path + "/2.sqlite.values")
    try await ann.sync()
    _ = try ben.session.write { _, rows in
      try rows.run("UPDATE contrail_sync_file SET receipt = NULL")
    }
    try await ben.sync()
    #expect(try airports(ben, "notes") == [.string("n")])
  }

  @Test func `a file that does not come keeps its object apart for a day`() async throws {
    let (ann, ben) = (try device(1, .native), try device(2, .native))
    try setAirport(ann, [1])
    try setAirport(ben, [2])
    try await ben.sync()
    hall.setGate { $0.path == "assets/file" ? .loseRequest : .pass }
    try await ann.sync()
    #expect(try airports(ann).count == 2)
    try ann.session.write { _, rows in
      try rows.run("UPDATE contrail_sync_awaited SET attempts = ?1", FileLimits.attemptsApartMax)
    }
    hall.pass(seconds: 3_600)
    try await ann.sync()
    #expect(try airports(ann) == [.data([1])])
  }

  @Test func `a file that has not come keeps its object apart until it has`() async throws {
    let (ann, ben) = (try device(1, .native), try device(2, .native))
    try setAirport(ann, nil)
    try setAirport(ben, FileSyncTests.large)
    try await ben.sync()
    hall.setGate { $0.path == "assets/file" ? .loseRequest : .pass }
    try await ann.sync()
    #expect(try airports(ann).count == 2)
    hall.setGate(nil)
    hall.pass(seconds: 3_600)
    try await expectOne([ann, ben], .data(FileSyncTests.large))
  }

  @Test func `a long text takes the place of a short one in Core Data's layout`() async throws {
    let (ann, ben) = (try device(1, .coreData), try device(2, .coreData))
    let long = String(repeating: "x", count: 800_000)
    try setAirport(ann, nil, notes: "short")
    try setAirport(ben, nil, notes: long)
    try await expectOne([ann, ben], .string(long), "notes")
  }
}
