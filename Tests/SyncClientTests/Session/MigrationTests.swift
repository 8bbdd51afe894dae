import DataModel
import ObjectStore
import SyncCore
import Testing

@testable import SyncClient

/// Stores that are migrated on several devices while they are synced.
@Suite struct MigrationTests {
  private static func attribute(_ name: String) -> Schema.Attribute {
    Schema.Attribute(name: name, type: .string, isOptional: true)
  }

  private static let first = Schema(
    name: "Log", entities: [Schema.Entity(name: "Entry", attributes: [attribute("tail")])])
  private static let second = Schema(
    name: "Log",
    entities: [Schema.Entity(name: "Entry", attributes: [attribute("tail"), attribute("country")])])

  let hall = RecordHall()
  let folder = try? TemporaryFolder()

  private func file(_ name: String) throws -> Store.Location {
    .file(try #require(folder).path + "/\(name).sqlite")
  }

  /// Brings a device's store to the second version; the stage makes countries of tails, and adds `mark`.
  private func migrate(_ name: String, marking mark: String = "") throws {
    var options = Store.Options()
    options.migration = .staged(
      try MigrationStages(
        versions: [Self.first, Self.second],
        stages: [
          .custom(
            from: Self.first, to: Self.second,
            didMigrate: { context, _ in
              for entry in try context.fetch(FetchRequest("Entry")) {
                guard case .string(let tail) = try entry.value("tail") else { continue }
                try entry.setValue("country", .string("of \(tail)\(mark)"))
              }
            }, sendsValues: true)
        ]))
    _ = try Store(at: try file(name), schema: Self.second, options: options)
  }

  /// Two devices with one entry, in the first version.
  private func share() async throws {
    let ann = try Device(1, hall, schema: Self.first, at: try file("ann"))
    let ben = try Device(2, hall, schema: Self.first, at: try file("ben"))
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    try await ann.sync()
    try await ben.sync()
  }

  @Test func `what a migration writes on every device is sent by one of them`() async throws {
    try await share()
    try migrate("ann")
    try migrate("ben")
    let ann = try Device(1, hall, schema: Self.second, at: try file("ann"))
    let ben = try Device(2, hall, schema: Self.second, at: try file("ben"))
    try await ann.sync()
    hall.forgetCalls()
    try await ben.sync()
    #expect(!hall.calls.contains("records/modify"))
    for device in [ann, ben] {
      #expect(try device.objects("Entry") == ["country=of N1 tail=N1"])
      #expect(try device.changes(.pending) == [])
      #expect(try await device.verify().shown == [])
    }
  }

  @Test func `what a user wrote wins over what a later migration writes`() async throws {
    try await share()
    try migrate("ann")
    let ann = try Device(1, hall, schema: Self.second, at: try file("ann"))
    try await ann.sync()
    try ann.edit(first: "Entry") { try $0.setValue("country", .string("US")) }
    try migrate("ben", marking: "?")
    let ben = try Device(2, hall, schema: Self.second, at: try file("ben"))
    // The migrated value is taken into the outbox before the user's arrives.
    _ = try await ben.carryOut(.hello)
    #expect(try ben.objects("Entry") == ["country=of N1? tail=N1"])
    try await ann.sync()
    try await ben.sync()
    try await ann.sync()
    for device in [ann, ben] { #expect(try device.objects("Entry") == ["country=US tail=N1"]) }
  }

  @Test func `an edit that was not sent yet keeps its moment when a migration changes its value`()
    async throws
  {
    try await share()
    do {
      let ben = try Device(2, hall, schema: Self.first, at: try file("ben"))
      try ben.edit(first: "Entry") { try $0.setValue("tail", .string("N2")) }
    }
    try migrate("ben")
    let ben = try Device(2, hall, schema: Self.second, at: try file("ben"))
    let ann = try Device(1, hall, schema: Self.second)
    try await ben.sync()
    try await ann.sync()
    for device in [ann, ben] {
      #expect(try device.objects("Entry") == ["country=of N2 tail=N2"])
    }
  }

  private static let fleet = Schema(
    name: "Fleet",
    entities: [
      Schema.Entity(
        name: "Boat", attributes: [attribute("name")],
        relationships: [
          Schema.Relationship(name: "tags", destination: "Tag", inverse: "boats", isToMany: true)
        ]),
      Schema.Entity(
        name: "Tag", attributes: [attribute("name")],
        relationships: [
          Schema.Relationship(name: "boats", destination: "Boat", inverse: "tags", isToMany: true)
        ]),
    ])

  /// Gives all boats other keys, as a migration does that brings objects into a table where others are.
  private func shiftBoats(of device: Device) throws {
    let type = try #require(device.session.objects.objectType(entity: "Boat"))
    let edges = try #require(device.session.objects.edgeTypes.first)
    let end = edges.sourceLayout.name == "Boat" ? "source" : "target"
    try device.tamper("PRAGMA defer_foreign_keys = ON")
    try device.tamper("UPDATE \(StoreLayout.sqlName(type.layout.table)) SET _id = _id + 50")
    try device.tamper(
      "UPDATE \(StoreLayout.sqlName(edges.pairs.table)) SET \(end) = \(end) + 50")
    try device.tamper("INSERT INTO contrail_moved (entity, shift) VALUES (\(type.number), 50)")
  }

  @Test func `objects that a migration gave other keys keep their records, and so do their pairs`()
    async throws
  {
    do {
      let ann = try Device(1, hall, schema: Self.fleet, at: try file("ann"))
      try ann.edit { context in
        let tag = try context.insert("Tag")
        try tag.setValue("name", .string("old"))
        let boat = try context.insert("Boat")
        try boat.setValue("name", .string("a boat"))
        try boat.addRelated("tags", tag)
      }
      try await ann.sync()
      try shiftBoats(of: ann)
    }
    let ann = try Device(1, hall, schema: Self.fleet, at: try file("ann"))
    #expect(try await ann.verify().shown == [])
    try ann.edit { context in
      let boat = try context.first("Boat")
      try boat.setValue("name", .string("the boat"))
      try boat.removeRelated("tags", try context.first("Tag"))
    }
    try await ann.sync()
    let ben = try Device(2, hall, schema: Self.fleet)
    try await ben.sync()
    for device in [ann, ben] {
      #expect(try device.objects("Boat") == ["name=the boat"])
      #expect(try device.bases().count == 2)
      #expect(try await device.verify().shown == [])
    }
  }
}
