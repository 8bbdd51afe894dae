import DataModel
import Foundation
import ObjectStore
import RecordWire
import SQLiteDriver

@testable import SyncClient

/// A store, and how its objects are records there; record names say entity and key.
struct World {
  let store: Store
  let records: ObjectRecords
  private let folder: TemporaryFolder?

  /// Where the store of a world is.
  enum Place: String, CaseIterable, Sendable {
    case memory, file
  }

  init(_ schema: Schema, _ profile: MappingProfile, _ place: Place = .memory) throws {
    folder = place == .file ? try TemporaryFolder() : nil
    store = try Store(
      at: folder.map { .file($0.path + "/Store.sqlite") } ?? .memory, schema: schema)
    records = try ObjectRecords(store.layout, profile)
  }

  func type(_ entity: String) throws -> ObjectType {
    try needed(records.objectType(entity: entity), "no type for \(entity)")
  }

  static func name(_ entity: EntityLayout, _ key: Int64) -> String { "\(entity.name)-\(key)" }

  /// The object that a name says; nil for names of other forms, and of objects that are not there.
  func object(_ name: String) throws -> ObjectKey? {
    let parts = name.split(separator: "-")
    guard parts.count == 2, let key = Int64(parts[1]),
      let type = records.objectType(entity: String(parts[0]))
    else { return nil }
    let found = ObjectKey(entity: type.number, key: key)
    return try fields(found) == nil ? nil : found
  }

  /// What an object is on the wire.
  func fields(_ object: ObjectKey) throws -> ObjectFields? {
    try store.readRows { connection in
      try records.fields(of: object, in: connection) { Self.name($0, $1) }
    }
  }

  func fields(_ entity: String, _ key: Int64) throws -> RecordFields? {
    try fields(ObjectKey(entity: type(entity).number, key: key))?.fields
  }

  /// Imports within one transaction.
  @discardableResult
  func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    try store.write(author: SyncAuthor.name, body)
  }

  /// Inserts one object; references are to those that `object(_:)` finds before.
  @discardableResult
  func insert(_ entity: String, _ fields: RecordFields) throws -> ImportedObject {
    let targets = try targets(fields)
    return try write { transaction in
      try ObjectWriter(type(entity), of: records, transaction).insert(fields) { name, _ in
        targets[name]
      }
    }
  }

  /// Updates one object.
  @discardableResult
  func update(
    _ entity: String, _ key: Int64, _ fields: RecordFields
  ) throws -> ImportedObject? {
    let targets = try targets(fields)
    return try write { transaction in
      try ObjectWriter(type(entity), of: records, transaction).update(key, fields) { name, _ in
        targets[name]
      }
    }
  }

  @discardableResult
  func delete(_ entity: String, _ key: Int64) throws -> Bool {
    try write { try ObjectWriter(type(entity), of: records, $0).delete(key) }
  }

  private func targets(_ fields: RecordFields) throws -> [String: ObjectKey] {
    var targets: [String: ObjectKey] = [:]
    for entry in fields.entries {
      if case .string(let name) = entry.field.value { targets[name] = try object(name) }
    }
    return targets
  }

  /// What history has, as `kind Entity key: properties`, behind the first `skipped` transactions.
  func history(skipping skipped: Int = 0) throws -> [String] {
    try store.history().dropFirst(skipped).flatMap { transaction in
      transaction.changes.map { change in
        let names = change.updatedProperties.map(\.name).joined(separator: ", ")
        let what = "\(change.kind) \(change.entity.name) \(change.key)"
        return "\(transaction.author ?? "-"): \(what)" + (names.isEmpty ? "" : ": \(names)")
      }
    }
  }
}

/// What a test cannot go on without.
struct Missing: Error, CustomStringConvertible {
  var description: String
}

func needed<Value>(_ value: Value?, _ what: @autoclosure () -> String) throws -> Value {
  guard let value else { throw Missing(description: what()) }
  return value
}

/// A folder that is removed with this value.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "contrail-objects-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A case of a parameterised test.
struct Setting: Sendable, CustomStringConvertible {
  var profile: MappingProfile
  var place: World.Place

  var description: String { "\(profile.rawValue), \(place.rawValue)" }

  static let all = MappingProfile.allCases.flatMap { profile in
    World.Place.allCases.map { Setting(profile: profile, place: $0) }
  }

  /// A field of the property of that name.
  func field(_ property: String) -> String {
    profile == .native ? property : "CD_\(property)"
  }
}
