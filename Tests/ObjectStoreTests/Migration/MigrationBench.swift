import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

/// A store file in a temporary folder that is removed, opened with one schema after the other.
final class MigrationBench {
  let folder: String
  var path: String { folder + "/store.sqlite" }

  init() throws {
    folder = NSTemporaryDirectory() + "contrail-migration-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @discardableResult
  func open(_ schema: Schema, _ options: Store.Options = Store.Options()) throws -> Store {
    try Store(at: .file(path), schema: schema, options: options)
  }

  /// Opens the store with `schema` and changes it.
  func fill(_ schema: Schema, _ body: (ModelContext) throws -> Void) throws {
    let context = ModelContext(try open(schema))
    try body(context)
    try context.save()
  }

  /// Everything that objects hold, a line for each, by the schema that the store is opened with.
  func contents(_ schema: Schema, _ options: Store.Options = Store.Options()) throws -> [String] {
    try ModelContext(try open(schema, options)).allLines()
  }

  /// Runs SQL and returns its rows as text.
  func rows(_ sql: String) throws -> [String] {
    let connection = try Connection(.file(path), mode: .readOnly)
    return try connection.textRows(sql)
  }

  /// Tables, columns and indexes as a new store of `schema` has them, and as this one has them.
  func shapes(_ schema: Schema) throws -> (found: [String], expected: [String]) {
    let found = try Self.shape(Connection(.file(path), mode: .readOnly))
    let other = folder + "/new-\(UUID().uuidString).sqlite"
    _ = try Store(at: .file(other), schema: schema)
    return (found, try Self.shape(Connection(.file(other), mode: .readOnly)))
  }

  static func shape(_ connection: Connection) throws -> [String] {
    let columns = try connection.textRows(
      """
      SELECT t.name, c.name, c.type, c."notnull", c.pk FROM pragma_table_list AS t, \
      pragma_table_info(t.name) AS c WHERE t.schema = 'main' AND t.name NOT GLOB 'sqlite_*'
      """)
    let indexes = try connection.textRows(
      "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    return (columns + indexes).sorted()
  }
}

extension Connection {
  func textRows(_ sql: String) throws -> [String] {
    let statement = try prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append(
        (0..<Int32(statement.columnCount)).map { statement.value($0).shown }
          .joined(separator: " "))
    }
    return rows
  }
}

extension ModelContext {
  func allLines() throws -> [String] {
    try store.layout.entities.filter { $0.hasTable(store.layout) && !$0.schema.isAbstract }
      .flatMap { layout in
        try all(layout.name).filter { $0.entity == layout.name }.map { $0.line }
      }
  }
}

extension ManagedObject {
  /// Entity, key, and all values and links in the order of their names.
  var line: String {
    let values = layout.slots.indices.compactMap { slot -> String? in
      let property = layout.slots[slot]
      if property.isOrder || property.number == 0 { return nil }
      guard let relationship = property.relationship else {
        return (try? value(property.name)).map { "\(property.name)=\($0.shown)" }
      }
      let objects =
        relationship.schema.isToMany
        ? relatedObjects(slot) : relatedObject(slot).map { [$0] } ?? []
      let keys = objects.map(\.key)
      let sorted = relationship.schema.isOrdered ? keys : keys.sorted()
      return "\(property.name)=\(sorted)"
    }
    return "\(entity) \(key): " + values.sorted().joined(separator: " ")
  }
}
