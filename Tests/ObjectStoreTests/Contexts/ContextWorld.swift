import DataModel
import Foundation
import Synchronization
import Testing

@testable import ObjectStore

/// A folder that is removed when the test is done.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "contrail-contexts-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func store(_ name: String = "log.sqlite", _ schema: Schema = Club.schema) throws -> Store {
    try Store(at: .file(path + "/" + name), schema: schema)
  }
}

/// A flying club with every shape of relationship: ordered one-to-many with a cascade, one-to-one,
/// many-to-many with and without an order, and one that is its own inverse.
enum Club {
  static let schema = Schema(
    name: "Club",
    entities: [
      Schema.Entity(
        name: "Pilot",
        attributes: [
          Schema.Attribute(name: "name", type: .string, isOptional: true),
          Schema.Attribute(name: "hours", type: .integer64, defaultValue: .integer(0)),
        ],
        relationships: [
          Schema.Relationship(
            name: "flights", destination: "Flight", inverse: "pilot", isToMany: true,
            isOrdered: true, deleteRule: .cascade),
          Schema.Relationship(name: "licence", destination: "Licence", inverse: "pilot"),
          Schema.Relationship(
            name: "ratings", destination: "Rating", inverse: "pilots", isToMany: true,
            isOrdered: true),
          Schema.Relationship(
            name: "friends", destination: "Pilot", inverse: "friends", isToMany: true),
        ]),
      Schema.Entity(
        name: "Flight",
        attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(name: "pilot", destination: "Pilot", inverse: "flights"),
          Schema.Relationship(
            name: "tags", destination: "Tag", inverse: "flights", isToMany: true),
        ]),
      Schema.Entity(
        name: "Licence",
        attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(name: "pilot", destination: "Pilot", inverse: "licence")
        ]),
      Schema.Entity(
        name: "Rating",
        attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(
            name: "pilots", destination: "Pilot", inverse: "ratings", isToMany: true)
        ]),
      Schema.Entity(
        name: "Tag",
        attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(
            name: "flights", destination: "Flight", inverse: "tags", isToMany: true)
        ]),
    ])
}

extension ModelContext {
  /// A new object of that name.
  @discardableResult
  func make(_ entity: String, _ name: String) throws -> ManagedObject {
    let object = try insert(entity)
    try object.setValue("name", .string(name))
    return object
  }

  /// All objects that the store has of an entity, by key.
  func all(_ entity: String) throws -> [ManagedObject] {
    receiveChanges()
    let layout = try #require(store.layout.entity(entity))
    return try fetchStored(StoredQuery(layout: layout)).sorted { $0.key < $1.key }
  }

  /// All objects that the context has of an entity, changes included.
  func living(_ entity: String) throws -> [ManagedObject] {
    (try all(entity) + insertedObjects.filter { $0.entity == entity }).filter(\.isUsable)
  }

  /// The object of that name in the store.
  func find(_ entity: String, _ name: String) throws -> ManagedObject {
    let objects = try all(entity) + insertedObjects.filter { $0.entity == entity }
    guard let found = objects.first(where: { $0.isUsable && $0.name == name }) else {
      throw NotFound(name: name)
    }
    return found
  }

  /// Every object that the context has or the store has, one a line, without identities: pending changes
  /// are shown as made.
  func shown() throws -> [String] {
    var objects: [ObjectIdentifier: ManagedObject] = [:]
    var kept: [ManagedObject] = []
    for entity in store.layout.entities {
      for object in try all(entity.name) + insertedObjects where object.isUsable {
        objects[ObjectIdentifier(object)] = object
        kept.append(object)
      }
    }
    return try withExtendedLifetime(kept) {
      try objects.values.map { try $0.shown() }.sorted()
    }
  }
}

struct NotFound: Error {
  var name: String
}

extension ManagedObject {
  var name: String {
    guard case .string(let name)? = try? value("name") else { return "?" }
    return name
  }

  /// The object with its values and the names of its related objects.
  func shown() throws -> String {
    var parts = ["\(entity)"]
    for slot in layout.slots.indices {
      let detail = layout.slots[slot]
      if detail.attribute != nil {
        parts.append(
          "\(detail.name)=\(row.map { _ in values().value(slot, layout).shown } ?? values().value(slot, layout).shown)"
        )
      } else if let relationship = detail.relationship {
        var names =
          relationship.schema.isToMany
          ? relatedObjects(slot).map(\.name) : relatedObject(slot).map { [$0.name] } ?? []
        if !relationship.schema.isOrdered { names.sort() }
        parts.append("\(detail.name)=[\(names.joined(separator: ","))]")
      }
    }
    return parts.joined(separator: " ")
  }
}

/// Notes down, from any thread.
final class Notes: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

/// Waits until `condition` holds; how long is only a limit.
func eventually(
  _ what: String = "it", seconds: Double = 600, isolation: isolated (any Actor)? = #isolation,
  _ condition: () throws -> Bool
) async throws {
  let end = Date().addingTimeInterval(seconds)
  while try !condition() {
    if Date() > end {
      Issue.record("\(what) did not happen in \(seconds) s")
      return
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Expects two states to be the same, and shows the lines that are not.
func expectSame(
  _ found: [String], _ expected: [String], _ comment: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if found == expected { return }
  let lines =
    found.filter { !expected.contains($0) }.map { "found    \($0)" }
    + expected.filter { !found.contains($0) }.map { "expected \($0)" }
  Issue.record(
    "\(comment)\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
}
