import RecordWire
import SQLiteDriver
import SyncCore

// What a device does about records that the server had confirmed and has lost.
extension Receiver {
  /// Does with a record that the server lacks what the policy says.
  mutating func recover(_ row: RecordRow, _ policy: TroublePolicy) throws {
    switch policy {
    case .deleteLocal: try takeDeletion(row)
    case .keepLocal: try detach(row)
    case .reupload: try sendAgain(row)
    case .ask: break
    }
  }

  /// Forgets that the server ever had a record: its object is as one that sync never saw, until it is
  /// edited.
  private mutating func detach(_ row: RecordRow) throws {
    guard let base = try rows.base(of: row.number), try !dropDeletion(of: row, base) else { return }
    try rows.setBase(nil, of: row, was: base)
    guard row.owner != .none else { return try rows.deleteRecord(row.number) }
    guard var change = try unsentChange(of: row) else { return }
    change.change = LocalChange(.create, edits: change.change.edits)
    try rows.put(change)
  }

  /// Has a record sent as the server confirmed it last, with what was edited since.
  private mutating func sendAgain(_ row: RecordRow) throws {
    guard var base = try rows.base(of: row.number), try !dropDeletion(of: row, base) else { return }
    let old = base
    base.tag = nil
    try rows.setBase(base, of: row, was: old)
    guard var change = try unsentChange(of: row) else {
      return try rows.put(try rows.newChange(LocalChange(.update), of: row, clock, now))
    }
    change.change.mayHaveArrived = false
    try rows.put(change)
  }

  /// What was done to a record, parked or not, as a change that is pending.
  private mutating func unsentChange(of row: RecordRow) throws -> ChangeRow? {
    if let parked = try rows.change(of: row.number, state: .parked) {
      try rows.unpark(try rows.single(row.number, of: parked))
    }
    return try rows.ownChange(of: row.number)
  }

  /// A record that is deleted here, and that the server lacks, is done with; false for another one.
  private mutating func dropDeletion(of row: RecordRow, _ base: BaseRow) throws -> Bool {
    guard let change = try rows.ownChange(of: row.number), change.change.kind == .delete else {
      return false
    }
    try rows.deleteChange(change.number)
    try rows.setBase(nil, of: row, was: base)
    try rows.deleteRecord(row.number)
    note(row, .absorbed)
    return true
  }
}

extension Receiver {
  /// Whether the server may have been put back to an earlier state, and nobody has chosen that this counts.
  var mayBeRestored: Bool { zone.refetch != nil && (recovery == nil || recovery == .reupload) }

  /// Adds to a change what the server had confirmed and has lost: fields that are later in `known`, which
  /// takes over what the server has there, so that it counts as edited here only.
  ///
  /// Fields that this program does not know cannot be sent by it, and are as the server has them.
  mutating func recover(
    _ change: ChangeRow?, of row: RecordRow, from known: inout RecordState, _ server: RecordState
  ) throws -> ChangeRow? {
    guard change?.change.kind != .delete, case .object(let entity, _) = row.owner,
      let type = objects.objectType(number: entity), let read = try local.fields(of: row)
    else { return change }
    let lost = known.edits(newerThan: server).filter { edit in
      type.places.contains { $0.name == edit.name }
        && change?.change.edits.contains { $0.name == edit.name } != true
    }
    if lost.isEmpty { return change }
    for edit in lost { known.fields[edit.name] = server.fields[edit.name] }
    var change = try change ?? rows.newChange(LocalChange(.update), of: row, clock, now)
    change.change.edits += lost.map { edit in
      LocalEdit(edit.name, read.fields[edit.name]?.value ?? .null, edit.clock)
    }
    return change
  }
}
