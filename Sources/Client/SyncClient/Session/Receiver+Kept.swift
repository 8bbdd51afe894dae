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
    guard row.owner == .none, change?.change.kind != .delete, known.clocks != nil,
      server.clocks != nil
    else { return false }
    let lost = known.edits(newerThan: server)
    let sent = lost.filter { $0.value.canBeSentAgain && server.value($0.name).canBeSentAgain }
    if sent.isEmpty { return false }
    var kept = try change ?? rows.newChange(LocalChange(.update), of: row, clock, now)
    kept.change = LocalChange(
      .update,
      edits: sent.map { edit in
        var edit = edit
        edit.isRestated = true
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

extension RecordValue {
  /// Files that the server has lost are nowhere, and of a value that nobody understands it is not known what it refers to.
  fileprivate var canBeSentAgain: Bool {
    switch self {
    case .asset, .list(_, of: .asset), .unknown: false
    default: true
    }
  }
}
