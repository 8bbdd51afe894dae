import DataModel
import RecordWire
import SyncCore

// Records that are no objects here: of later versions, or of types that this program does not know.
extension Receiver {
  /// Has what the server had told of a record that is no object here, and has lost, sent from here; false where there is
  /// nothing of the kind.
  ///
  /// Whoever makes objects of such records may never have had it. The values are the change's until it is sent.
  mutating func sendLost(
    _ row: RecordRow, of known: RecordState, _ server: RecordState, _ base: BaseRow,
    _ change: ChangeRow?, was old: BaseRow?
  ) throws -> Bool {
    guard row.owner == .none, change?.change.kind != .delete, let clocks = known.clocks,
      server.clocks != nil
    else { return false }
    let lost = known.edits(newerThan: server)
    let sent = lost.filter { $0.value.canBeSentAgain && server.value($0.name).canBeSentAgain }
    if sent.isEmpty { return false }
    let partly = Set(lost.filter { !sent.contains($0) }.map(\.clock.device))
    var kept = try change ?? rows.newChange(LocalChange(.update), of: row, clock, now)
    kept.change = LocalChange(
      .update,
      edits: sent.map { edit in
        var edit = edit
        edit.isRestated = true
        // The record is not to look as if it had all that the device did to it.
        edit.isInherited = !clocks.has(edit.clock) || partly.contains(edit.clock.device)
        return edit
      })
    kept.kept = try FieldBytes(
      RecordFields(sent.map { ($0.name, known.fields[$0.name] ?? RecordField(.null)) }))
    try rows.setBase(base, of: row, was: old)
    try rows.put(kept)
    tally.merged += 1
    // With all of it this may be a record that the program understands.
    try insert(row, try kept.overlaying(try base.fields.fields()))
    return true
  }

  /// Gives up a record that is no object here, and what was to be sent of it again.
  ///
  /// What was lost with a deletion is kept.
  mutating func forget(_ row: RecordRow, _ base: BaseRow) throws {
    try rows.setBase(nil, of: row, was: base)
    for state in ChangeRow.State.allCases {
      guard let change = try rows.change(of: row.number, state: state) else { continue }
      if change.code == SyncFailureCode.deletedRemotely { return }
      try rows.deleteChange(try rows.single(row.number, of: change).number)
      note(row, .absorbed)
    }
    try rows.deleteRecord(row.number)
  }
}

extension ChangeRow {
  /// Whether the change only sends again what the server had: nobody did anything to the record here.
  func isSentAgain(of record: RecordRow) -> Bool {
    change.isEmpty || record.owner == .none && change.kind == .update
  }

  /// A record's fields with the values that the change keeps, and their clocks.
  func overlaying(_ fields: RecordFields) throws -> RecordFields {
    guard code != SyncFailureCode.deletedRemotely, let values = try kept?.fields() else {
      return fields
    }
    var all = fields
    var clocks: FieldClocks?
    if case .bytes(let bytes)? = fields[ClockField.name]?.value {
      clocks = FieldClocks(bytes: bytes)
    }
    for edit in change.edits {
      guard let field = values[edit.name] else { continue }
      all[edit.name] = field.value == .null ? nil : field
      clocks?.note(edit)
    }
    if let clocks { all[ClockField.name] = RecordField(.bytes(clocks.bytes)) }
    return all
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

extension RecordValue {
  /// Files that the server has lost are nowhere, and of a value that nobody understands it is not known what it refers to.
  fileprivate var canBeSentAgain: Bool {
    switch self {
    case .asset, .list(_, of: .asset), .unknown: false
    default: true
    }
  }
}
