import RecordWire
import SyncCore

// Records that are no objects here: of later versions, or of types that this program does not know.
extension Receiver {
  /// Keeps a record that is no object here as the server tells it now, and what the server had told before and has lost
  /// of it, which is sent from here; false where there is nothing of the kind.
  ///
  /// Whoever makes objects of such records may never have had it.
  mutating func keepLost(
    _ row: RecordRow, of known: RecordState, _ server: RecordState, _ base: BaseRow,
    _ change: ChangeRow?, was old: BaseRow?
  ) throws -> Bool {
    guard row.owner == .none, change?.change.kind != .delete, known.clocks != nil,
      var clocks = server.clocks
    else { return false }
    let lost = known.edits(newerThan: server).filter { Self.canBeSentAgain($0, server) }
    if lost.isEmpty { return false }
    var fields = try base.fields.fields()
    for edit in lost {
      fields[edit.name] = known.fields[edit.name]
      clocks.note(edit)
    }
    fields[ClockField.name] = RecordField(.bytes(clocks.bytes))
    if let type = objects.objectType(recordType: row.type, fields: fields), !isTooNew(type, fields)
    {
      return false
    }
    var merged = base
    merged.fields = try FieldBytes(fields.canonical)
    try rows.setBase(merged, of: row, was: old)
    var kept = try change ?? rows.newChange(LocalChange(.update), of: row, clock, now)
    kept.change = LocalChange(
      .update,
      edits: lost.map { edit in
        var edit = edit
        edit.isRestated = true
        return edit
      })
    try rows.put(kept)
    tally.merged += 1
    return true
  }

  /// Files that the server has lost are nowhere, and that a field was emptied cannot be told beside what it has.
  private static func canBeSentAgain(_ lost: LocalEdit, _ server: RecordState) -> Bool {
    switch (lost.value, server.value(lost.name)) {
    case (.null, _), (.asset, _), (_, .asset): false
    default: true
    }
  }
}
