import DataModel
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

/// Finds objects that stand in their records just as they are, many at once: the bytes of the record are
/// compared with what SQLite has in the object's columns, and neither is read.
///
/// Nearly all objects are so. The others need a closer look, with `ObjectComparison`.
struct PlainObjects {
  private let connection: Connection
  private let layout: StoreLayout
  private let types: [(type: ObjectType, places: [PlainPlace])]

  init(_ objects: ObjectRecords, _ rows: SyncRows) {
    connection = rows.connection
    layout = objects.layout
    types = objects.objectTypes.map { type in
      (type, type.places.map { PlainPlace($0, of: type) })
    }
  }

  /// The numbers of the records in a range whose objects are plainly what they say.
  func equal(in numbers: Range<Int64>, zone: Int64) throws(SQLiteError) -> Set<Int64> {
    var found: Set<Int64> = []
    for (type, places) in types {
      let statement = try connection.statement(type.paired.sql)
      defer { statement.reset() }
      statement.bind(1, Int64(type.number))
      statement.bind(2, zone)
      statement.bind(3, numbers.lowerBound)
      statement.bind(4, numbers.upperBound)
      while try statement.step() {
        if isEqual(statement, type, places) { found.insert(statement.integer(type.paired.number)) }
      }
    }
    return found
  }

  private func isEqual(_ row: Statement, _ type: ObjectType, _ places: [PlainPlace]) -> Bool {
    row.withBytes(type.paired.number + 1) { bytes in
      guard var cursor = WireCursor(bytes) else { return false }
      for place in places {
        // What no property is says nothing of the object.
        while cursor.isBefore(place.name) {
          guard cursor.skipField() else { return false }
        }
        guard cursor.isAt(place.name) else {
          if place.isAbsentWhenNull && row.isNull(place.column) { continue }
          return false
        }
        guard cursor.take(place.head), isSame(row, place, &cursor), cursor.take(place.tail),
          cursor.endField()
        else { return false }
      }
      return true
    }
  }

  /// Goes behind the value if it is what the object has.
  private func isSame(_ row: Statement, _ place: PlainPlace, _ cursor: inout WireCursor) -> Bool {
    let column = place.column
    if place.constant == nil && row.isNull(column) { return false }
    switch place.kind {
    case .entityName: return place.constant.map { cursor.take($0) } ?? false
    case .integer, .order: return cursor.takeInteger(row.integer(column))
    case .boolean: return cursor.takeInteger(row.integer(column) == 0 ? 0 : 1)
    case .double: return row.wireDouble(column).map { cursor.takeWord($0.description) } ?? false
    case .float: return row.wireFloat(column).map { cursor.takeWord($0.description) } ?? false
    case .date: return row.wireDate(column).map { cursor.takeInteger($0) } ?? false
    case .text: return row.withBytes(column) { cursor.takeString($0) }
    case .uuid: return row.wireUUID(column).map { cursor.takeWord("\"\($0)\"") } ?? false
    case .toOne, .farToOne:
      return isNamed(row.integer(column), entity: row.integer(column + 1), &cursor)
    case .decimalText, .decimalNumber, .bytes, .file: return false
    }
  }

  private func isNamed(_ key: Int64, entity: Int64, _ cursor: inout WireCursor) -> Bool {
    let sql =
      "SELECT name FROM contrail_sync_record WHERE key = ?1 AND owner = ?2 AND far = 0 AND owner <> 0"
    guard let statement = try? connection.statement(sql) else { return false }
    defer { statement.reset() }
    statement.bind(1, key)
    statement.bind(2, entity)
    guard (try? statement.step()) == true else { return false }
    return statement.withBytes(0) { cursor.takeString($0) }
  }
}

/// A field in the bytes of a record.
private struct PlainPlace {
  let name: [UInt8]
  let kind: FieldPlace.Kind
  let column: Int32
  /// What stands before the value, and behind it.
  let head: [UInt8]
  let tail: [UInt8]
  /// The value where it is the same for all objects.
  let constant: [UInt8]?
  let isAbsentWhenNull: Bool

  init(_ place: FieldPlace, of type: ObjectType) {
    (name, kind, column) = (Array(place.name.utf8), place.kind, place.column)
    let isEntityName = place.kind == .entityName
    constant = isEntityName ? Array("\"\(type.entity)\"".utf8) : nil
    if case .null = place.whenEmpty {
      isAbsentWhenNull = !isEntityName
    } else {
      isAbsentWhenNull = false
    }
    (head, tail) = Self.spelling(of: place)
  }

  /// How a field is spelled around its value, as the writer says; what is not found is in no record.
  private static func spelling(of place: FieldPlace) -> (head: [UInt8], tail: [UInt8]) {
    let (sample, text): (RecordValue, String) =
      switch place.type {
      case .string: (.string("x"), "\"x\"")
      case .double: (.double(1), "1.0")
      case .timestamp: (.timestamp(1), "1")
      default: (.int64(1), "1")
      }
    let field = RecordField(sample, isEncrypted: place.isEncrypted)
    let json = (try? FieldBytes(RecordFields([(place.name, field)])).json) ?? []
    let key = Array("\"value\":".utf8)
    guard let range = json.firstRange(of: key + Array(text.utf8)) else { return ([], []) }
    return (
      Array(json[1..<(range.lowerBound + key.count)]),
      Array(json[range.upperBound..<(json.count - 1)])
    )
  }
}
