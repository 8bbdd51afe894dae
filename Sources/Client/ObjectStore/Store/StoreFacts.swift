public import DataModel
public import Foundation
internal import SchemaFormats
import SQLiteDriver

/// What a store says about itself; can be read without opening it.
public struct StoreFacts: Sendable {
  /// How it keeps its objects.
  public var kind: StoreKind
  /// The store's identity.
  public var identifier: UUID
  /// The format of its tables.
  public var formatVersion: Int
  /// The schema that it was last opened with.
  public var schema: Schema
  /// What its users added, by name.
  public var userFacts: [String: String]
  /// The stage of a migration plan that was begun and has not ended, as `StageState` writes it.
  var pendingStage: String?
}

extension StoreFacts {
  /// Names in the table of facts; what users add stands behind "user.".
  enum Name {
    static let identifier = "identifier"
    static let schema = "schema"
    static let pendingStage = "stage"
    /// There while files of values may have been left behind by a migration.
    static let unusedValues = "values.unused"
    static let userPrefix = "user."
  }

  /// Reads what the store behind `connection` says about itself.
  static func read(
    _ connection: Connection, kind: StoreKind, subject: String
  ) throws -> StoreFacts {
    let header = try connection.prepare(
      "SELECT (SELECT * FROM pragma_application_id), (SELECT * FROM pragma_user_version)")
    guard try header.step(), header.integer(0) == StoreSQL.applicationID else {
      throw StoreError(
        .notAStore, subject, "is an SQLite database of another program",
        fix: "name a file that Contrail made, or one that does not exist yet")
    }
    let version = header.integer(1)
    header.reset()
    guard version <= StoreSQL.formatVersion else { throw newerFormat(version, subject) }
    var facts: [String: String] = [:]
    let rows = try connection.prepare("SELECT name, value FROM contrail_store")
    while try rows.step() { facts[rows.text(0)] = rows.text(1) }
    guard let identifier = facts[Name.identifier].flatMap({ UUID(uuidString: $0) }),
      let text = facts[Name.schema]
    else {
      throw StoreError(.corrupt, subject, "does not say which store it is")
    }
    let schema: Schema
    do {
      let document = try ContrailJSON.read(Array(text.utf8), file: subject, label: "")
      guard case .objects(let found) = document.content else {
        throw StoreError(.corrupt, subject, "holds a schema of records, not of objects")
      }
      schema = found
    } catch let error as SchemaFormatError {
      throw StoreError(.corrupt, subject, "holds a schema that cannot be read: \(error)")
    }
    let users = facts.filter { $0.key.hasPrefix(Name.userPrefix) }
    return StoreFacts(
      kind: kind, identifier: identifier, formatVersion: Int(version), schema: schema,
      userFacts: Dictionary(
        users.map { (String($0.key.dropFirst(Name.userPrefix.count)), $0.value) },
        uniquingKeysWith: { first, _ in first }),
      pendingStage: facts[Name.pendingStage])
  }

  static func newerFormat(_ version: Int64, _ subject: String) -> StoreError {
    StoreError(
      .newerFormat, subject,
      "has format \(version), and this version of Contrail reads up to \(StoreSQL.formatVersion)",
      fix: "open it with the newer version that made it")
  }

  /// Whether the store says something under a name.
  static func has(_ name: String, _ connection: Connection) throws(SQLiteError) -> Bool {
    let statement = try connection.statement("SELECT 1 FROM contrail_store WHERE name = ?1")
    defer { statement.reset() }
    statement.bind(1, name)
    return try statement.step()
  }

  /// Takes one fact back.
  static func remove(_ name: String, _ connection: Connection) throws(SQLiteError) {
    let statement = try connection.statement("DELETE FROM contrail_store WHERE name = ?1")
    statement.bind(1, name)
    try statement.run()
  }

  /// Writes one fact.
  static func write(_ name: String, _ value: String, _ connection: Connection) throws(SQLiteError) {
    let statement = try connection.statement(
      "INSERT INTO contrail_store (name, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2"
    )
    statement.bind(1, name)
    statement.bind(2, value)
    try statement.run()
  }
}

extension Catalogue {
  /// Reads the catalogue of a store.
  static func read(_ connection: Connection) throws(SQLiteError) -> Catalogue {
    var catalogue = Catalogue()
    let entities = try connection.prepare(
      "SELECT number, name, table_name, is_live FROM contrail_entity ORDER BY number")
    while try entities.step() {
      catalogue.entities.append(
        Entity(
          number: Int(clamping: entities.integer(0)), name: entities.text(1),
          table: entities.text(2), isLive: entities.integer(3) != 0))
    }
    let properties = try connection.prepare(
      """
      SELECT number, entity, name, place, order_column, is_live FROM contrail_property \
      ORDER BY number
      """)
    while try properties.step() {
      catalogue.properties.append(
        Property(
          number: Int(clamping: properties.integer(0)),
          entity: Int(clamping: properties.integer(1)),
          name: properties.text(2), place: properties.text(3), order: properties.text(4),
          isLive: properties.integer(5) != 0))
    }
    return catalogue
  }

  /// Writes the whole catalogue over the one that the store has.
  func write(_ connection: Connection) throws(SQLiteError) {
    let entity = try connection.statement(
      """
      INSERT OR REPLACE INTO contrail_entity (number, name, table_name, is_live) \
      VALUES (?1, ?2, ?3, ?4)
      """)
    for row in entities {
      entity.bind(1, Int64(row.number))
      entity.bind(2, row.name)
      entity.bind(3, row.table)
      entity.bind(4, row.isLive ? 1 : 0 as Int64)
      try entity.run()
    }
    let property = try connection.statement(
      """
      INSERT OR REPLACE INTO contrail_property \
      (number, entity, name, place, order_column, is_live) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    for row in properties {
      property.bind(1, Int64(row.number))
      property.bind(2, Int64(row.entity))
      property.bind(3, row.name)
      property.bind(4, row.place)
      property.bind(5, row.order)
      property.bind(6, row.isLive ? 1 : 0 as Int64)
      try property.run()
    }
  }
}
