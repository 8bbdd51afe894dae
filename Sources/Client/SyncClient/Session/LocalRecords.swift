import DataModel
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

/// What the objects behind records are now, through one connection.
final class LocalRecords {
  let rows: SyncRows
  let objects: ObjectRecords
  /// Where the files of values are; nil for who does not ask for them.
  let store: Store?
  private var readers: [Int: ObjectReader] = [:]

  init(_ rows: SyncRows, _ objects: ObjectRecords, files store: Store? = nil) {
    self.rows = rows
    self.objects = objects
    self.store = store
  }

  /// What a record would be if all of it were sent; nil where its object is gone, or it never was one.
  func fields(of record: RecordRow, files: FileWish = .all) throws -> ObjectFields? {
    switch record.owner {
    case .object(let entity, let key):
      guard let reader = try reader(entity) else { return nil }
      var read = try reader.fields(of: key) { try self.name(of: $0.number, $1) }
      guard store != nil, reader.type.hasFiles, read != nil else { return read }
      try addFiles(to: &read, record, ObjectKey(entity: entity, key: key), files)
      return read
    case .pair(let property, let source, let target):
      guard let type = objects.edgeType(number: property),
        let pair = try type.pair(source: source, target: target, in: rows.connection)
      else { return nil }
      return try self.record(of: pair, type).map { ObjectFields(version: 0, fields: $0.fields) }
    case .none: return nil
    }
  }

  /// The record that a pair would be; nil while one of its ends has no record.
  func record(of pair: EdgePair, _ type: EdgeType) throws -> EdgeRecord? {
    guard let source = try name(of: pair.source.entity, pair.source.key),
      let target = try name(of: pair.target.entity, pair.target.key)
    else { return nil }
    return type.record(
      EdgeContent(
        source: source, target: target, sourceOrder: pair.sourceOrder,
        targetOrder: pair.targetOrder))
  }

  private func name(of entity: Int, _ key: Int64) throws -> String? {
    try rows.record(of: .object(entity: entity, key: key))?.name
  }

  private func reader(_ entity: Int) throws -> ObjectReader? {
    if let reader = readers[entity] { return reader }
    guard let type = objects.objectType(number: entity) else { return nil }
    // An object is read in one call, in which no other one is: so all share a statement.
    let reader = try ObjectReader(sharing: type, objects.layout, rows.connection)
    readers[entity] = reader
    return reader
  }
}

extension LocalRecords {
  /// A change's edits with the values that they have now: of a new record, all that it has; of fields whose values
  /// the change keeps, those.
  func edits(
    of change: ChangeRow, _ record: RecordRow, _ fields: RecordFields, device: DeviceNumber
  ) throws -> [LocalEdit] {
    let fields = objects.withLegacyFields(fields, of: record.type)
    var edits = change.change.edits
    if change.change.kind == .create {
      let clock = FieldClock(change.clock, device)
      edits =
        fields.names.filter { name in !edits.contains { $0.name.utf8.elementsEqual(name.utf8) } }
        .map { LocalEdit($0, .null, clock) } + edits
    }
    let kept = try change.kept?.fields()
    return try edits.map { edit in
      var edit = edit
      edit.value = try kept?[edit.name]?.value ?? value(of: edit, record, fields)
      return edit
    }
  }

  /// The value of an edit's field now.
  ///
  /// What is restated was not edited here: a reference that the object lacks, since its target is not here, is
  /// told as it waits.
  func value(
    of edit: LocalEdit, _ record: RecordRow, _ fields: RecordFields
  ) throws -> RecordValue {
    let value = fields[edit.name]?.value ?? .null
    guard edit.isRestated, value == .null,
      let awaited = try rows.waiting(of: record.number)
        .first(where: { $0.field.utf8.elementsEqual(edit.name.utf8) })
    else { return value }
    return .string(awaited.target)
  }
}

extension ObjectRecords {
  /// The field with the clocks of a record's fields; nil where its layout has none.
  func clocksField(of record: RecordRow) -> String? {
    switch record.owner {
    case .object(let entity, _): objectType(number: entity)?.clocksField
    case .pair(let property, _, _): edgeType(number: property)?.clocksField
    case .none: nil
    }
  }

  /// The clocks of a record's fields; nil where it has none that can be read.
  func clocks(of fields: RecordFields) -> FieldClocks? {
    guard profile == .native, case .bytes(let bytes)? = fields[ClockField.name]?.value else {
      return nil
    }
    return FieldClocks(bytes: bytes)
  }

  /// Fields as a state to merge with: the clocks are taken out and read.
  func state(_ fields: RecordFields, modified: Int64) -> RecordState {
    var rest = fields
    let clocks = clocks(of: fields)
    if profile == .native { rest[ClockField.name] = nil }
    return RecordState(
      fields: rest, clocks: clocks, modified: HybridTime(milliseconds: modified))
  }

  /// Whether what an object has in a field is what a record has there, as far as the store can tell.
  func isSame(
    _ local: RecordValue, _ record: RecordValue, in field: String, of row: RecordRow
  ) -> Bool {
    if local.isSame(as: record) { return true }
    guard case .object(let entity, _) = row.owner, let type = objectType(number: entity) else {
      return false
    }
    return type.isSame(object: local, record: record, in: field)
  }
}
