import DataModel
import Foundation
import ObjectStore
import RecordServer
import SyncCore
import Testing

@testable import SyncClient

/// Programs of two versions, and production with the schema of either.
@Suite struct CrossVersionTests {
  private static func schema(_ attributes: String...) -> Schema {
    Schema(
      name: "Log",
      entities: [
        Schema.Entity(
          name: "Entry",
          attributes: attributes.map {
            Schema.Attribute(name: $0, type: .string, isOptional: true)
          })
      ])
  }

  private static let schemas = [schema("tail"), schema("tail", "remarks")]

  @Test(arguments: [
    (1, 1, 1), (1, 1, 2), (1, 2, 1), (1, 2, 2), (2, 1, 1), (2, 1, 2), (2, 2, 1), (2, 2, 2),
  ])
  func `versions of a program meet on a server of either, and each sees what it knows`(
    writer: Int, reader: Int, server: Int
  ) async throws {
    let hall = RecordHall(.production)
    try await hall.promote(Self.schemas[server - 1])
    let ann = try Device(1, hall, schema: Self.schemas[writer - 1])
    let ben = try Device(2, hall, schema: Self.schemas[reader - 1])
    try ann.edit { context in
      let entry = try context.insert("Entry")
      try entry.setValue("tail", .string("N1"))
      if writer == 2 { try entry.setValue("remarks", .string("calm")) }
    }
    try await ann.sync()
    try await ben.sync()
    try ben.edit { context in
      let entry = try #require(try context.fetch(FetchRequest("Entry")).first)
      try entry.setValue("tail", .string("N2"))
    }
    try await ben.sync()
    if server == 1 {
      // What was written for the later version waits, and is sent by itself.
      try await hall.promote(Self.schemas[1])
    }
    for device in [ann, ben, ann] { try await device.sync() }
    let whole = writer == 2 ? "remarks=calm tail=N2" : "tail=N2"
    #expect(try ann.objects("Entry") == [whole])
    #expect(try ben.objects("Entry") == [reader == 2 ? whole : "tail=N2"])
  }

  @Test func `migrating a store changes no schema on the server: pushing and promoting do`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = Store.Location.file(folder.path + "/log.sqlite")
    let hall = RecordHall(.production)
    try await hall.promote(Self.schemas[0])
    do {
      let ann = try Device(1, hall, schema: Self.schemas[0], at: file)
      try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
      try await ann.sync()
    }
    let before = try await hall.storedSchema()
    let ann = try Device(1, hall, schema: Self.schemas[1], at: file)
    try ann.edit { context in
      let entry = try #require(try context.fetch(FetchRequest("Entry")).first)
      try entry.setValue("remarks", .string("calm"))
    }
    try await ann.sync()
    #expect(try await hall.storedSchema() == before)
    // That the program is ahead is told, and nothing is lost meanwhile.
    #expect(try ann.log([.parked]) == [#"parked {"type":"Entry","fields":["remarks"]}"#])
    try await hall.promote(Self.schemas[1])
    try await ann.sync()
    #expect(try ann.changes(.parked) == [])
    #expect(try await hall.storedSchema() != before)
  }

  @Test func `a store is moved to a completely new container, and the old one is left as it is`()
    async throws
  {
    let (old, new) = (RecordHall(), RecordHall())
    let folder = try TemporaryFolder()
    let file = Store.Location.file(folder.path + "/log.sqlite")
    do {
      let ann = try Device(1, old, schema: Self.schemas[0], at: file)
      try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
      try await ann.sync()
      ann.configuration.container = "org.example.new"
      try ann.store.moveSync(to: ann.configuration)
    }
    let ann = try Device(1, new, schema: Self.schemas[0], at: file, container: "org.example.new")
    #expect(try await ann.sync().tally == SyncTally(pushed: 1))
    for hall in [old, new] {
      let reader = try Device(2, hall, schema: Self.schemas[0])
      try await reader.sync()
      #expect(try reader.objects("Entry") == ["tail=N1"])
    }
  }
}
