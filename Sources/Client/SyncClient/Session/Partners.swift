import RecordWire
import SQLiteDriver
import SyncCore

/// Who is whose only partner, by what the records of both ends say.
///
/// Both ends of a one-to-one relationship have a field. Two are partners when each names the other: since
/// a record has one value there, nobody can have two partners, whatever was done on how many devices, and
/// every device finds the same from the same records. A reference that is not returned stays in its record
/// and shows nothing.
struct Partners {
  let rows: SyncRows
  let objects: ObjectRecords
  let local: LocalRecords

  init(_ rows: SyncRows, _ objects: ObjectRecords, _ local: LocalRecords) {
    self.rows = rows
    self.objects = objects
    self.local = local
  }

  /// Whether a record names another one: what was done here and is not sent counts, else what was
  /// confirmed.
  func does(_ record: RecordRow, name other: RecordRow, in field: String) throws -> Bool {
    guard let edit = try edit(of: field, of: record) else {
      return try didConfirm(record, name: other, in: field)
    }
    guard let fields = try local.fields(of: record)?.fields else { return false }
    return try local.value(of: edit, record, fields).names(other)
  }

  /// Whether the server has confirmed that a record names another one.
  func didConfirm(_ record: RecordRow, name other: RecordRow, in field: String) throws -> Bool {
    try confirmed(field, of: record)?.names(other) ?? false
  }

  /// Whether a record that another one names returns that, as far as the server has confirmed anything of it.
  func isPartner(
    _ record: RecordRow, confirmedTo other: RecordRow, in field: String
  ) throws -> Bool {
    try rows.base(of: record.number) == nil || didConfirm(record, name: other, in: field)
  }

  /// Whether a record's field is of a one-to-one relationship.
  func isMutual(_ field: String, of record: RecordRow) -> Bool { opposite(field, record) != nil }

  private func opposite(_ field: String, _ record: RecordRow) -> OppositeField? {
    guard case .object(let entity, _) = record.owner else { return nil }
    return objects.objectType(number: entity)?.opposites[field]
  }

  /// Whether a reference of a record is to one that is here and does not return it.
  func isUnreturned(_ field: String, of record: RecordRow, to name: String) throws -> Bool {
    guard let opposite = opposite(field, record),
      let target = try rows.record(named: name, zone: record.zone)
    else { return false }
    return try !does(target, name: record, in: opposite.field)
  }

  /// Whether an edit names a partner that the server's record named before, without an answer: both ends
  /// have to know when they became partners.
  func isReturnedOnlyNow(_ edit: LocalEdit, of record: RecordRow) throws -> Bool {
    guard let opposite = opposite(edit.name, record),
      case .string(let name) = edit.value,
      let partner = try rows.record(named: name, zone: record.zone)
    else { return false }
    return try !isPartner(partner, confirmedTo: record, in: opposite.field)
  }

  /// The partner that a record's object has now.
  func partner(of record: RecordRow, in field: String) throws -> RecordRow? {
    guard case .string(let name)? = try local.fields(of: record)?.fields[field]?.value else {
      return nil
    }
    return try rows.record(named: name, zone: record.zone)
  }

  private func confirmed(_ field: String, of record: RecordRow) throws -> RecordValue? {
    try rows.base(of: record.number)?.fields.fields()[field]?.value
  }

  /// What was done to a field here and is not confirmed; nil for nothing.
  private func edit(of field: String, of record: RecordRow) throws -> LocalEdit? {
    for state in ChangeRow.State.allCases {
      guard let row = try rows.change(of: record.number, state: state) else { continue }
      let edit = row.change.edits.first { $0.name.utf8.elementsEqual(field.utf8) }
      if let edit { return edit }
      if row.change.kind == .create {
        return LocalEdit(field, .null, FieldClock(row.clock, .unknown))
      }
    }
    return nil
  }
}

extension RecordValue {
  /// Whether it is the name of a record.
  fileprivate func names(_ record: RecordRow) -> Bool {
    if case .string(let name) = self { name.utf8.elementsEqual(record.name.utf8) } else { false }
  }
}
