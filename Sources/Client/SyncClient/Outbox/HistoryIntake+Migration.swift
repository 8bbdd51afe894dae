import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

// Values that a migration writes, and that are to be sent. Every device migrates, so they carry the clocks of
// what they were made of: a user's edit wins over them, and whoever comes second finds them sent.
extension HistoryIntake {
  /// The edits that are made of what a migration wrote to a record.
  ///
  /// What was edited here before keeps its moment, also with another value. What a new field has on the
  /// server already, some other device has migrated, or a user has edited: that is taken over instead.
  func migratedEdits(_ fields: [String], of record: RecordRow) throws -> [LocalEdit] {
    guard let base = try rows.base(of: record.number) else { return [] }
    let state = objects.state(try base.fields.fields(), modified: base.modified)
    let known = try rows.text(.known).map(KnownParts.init)?.fields ?? []
    let pending = try [ChangeRow.State.pending, .parked].flatMap { state in
      try rows.change(of: record.number, state: state)?.change.edits ?? []
    }
    let read = try LocalRecords(rows, objects).fields(of: record)
    let local = read?.fields
    // Which bytes are in a file is looked at when it is sent, and what the server has already is not sent.
    let inFiles = Set(read?.files.map(\.field) ?? [])
    return fields.compactMap { field in
      if pending.contains(where: { $0.name.utf8.elementsEqual(field.utf8) }) { return nil }
      let there = state.value(field)
      let here =
        inFiles.contains(field) ? .asset(RecordAsset()) : local?[field]?.value ?? .null
      if here.isSame(as: there) { return nil }
      let arrival = FieldClock(HybridTime(milliseconds: base.modified), .unknown)
      let isKnown = known.contains(KnownParts.Field(type: record.type, name: field))
      if !isKnown && state.isEdited(field) { return nil }
      return .inheriting((state.clocks?[field] ?? arrival).next, field)
    }
  }
}

extension RecordState {
  /// Whether somebody has given a field a value since the record was made, or taken it away.
  fileprivate func isEdited(_ field: String) -> Bool {
    if value(field) != .null { return true }
    guard let clocks, let common = clocks.common, let clock = clocks[field] else { return false }
    // One before all others says that the record was made without the field.
    return clock != common && clock.time != .origin
  }
}
