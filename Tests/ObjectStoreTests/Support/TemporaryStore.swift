import DataModel
import Foundation
import Synchronization

@testable import ObjectStore

/// A folder that is removed with this value.
final class ValuesFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "contrail-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var storeFile: String { "\(path)/Album.sqlite" }

  /// The files beside the store that hold values, without the folders that they are in.
  var valueFiles: [String] {
    let all = FileManager.default.enumerator(atPath: storeFile + ".values")
    return (all?.compactMap { $0 as? String } ?? []).filter { $0.count > 30 }
      .map { String($0.split(separator: "/").last ?? "") }.sorted()
  }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
  private let seconds = Mutex<Double>(1000)

  func advance(_ more: Double) { seconds.withLock { $0 += more } }

  var environment: Store.Environment {
    var environment = Store.Environment.system
    environment.now = { Date(timeIntervalSinceReferenceDate: self.seconds.withLock { $0 }) }
    return environment
  }
}

/// Photos in folders, with captions to be searched and large pictures.
enum Album {
  static let schema = Schema(
    name: "Album",
    entities: [
      Schema.Entity(
        name: "Photo",
        attributes: [
          Schema.Attribute(
            name: "caption", type: .string, isOptional: true,
            options: [.spotlight, .preservedOnDeletion]),
          Schema.Attribute(
            name: "place", type: .string, isOptional: true, options: [.spotlight]),
          Schema.Attribute(
            name: "picture", type: .binaryData, isOptional: true,
            options: [.externalStorage, .preservedOnDeletion]),
          Schema.Attribute(name: "bytes", type: .integer64, isOptional: true),
          Schema.Attribute(
            name: "folderTitle", type: .string, isOptional: true, derivation: "folder.title"),
          Schema.Attribute(
            name: "search", type: .string, isOptional: true, derivation: "canonical:(caption)"),
        ],
        relationships: [
          Schema.Relationship(name: "folder", destination: "Folder", inverse: "photos"),
          Schema.Relationship(
            name: "tags", destination: "Tag", inverse: "photos", isToMany: true),
        ], searchDisplayName: "caption"),
      Schema.Entity(
        name: "Folder",
        attributes: [
          Schema.Attribute(name: "title", type: .string, isOptional: true, options: [.spotlight]),
          Schema.Attribute(
            name: "count", type: .integer64, isOptional: true, derivation: "photos.@count"),
          Schema.Attribute(
            name: "total", type: .integer64, isOptional: true, derivation: "photos.@sum.bytes"),
          Schema.Attribute(name: "written", type: .date, isOptional: true, derivation: "now()"),
        ],
        relationships: [
          Schema.Relationship(
            name: "photos", destination: "Photo", inverse: "folder", isToMany: true,
            deleteRule: .cascade)
        ]),
      Schema.Entity(
        name: "Tag",
        attributes: [
          Schema.Attribute(name: "word", type: .string, isOptional: true),
          Schema.Attribute(
            name: "uses", type: .integer64, isOptional: true, derivation: "photos.@count"),
          Schema.Attribute(
            name: "largest", type: .integer64, isOptional: true, derivation: "photos.@max.bytes"),
        ],
        relationships: [
          Schema.Relationship(name: "photos", destination: "Photo", inverse: "tags", isToMany: true)
        ]),
    ])

  /// Bytes that are larger than what a row takes, and differ by `seed`.
  static func picture(_ seed: UInt8, count: Int = ValueFolder.thresholdBytes + 1) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) &+ seed }
  }
}

extension ModelContext {
  @discardableResult
  func add(_ entity: String, _ values: [String: FieldValue]) throws -> ManagedObject {
    let object = try insert(entity)
    for (name, value) in values { try object.setValue(name, value) }
    return object
  }
}
