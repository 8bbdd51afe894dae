import RecordWire
import SyncCore

// The values that a change keeps of what the server has lost, until they are sent: no object has them, or the one that
// was made of them since could not take them.
extension ChangeRow {
  /// The kept values of edits that are sent; nil where nothing is kept, or a deleted object's values.
  private func sentValues() throws -> RecordFields? {
    guard code != SyncFailureCode.deletedRemotely, let values = try kept?.fields() else {
      return nil
    }
    return RecordFields(
      values.entries.filter { entry in change.edits.contains { $0.name.isSameName(entry.name) } }
        .map { ($0.name, $0.field) })
  }

  /// The fields whose values are kept to be sent.
  func keptNames() throws -> [String] { try sentValues()?.names ?? [] }

  /// Whether the change only sends again what the server had: nobody did anything to the record here.
  func isSentAgain(of record: RecordRow) throws -> Bool {
    if change.isEmpty || record.owner == .none && change.kind == .update { return true }
    let names = try keptNames()
    return !names.isEmpty && change.edits.allSatisfy { edit in names.contains { $0 == edit.name } }
  }

  /// Some fields of a record with the values that are kept in their place.
  func withKept(_ fields: RecordFields) throws -> RecordFields {
    guard let values = try sentValues() else { return fields }
    var all = fields
    for entry in values.entries { all[entry.name] = entry.field.value == .null ? nil : entry.field }
    return all
  }

  /// A record's fields with the kept values in their place, and their clocks.
  func overlaying(_ fields: RecordFields) throws -> RecordFields {
    let names = try keptNames()
    if names.isEmpty { return fields }
    var all = try withKept(fields)
    if case .bytes(let bytes)? = fields[ClockField.name]?.value,
      var clocks = FieldClocks(bytes: bytes)
    {
      for edit in change.edits where names.contains(edit.name) { clocks.note(edit) }
      all[ClockField.name] = RecordField(.bytes(clocks.bytes))
    }
    return all
  }

  /// What is kept without the fields that are edited again.
  mutating func dropKept(_ fields: [String]) throws {
    guard var values = try sentValues() else { return }
    for field in fields { values[field] = nil }
    kept = values.isEmpty ? nil : try FieldBytes(values)
  }

  /// What is kept with the values that a merge gave it; what was settled is not kept any more.
  mutating func keepMerged(_ edits: [LocalEdit]) throws {
    guard let values = try sentValues() else { return }
    let merged = values.entries.compactMap { entry in
      edits.first { $0.name.isSameName(entry.name) }.map { edit in
        (entry.name, RecordField(edit.value, isEncrypted: entry.field.isEncrypted))
      }
    }
    kept = merged.isEmpty ? nil : try FieldBytes(RecordFields(merged))
  }

  /// Keeps also what an earlier change of the record keeps, but for what was edited since.
  mutating func keepAlso(_ earlier: ChangeRow) throws {
    guard var values = try earlier.sentValues() else { return }
    for edit in change.edits { values[edit.name] = nil }
    for entry in try sentValues()?.entries ?? [] { values[entry.name] = entry.field }
    kept = values.isEmpty ? nil : try FieldBytes(values)
  }
}

extension SyncRows {
  /// A record's fields with the values that a change keeps for it.
  func overlaid(_ fields: RecordFields, of record: RecordRow) throws -> RecordFields {
    try ChangeRow.State.allCases.reduce(fields) { fields, state in
      try change(of: record.number, state: state)?.overlaying(fields) ?? fields
    }
  }
}
