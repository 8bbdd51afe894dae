import DataModel
import Foundation
import SQLiteDriver

@testable import ObjectStore

/// A schema with every kind of relationship and every delete rule, and helpers that read tables raw.
enum Zoo {
  static let schema = Schema(
    name: "Zoo",
    entities: [
      Schema.Entity(
        name: "Item",
        attributes: attributes,
        relationships: [
          to("owner", "Person", "items"), to("box", "Box", "things"),
          many("tags", "Tag", "items"), many("fans", "Person", "favourites", isOrdered: true),
        ]),
      Schema.Entity(
        name: "Gadget", parent: "Item",
        attributes: [Schema.Attribute(name: "power", type: .integer16, isOptional: true)],
        relationships: [to("maker", "Person", "gadgets")]),
      Schema.Entity(
        name: "Person",
        attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
        relationships: [
          many("items", "Item", "owner", .cascade), many("gadgets", "Gadget", "maker", .deny),
          many("favourites", "Item", "fans", isOrdered: true),
          to("passport", "Passport", "holder", .cascade), many("friends", "Person", "friends"),
          to("partner", "Person", "partner"), to("boss", "Person", "reports"),
          many("reports", "Person", "boss", .noAction), to("mentor", "Person", nil),
          many("watched", "Item", nil),
        ]),
      Schema.Entity(
        name: "Box",
        attributes: [Schema.Attribute(name: "label", type: .string, isOptional: true)],
        relationships: [many("things", "Item", "box", isOrdered: true)]),
      Schema.Entity(
        name: "Passport",
        attributes: [Schema.Attribute(name: "code", type: .string, isOptional: true)],
        relationships: [to("holder", "Person", "passport")],
        uniquenessConstraints: [["code"]]),
      Schema.Entity(
        name: "Tag",
        attributes: [Schema.Attribute(name: "word", type: .string, isOptional: true)],
        relationships: [many("items", "Item", "tags")]),
    ])

  private static let attributes = [
    Schema.Attribute(name: "name", type: .string, isOptional: true),
    Schema.Attribute(name: "number", type: .integer64, defaultValue: .integer(0)),
    Schema.Attribute(name: "ratio", type: .double, isOptional: true),
    Schema.Attribute(name: "flag", type: .boolean, isOptional: true),
    Schema.Attribute(name: "when", type: .date, isOptional: true),
    Schema.Attribute(name: "mark", type: .uuid, isOptional: true),
    Schema.Attribute(name: "cost", type: .decimal, isOptional: true),
    Schema.Attribute(name: "bytes", type: .binaryData, isOptional: true),
  ]

  private static func to(
    _ name: String, _ destination: String, _ inverse: String?,
    _ rule: Schema.Relationship.DeleteRule = .nullify
  ) -> Schema.Relationship {
    Schema.Relationship(name: name, destination: destination, inverse: inverse, deleteRule: rule)
  }

  private static func many(
    _ name: String, _ destination: String, _ inverse: String?,
    _ rule: Schema.Relationship.DeleteRule = .nullify, isOrdered: Bool = false
  ) -> Schema.Relationship {
    Schema.Relationship(
      name: name, destination: destination, inverse: inverse, isToMany: true, isOrdered: isOrdered,
      deleteRule: rule)
  }

  static func store() throws -> Store { try Store(at: .memory, schema: schema) }
}

extension ModelContext {
  /// A new object with a name, under whichever attribute holds names.
  func add(_ entity: String, _ name: String) throws -> ManagedObject {
    let object = try insert(entity)
    try object.rename(name)
    return object
  }

  /// The same object in this context.
  func same(_ object: ManagedObject) throws -> ManagedObject {
    guard let identity = object.identity, let found = self.object(identity) else {
      throw StoreError(.missingObject, object.entity, "has no identity")
    }
    return found
  }

  func fetchAll(_ entity: String) throws -> [ManagedObject] { try fetch(FetchRequest(entity)) }
}

extension ManagedObject {
  static let nameAttributes = [
    "Box": "label", "Passport": "code", "Tag": "word", "Person": "name", "Item": "name",
    "Gadget": "name",
  ]

  func rename(_ name: String) throws {
    try setValue(Self.nameAttributes[entity] ?? "name", .string(name))
  }

  /// What the object is called.
  var named: String {
    guard let value = try? value(Self.nameAttributes[entity] ?? "name") else { return "?" }
    if case .string(let text) = value { return text }
    return "-"
  }

  /// The names of related objects, in their order.
  func names(_ relationship: String) throws -> [String] {
    try relatedObjects(relationship).map(\.named)
  }
}

extension Store {
  /// The names of an object's related objects, as a new context sees them.
  func names(_ relationship: String, of object: ManagedObject) throws -> [String] {
    let context = ModelContext(self)
    return try withExtendedLifetime(context) { try context.same(object).names(relationship) }
  }

  /// The rows that a statement gives.
  func rows(_ sql: String) throws -> [[FieldValue]] {
    try read { connection in
      let statement = try connection.prepare(sql)
      var rows: [[FieldValue]] = []
      while try statement.step() {
        rows.append((0..<Int32(statement.columnCount)).map { statement.value($0) })
      }
      return rows
    }
  }

  /// The keys of objects that history leads to, by the numbers of their entities' roots.
  func replayedKeys() throws -> [Int: Set<Int64>] {
    var keys: [Int: Set<Int64>] = [:]
    for row in try rows("SELECT kind, entity, key, count FROM contrail_change ORDER BY number") {
      guard case .integer(let kind) = row[0], case .integer(let number) = row[1],
        case .integer(let key) = row[2], case .integer(let count) = row[3],
        let root = layout.entity(number: Int(number))?.root
      else { continue }
      switch ChangeKind(rawValue: kind) {
      case .insert: keys[root, default: []].formUnion(key..<(key + count))
      case .delete: keys[root]?.remove(key)
      default: break
      }
    }
    return keys.filter { !$0.value.isEmpty }
  }

  /// The keys that the tables have.
  func storedKeys() throws -> [Int: Set<Int64>] {
    var keys: [Int: Set<Int64>] = [:]
    for entity in layout.entities where entity.root == entity.index {
      let found = try rows("SELECT _id FROM \(quoted(entity.table))").compactMap { row in
        if case .integer(let key) = row[0] { key } else { nil }
      }
      if !found.isEmpty { keys[entity.index] = Set(found) }
    }
    return keys
  }
}
