public import ObjectStore
import RecordWire
public import SQLiteDriver

/// Reads objects of one entity as records, one after the other, with one prepared statement.
///
/// ```swift
/// let reader = try ObjectReader(type, connection)
/// for key in keys {
///   guard let object = try reader.fields(of: key, recordName: names.name) else { continue }
/// }
/// ```
public final class ObjectReader {
  /// The record name of an object, by the layout of its concrete entity and its key; nil for one that
  /// has no record.
  public typealias RecordNames = (EntityLayout, Int64) throws -> String?

  /// How large a record may become, in bytes, before values go into files: where the layout has twins.
  public static let recordBytesMax = 700_000

  /// What is read.
  public let type: ObjectType
  private let layout: StoreLayout
  private let statement: Statement

  /// Prepares to read objects of `type` through `connection`.
  public init(
    _ type: ObjectType, of records: ObjectRecords, _ connection: Connection
  ) throws(SQLiteError) {
    self.type = type
    layout = records.layout
    statement = try connection.prepare(type.selectSQL)
  }

  /// Reads objects with a statement that the connection keeps: two readers must not be on rows of it at one
  /// time.
  init(
    sharing type: ObjectType, _ layout: StoreLayout, _ connection: Connection
  ) throws(SQLiteError) {
    self.type = type
    self.layout = layout
    statement = try connection.statement(type.selectSQL)
  }

  /// What an object is on the wire; nil when it is gone.
  public func fields(of key: Int64, recordName: RecordNames) throws -> ObjectFields? {
    guard let version = try open(key) else { return nil }
    defer { close() }
    var object = ObjectFields(version: version)
    for place in type.places { try read(place, into: &object, recordName) }
    if !type.twins.isEmpty { moveToFiles(&object) }
    return object
  }

  private func read(
    _ place: FieldPlace, into object: inout ObjectFields, _ recordName: RecordNames
  ) throws {
    switch stored(place) {
    case .none: return
    case .value(let value):
      object.fields[place.name] = RecordField(value, isEncrypted: place.isEncrypted)
    case .file(let name, let count):
      object.files.append(
        FileField(
          field: place.assetTwin ?? place.name,
          plainField: place.assetTwin == nil ? nil : place.name, storedName: name,
          byteCount: count))
    case .target(let target):
      if let layout = layout.entity(number: target.entity),
        let name = try recordName(layout, target.key)
      {
        object.fields[place.name] = RecordField(.string(name))
      } else {
        object.unnamed.append(UnnamedTarget(field: place.name, object: target))
      }
    case .unrepresentable:
      object.unrepresentable.append(
        UnrepresentableField(
          field: place.name, property: "\(type.entity).\(place.propertyName)",
          reason: place.reason))
    }
  }

  /// Moves values into files, the largest first, until the record is no larger than it may be.
  private func moveToFiles(_ object: inout ObjectFields) {
    var count = object.fields.byteCount
    if count <= Self.recordBytesMax { return }
    let movable = type.twins.map { type.places[$0] }.compactMap { place in
      object.fields[place.name].map { (place: place, count: $0.value.byteCount) }
    }
    // Of two as large the one whose name comes first; sorting is stable, and places are sorted.
    for (place, size) in movable.sorted(by: { $0.count > $1.count }) {
      guard count > Self.recordBytesMax, let twin = place.assetTwin else { return }
      object.fields[place.name] = nil
      count -= size
      object.files.append(
        FileField(field: twin, plainField: place.name, storedName: nil, byteCount: size))
    }
  }
}

/// What an object has in one field.
enum StoredField: Hashable {
  case none
  case value(RecordValue)
  /// Bytes that are sent as a file, in the row or in a file beside the store.
  case file(name: String?, byteCount: Int?)
  case target(ObjectKey)
  case unrepresentable

  @inline(__always)
  fileprivate init(_ value: RecordValue?) { self = value.map { .value($0) } ?? .unrepresentable }
}

extension ObjectReader {
  /// Goes to an object's row; gives its version, or nil when it is gone.
  ///
  /// The row is read until `close`.
  func open(_ key: Int64) throws(SQLiteError) -> Int64? {
    statement.bind(1, key)
    guard try statement.step() else {
      statement.reset()
      return nil
    }
    return statement.integer(0)
  }

  func close() { statement.reset() }

  /// What the object whose row is open has in a field.
  func stored(_ place: FieldPlace) -> StoredField {
    if case .entityName = place.kind { return .value(.string(type.entity)) }
    let column = place.column
    if statement.isNull(column) {
      if case .null = place.whenEmpty { return .none }
      return .value(place.whenEmpty)
    }
    return switch place.kind {
    case .integer, .order: .value(.int64(statement.integer(column)))
    case .boolean: .value(.int64(statement.integer(column) == 0 ? 0 : 1))
    case .double: StoredField(statement.wireDouble(column).map { .double($0) })
    case .float: StoredField(statement.wireFloat(column).map { .double($0) })
    case .decimalNumber: StoredField(statement.wireDecimalNumber(column).map { .double($0) })
    case .decimalText: StoredField(statement.wireDecimalText(column).map { .string($0) })
    case .text: .value(.string(statement.text(column)))
    case .uuid: StoredField(statement.wireUUID(column).map { .string($0) })
    case .date: StoredField(statement.wireDate(column).map { .timestamp($0) })
    case .bytes: storedBytes(column)
    case .file: storedFile(place)
    case .toOne, .farToOne:
      .target(
        ObjectKey(
          entity: Int(clamping: statement.integer(column + 1)), key: statement.integer(column)))
    case .entityName: .none
    }
  }

  private func storedBytes(_ column: Int32) -> StoredField {
    // A text in a column of bytes is the name of a file beside the store.
    statement.kind(column) == .text
      ? .file(name: statement.text(column), byteCount: nil)
      : .value(.bytes(statement.bytes(column)))
  }

  private func storedFile(_ place: FieldPlace) -> StoredField {
    if statement.kind(place.column) == .text {
      return .file(name: statement.text(place.column), byteCount: nil)
    }
    let count = statement.byteCount(place.column)
    // An empty value that stands for none is not sent.
    if count == 0 && !type.layout.slots[place.slot].isOptional { return .none }
    return .file(name: nil, byteCount: count)
  }
}

extension FieldPlace {
  /// Why a value of this kind may be one that the wire cannot hold.
  fileprivate var reason: UnrepresentableField.Reason {
    switch kind {
    case .decimalText, .decimalNumber: .notDecimal
    case .uuid: .notUUID
    case .date: .timeOutOfRange
    default: .notFinite
    }
  }
}

extension ObjectRecords {
  /// What one object is on the wire; nil when it is gone, or its entity has no records.
  ///
  /// For many objects of one entity an `ObjectReader` is quicker.
  public func fields(
    of object: ObjectKey, in connection: Connection, recordName: ObjectReader.RecordNames
  ) throws -> ObjectFields? {
    guard let type = objectType(number: object.entity) else { return nil }
    return try ObjectReader(sharing: type, layout, connection).fields(
      of: object.key, recordName: recordName)
  }

  /// The bytes of a value that is sent as a file; nil when the object or the value is gone.
  public func bytes(
    of file: FileField, of object: ObjectKey, in connection: Connection, _ store: Store
  ) throws -> [UInt8]? {
    guard let type = objectType(number: object.entity),
      let place = type.places.first(where: { $0.name == (file.plainField ?? file.field) }),
      place.slot >= 0, let column = type.layout.slots[place.slot].column
    else { return nil }
    let statement = try connection.statement(
      """
      SELECT \(StoreLayout.sqlName(column)) FROM \(StoreLayout.sqlName(type.layout.table)) \
      WHERE _id = ?1
      """)
    defer { statement.reset() }
    statement.bind(1, object.key)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    if place.kind != .text, statement.kind(0) == .text {
      return try store.externalBytes(named: statement.text(0))
    }
    return statement.bytes(0)
  }
}
