import DataModel
import ObjectStore
import SQLiteDriver

/// Finds objects of one entity that people take for the same: all parts of their natural keys are equal.
///
/// Who lacks a part, or has an empty text there, has no key.
struct NaturalKey {
  let type: ObjectType
  /// The numbers that history knows the key's properties by.
  let properties: Set<Int>
  private let parts: [Part]

  private struct Part {
    var column: String
    var isDate: Bool
    var isText: Bool

    func value(_ row: String) -> String {
      // The wire rounds times, and so does who made the object only when it comes back.
      isDate ? "CAST(round(\(row).\(column) * 1000) AS INTEGER)" : "\(row).\(column)"
    }
  }

  /// The natural key of an entity; nil where it names none, or a part that is not in its own row.
  init?(_ type: ObjectType) {
    let places = type.naturalKey.compactMap { type.place(of: $0) }
    guard !places.isEmpty, places.count == type.naturalKey.count else { return nil }
    var parts: [Part] = []
    for place in places {
      guard place.slot >= 0, let column = type.layout.slots[place.slot].column else { return nil }
      if place.kind == .file { return nil }
      parts.append(
        Part(
          column: StoreLayout.sqlName(column), isDate: place.kind == .date,
          isText: place.kind == .text))
    }
    self.type = type
    self.parts = parts
    properties = Set(places.map(\.property))
  }

  /// Objects with the key of one of those in `keys`, nil for all, as pairs of both.
  func equals(of keys: [Int64]?, _ connection: Connection) throws(SQLiteError) -> [(Int64, Int64)] {
    let table = StoreLayout.sqlName(type.layout.table)
    var conditions = ["a._id <> b._id"]
    for part in parts {
      conditions.append("\(part.value("a")) = \(part.value("b"))")
      if part.isText { conditions.append("a.\(part.column) <> ''") }
    }
    if type.layout.sharesTable {
      conditions += ["a", "b"].map { "\($0)._entity = \(type.number)" }
    }
    if keys != nil { conditions.append("a._id IN (SELECT value FROM json_each(?1))") }
    let statement = try connection.statement(
      """
      SELECT a._id, b._id FROM \(table) AS a JOIN \(table) AS b \
      WHERE \(conditions.joined(separator: " AND ")) ORDER BY a._id, b._id
      """)
    defer { statement.reset() }
    if let keys { statement.bind(1, "[\(keys.map(String.init).joined(separator: ","))]") }
    var found: [(Int64, Int64)] = []
    while try statement.step() { found.append((statement.integer(0), statement.integer(1))) }
    return found
  }
}
