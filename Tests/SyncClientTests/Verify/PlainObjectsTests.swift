import DataModel
import Foundation
import ObjectStore
import SQLiteDriver
import SyncCore
import Testing

@testable import SyncClient

/// The quick look that nearly all objects get when a store is compared with what was confirmed.
@Suite struct PlainObjectsTests {
  private static let kinds: [(name: String, type: Schema.AttributeType)] = [
    ("bool", .boolean), ("bytes", .binaryData), ("date", .date), ("decimal", .decimal),
    ("double", .double), ("float", .float), ("long", .integer64), ("short", .integer16),
    ("text", .string), ("uuid", .uuid), ("word", .integer32),
  ]

  static let schema = Schema(
    name: "Kinds",
    entities: [
      Schema.Entity(
        name: "Base", attributes: [],
        relationships: [
          Schema.Relationship(name: "next", destination: "Base", inverse: "previous"),
          Schema.Relationship(name: "previous", destination: "Base", inverse: "next"),
        ]),
      Schema.Entity(
        name: "Kind", parent: "Base",
        attributes: kinds.map { Schema.Attribute(name: $0.name, type: $0.type, isOptional: true) }),
    ])

  private func device(_ profile: MappingProfile) throws -> Device {
    try Device(1, RecordHall(), schema: Self.schema, profile: profile)
  }

  private func plain(_ device: Device) throws -> Set<Int64> {
    try device.session.read { rows in
      try PlainObjects(device.session.objects, rows).equal(in: 1..<1_000, zone: 1)
    }
  }

  /// The value of a kind, one of two.
  private func value(_ type: Schema.AttributeType, _ second: Bool) throws -> FieldValue {
    switch type {
    case .boolean: .boolean(second)
    case .date: .date(Date(timeIntervalSinceReferenceDate: second ? 1.5 : -700_000_000.25))
    case .double: .double(second ? 0.1 : -1e-300)
    case .float: .double(second ? 0.5 : -2)
    case .integer16: .integer(second ? 7 : -7)
    case .integer32: .integer(second ? 70_000 : -70_000)
    case .integer64: .integer(second ? .max : .min)
    case .uuid:
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, second ? 1 : 2)))
    case .decimal: .decimal(try #require(Decimal(string: second ? "1.5" : "-2")))
    case .binaryData: .data([second ? 1 : 2])
    default: .string(second ? "Größe 1 / 2" : "plain")
    }
  }

  @Test(arguments: MappingProfile.allCases)
  func `objects of nearly all kinds of values are seen to be equal without being read`(
    profile: MappingProfile
  ) async throws {
    let device = try device(profile)
    let quick = Self.kinds.filter { $0.type != .binaryData && $0.type != .decimal }
    try device.edit { context in
      var last: ManagedObject?
      for second in [true, false] {
        let object = try context.insert("Kind")
        for kind in quick { try object.setValue(kind.name, value(kind.type, second)) }
        if let last { try object.setRelated("previous", last) }
        last = object
      }
      try context.insert("Kind")
      try context.insert("Base")
    }
    try await device.sync()
    #expect(try plain(device) == [1, 2, 3, 4])
    #expect(try await device.verify().report.objects == 4)
  }

  @Test(
    arguments: MappingProfile.allCases,
    [
      "bool", "bytes", "date", "decimal", "double", "float", "long", "next", "short", "text",
      "uuid",
      "word",
    ])
  func `any value that differs, or is gone, or came behind sync's back is found`(
    profile: MappingProfile, name: String
  ) async throws {
    for (before, after) in [(false, true), (true, false), (true, true)] {
      let device = try device(profile)
      try device.edit { context in
        let (object, one, other) = (
          try context.insert("Kind"), try context.insert("Base"), try context.insert("Base")
        )
        if before { try set(name, of: object, one, other, second: false) }
      }
      try await device.sync()
      #expect(try await device.verify().shown == [])
      let context = ModelContext(device.store)
      context.author = SyncAuthor.name
      let objects = try context.fetch(FetchRequest("Base")).sorted { $0.key < $1.key }
      try set(name, of: objects[0], objects[1], objects[2], second: after ? true : nil)
      try context.save()
      #expect(try !plain(device).contains(1))
      let shown = try await device.verify().shown
      #expect(
        shown.contains { $0.hasPrefix("objectDiffers") && $0.contains(name) },
        "\(before) \(after): \(shown)")
    }
  }

  private func set(
    _ name: String, of object: ManagedObject, _ one: ManagedObject, _ other: ManagedObject,
    second: Bool?
  ) throws {
    if let kind = Self.kinds.first(where: { $0.name == name }) {
      try object.setValue(name, second.map { try value(kind.type, $0) } ?? .null)
    } else {
      try object.setRelated(name, second.map { $0 ? other : one })
    }
  }

  @Test(
    arguments: [
      #"{"a":{"value":"x","type":"STRING"}}"#,
      #"{"a":{"value":"x","type":"STRING"},"b":{"value":1}}"#,
    ])
  func `a text with what JSON escapes is never taken for its spelling`(json: String) throws {
    let bytes = Array(json.utf8)
    let isTaken = { (text: String) in
      bytes.withUnsafeBytes { bytes in
        var cursor = WireCursor(bytes)
        _ = cursor?.take(Array(#""a":{"value":"#.utf8))
        return Array(text.utf8).withUnsafeBytes { cursor?.takeString($0) } ?? false
      }
    }
    #expect(isTaken("x"))
    #expect(!isTaken("y"))
    #expect(!isTaken(#"x","type":"STRING"#))
    #expect(!isTaken(""))
  }

  @Test(arguments: ["", "{", "[]", #"{"a"#, #"{"a":{"#, #"{"a":{"b":"}"#, #"{"a":"\"#])
  func `what is cut off is not equal to anything, and nothing is read beyond its end`(json: String)
  {
    let bytes = Array(json.utf8)
    bytes.withUnsafeBytes { bytes in
      guard var cursor = WireCursor(bytes) else { return }
      let isEqual = (
        cursor.isAt(Array("z".utf8)), cursor.takeInteger(1), cursor.skipField()
      )
      #expect(isEqual == (false, false, false))
    }
  }
}
