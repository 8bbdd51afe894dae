public import ObjectStore
public import RecordWire
import SyncCore

/// Puts records of one type into the store as objects, within one transaction.
///
/// ```swift
/// try store.write(author: SyncAuthor.name) { transaction in
///   let writer = ObjectWriter(type, of: records, transaction)
///   let object = try writer.insert(record.fields) { name, _ in try names.object(name) }
/// }
/// ```
///
/// What comes from elsewhere is never refused: required values, limits and uniqueness are not checked.
/// A field that is absent or null becomes no value where the attribute may be without one, else its
/// default, else its type's empty value. Fields that are no property's are left alone.
public final class ObjectWriter {
  /// The object that has a record name; nil for one that is not here.
  ///
  /// The layout is that of the entity that the relationship asks for, or of its ancestor.
  public typealias Targets = (_ recordName: String, _ destination: EntityLayout) throws ->
    ObjectKey?

  /// What is written.
  public let type: ObjectType
  private let layout: StoreLayout
  private let transaction: WriteTransaction
  private var row: ImportRow
  /// To-one slots whose place in the other side's order is in no field, with the slot of the place.
  private let placedHere: [Int: Int]

  /// Prepares to write objects of `type` in `transaction`.
  public init(
    _ type: ObjectType, of records: ObjectRecords, _ transaction: WriteTransaction
  ) {
    self.type = type
    layout = records.layout
    self.transaction = transaction
    row = ImportRow(type.layout)
    placedHere = type.placedHere
  }

  /// Inserts an object with what `fields` say.
  public func insert(_ fields: RecordFields, target: Targets) throws -> ImportedObject {
    row.removeAll()
    var result = ImportedObject(key: 0)
    var rest = fields.entries[...]
    for place in type.places {
      while let next = rest.first, next.name.precedes(place.name) { rest.removeFirst() }
      let isHere = rest.first.map { $0.name.utf8.elementsEqual(place.name.utf8) } ?? false
      let value = isHere ? rest.first?.field.value : nil
      try put(value ?? .null, place, nil, fields, &result, target)
    }
    result.key = try transaction.insertImported(row)
    return result
  }

  /// Writes the given fields of an object, null for no value, and leaves all others as they are; nil when
  /// the object is gone.
  ///
  /// A field that the object has already, but for what the wire rounds, is not written: a time keeps its
  /// microseconds, and nothing is in history.
  public func update(
    _ key: Int64, _ fields: RecordFields, target: Targets
  ) throws -> ImportedObject? {
    row.removeAll()
    var result = ImportedObject(key: key)
    guard let version = try putChanges(key, fields, &result, target) else { return nil }
    result.isChanged = !row.isEmpty
    if result.isChanged {
      guard try transaction.updateImported(row, key: key, version: version) else { return nil }
    }
    return result
  }

  /// Puts into the row what differs from what the object has; gives the object's version, or nil when it
  /// is gone.
  private func putChanges(
    _ key: Int64, _ fields: RecordFields, _ result: inout ImportedObject, _ target: Targets
  ) throws -> Int64? {
    let reader = try ObjectReader(sharing: type, layout, transaction.connection)
    guard let version = try reader.open(key) else { return nil }
    defer { reader.close() }
    for place in places(of: fields) {
      let value = fields[place.name]?.value ?? .null
      try put(value, place, reader.stored(place), fields, &result, target)
    }
    return version
  }

  /// The places that fields are about; a twin's is that of the field that it stands in for.
  private func places(of fields: RecordFields) -> [FieldPlace] {
    var places = fields.entries.compactMap { type.place(of: $0.name) }
    for index in type.twins {
      let place = type.places[index]
      if let twin = place.assetTwin, fields[twin]?.value.isAsset == true,
        fields[place.name] == nil
      {
        places.append(place)
      }
    }
    return places
  }

  /// Deletes an object, whatever delete rules say; references to it become empty, and its pairs go.
  ///
  /// False when it is gone already.
  @discardableResult
  public func delete(_ key: Int64) throws -> Bool {
    try transaction.deleteImported(type.layout, key: key)
  }
}

extension ObjectWriter {
  /// Sets a to-one relationship, or empties it; for references whose record came later, or never will.
  ///
  /// Where the other side holds one object too, it is the same there. Nil when the object is gone, or the
  /// field is no to-one's.
  @discardableResult
  public func setTarget(
    _ field: String, of key: Int64, to target: ObjectKey?
  ) throws -> ImportedObject? {
    guard let place = type.place(of: field), place.destination != nil else { return nil }
    let value = target == nil ? RecordValue.null : .string("")
    return try update(key, [(field, value)].asFields) { _, _ in target }
  }

  /// Sets the value of a field that came as a file; nil when the object is gone.
  public func setFile(
    _ field: AwaitedFile, of key: Int64, to bytes: [UInt8]
  ) throws -> ImportedObject? {
    try setFile(field, of: key, to: .bytes(bytes), size: Int64(bytes.count))
  }

  /// Sets the value of a field that came as a file; a file that is large enough is moved into the store as
  /// it is, and its bytes are never read.
  func setFile(
    _ field: AwaitedFile, of key: Int64, to content: FileContent, size: Int64
  ) throws -> ImportedObject? {
    guard let place = type.place(of: field.plainField ?? field.field) else { return nil }
    row.removeAll()
    var result = ImportedObject(key: key)
    let reader = try ObjectReader(sharing: type, layout, transaction.connection)
    guard let version = try reader.open(key) else { return nil }
    reader.close()
    if case .file(let path) = content, type.layout.externalSlots.contains(place.slot),
      let name = try transaction.adoptExternal(path, byteCount: Int(clamping: size)),
      row.set(place.slot, externalName: name)
    {
      result.storedName = name
      return try transaction.updateImported(row, key: key, version: version) ? result : nil
    }
    guard let bytes = try content.wholeBytes() else {
      throw SyncError(
        .unreadableFile, field.field, "came, and its file is gone", fix: "sync again")
    }
    var value = RecordValue.bytes(bytes)
    if case .text = place.kind, let text = String(validating: bytes, as: UTF8.self) {
      value = .string(text)
    }
    guard place.store(value, in: &row) else {
      result.unfit.append(UnfitField(value, place, of: type))
      result.isChanged = false
      return result
    }
    return try transaction.updateImported(row, key: key, version: version) ? result : nil
  }
}

extension ObjectWriter {
  /// Puts one field's value into the row; `stored` is what the object has there, nil for a new one.
  private func put(
    _ value: RecordValue, _ place: FieldPlace, _ stored: StoredField?, _ fields: RecordFields,
    _ result: inout ImportedObject, _ target: Targets
  ) throws {
    switch place.kind {
    case .entityName: return
    case .toOne(let destination), .farToOne(let destination):
      try putTarget(value, place, destination, stored, &result, target)
    case .file: putFile(value, place, stored, &result)
    default: putAttribute(value, place, stored, fields, &result)
    }
  }

  private func putAttribute(
    _ value: RecordValue, _ place: FieldPlace, _ stored: StoredField?, _ fields: RecordFields,
    _ result: inout ImportedObject
  ) {
    if let twin = place.assetTwin, value.isEmpty, case .asset(let asset)? = fields[twin]?.value {
      result.files.append(
        AwaitedFile(field: twin, plainField: place.name, asset: asset))
      // A new object is empty there until the file has come.
      if stored == nil { _ = place.store(.null, in: &row) }
      return
    }
    if case .value(let current)? = stored, let new = place.asStored(value), new.isSame(as: current)
    {
      return
    }
    if case .none? = stored, case .null? = place.asStored(value) { return }
    if let typed = try? value.coerced(to: place.type, isList: false), place.store(typed, in: &row) {
      return
    }
    refuse(value, place, stored, &result)
  }

  private func putFile(
    _ value: RecordValue, _ place: FieldPlace, _ stored: StoredField?,
    _ result: inout ImportedObject
  ) {
    switch value {
    case .asset(let asset), .untyped(.asset(let asset)):
      result.files.append(AwaitedFile(field: place.name, plainField: nil, asset: asset))
      if stored == nil { _ = place.store(.null, in: &row) }
    case .null: if stored != StoredField.none { _ = place.store(.null, in: &row) }
    default: refuse(value, place, stored, &result)
    }
  }

  /// Notes a value that does not fit; a new object is empty there, another stays as it was.
  private func refuse(
    _ value: RecordValue, _ place: FieldPlace, _ stored: StoredField?,
    _ result: inout ImportedObject
  ) {
    result.unfit.append(UnfitField(value, place, of: type))
    if stored == nil { _ = place.store(.null, in: &row) }
  }

  private func putTarget(
    _ value: RecordValue, _ place: FieldPlace, _ destination: Int, _ stored: StoredField?,
    _ result: inout ImportedObject, _ target: Targets
  ) throws {
    let entity = layout.entities[destination]
    switch value {
    case .null: return try setTarget(nil, place, stored)
    case .string(let name), .untyped(.string(let name)):
      guard let found = try target(name, entity) else {
        result.waiting.append(
          WaitingReference(field: place.name, property: place.property, target: name))
        return try setTarget(nil, place, stored)
      }
      guard found.key > 0, let layout = layout.entity(number: found.entity),
        entity.family.contains(layout.index)
      else { return result.unfit.append(UnfitField(value, place, of: type)) }
      try setTarget(found, place, stored)
    default: result.unfit.append(UnfitField(value, place, of: type))
    }
  }

  private func setTarget(
    _ target: ObjectKey?, _ place: FieldPlace, _ stored: StoredField?
  ) throws {
    let isSame =
      switch stored {
      case .target(let current)?: current.key == target?.key
      case nil, StoredField.none?: target == nil
      default: false
      }
    if isSame { return }
    row.setTarget(place.slot, target?.key)
    guard let order = placedHere[place.slot] else { return }
    // No field says where the object is in the other's order: it comes last.
    if let target,
      let last = try transaction.lastPlace(type.layout, place.slot, of: target.key)
    {
      row.set(order, last)
    } else {
      row.clear(order)
    }
  }
}

extension ObjectType {
  /// To-one slots whose place in the other side's order is in no field, with the slot of the place.
  fileprivate var placedHere: [Int: Int] {
    var result: [Int: Int] = [:]
    for place in places {
      guard case .toOne = place.kind,
        let order = layout.slot(place.propertyName + Slot.orderSuffix)
      else { continue }
      result[place.slot] = order
    }
    for place in places {
      if case .order(let slot) = place.kind { result[slot] = nil }
    }
    return result
  }
}

extension RecordValue {
  var isAsset: Bool {
    if case .asset = self { true } else { false }
  }

  /// Whether a field says nothing, so that its twin may.
  fileprivate var isEmpty: Bool {
    switch self {
    case .null: true
    case .string(let text), .untyped(.string(let text)): text.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    default: false
    }
  }
}

extension [(String, RecordValue)] {
  fileprivate var asFields: RecordFields { RecordFields(map { ($0.0, RecordField($0.1)) }) }
}
