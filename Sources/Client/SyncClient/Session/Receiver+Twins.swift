import RecordWire
import SQLiteDriver
import SyncCore

extension Receiver {
  /// Whether an object that went here since there was an equal one is equal to it no longer: on another
  /// device, which did not know of that yet, its natural key was changed.
  ///
  /// Then it comes back. Whoever changed its key, and made others refer to it, meant another object.
  func isTwinNoLonger(
    _ row: RecordRow, _ change: ChangeRow, _ before: RecordState?, _ server: RecordState
  ) throws -> Bool {
    // What may have arrived may arrive again, and delete it then.
    guard change.change.kind == .delete, change.code == ChangeRow.unified,
      !change.change.mayHaveArrived, let before, case .object(let entity, _) = row.owner,
      let type = objects.objectType(number: entity)
    else { return false }
    return type.naturalKey.contains { field in
      let (old, new) = (before.fields[field]?.value, server.fields[field]?.value)
      return !(old ?? .null).isSame(as: new ?? .null)
    }
  }
}

extension Receiver {
  /// How often what an object became may have become another one.
  private static let replacementsMax = 16

  /// References to objects that became others here lead to those, and are sent so: whoever made them did not
  /// know of that.
  ///
  /// Known when all was read: until then an object may come back.
  mutating func endReplacements() throws {
    guard hasDeletions else { return }
    for replaced in try rows.replacements() {
      guard let gone = try rows.record(number: replaced.record),
        let kept = try replacement(of: gone)
      else { continue }
      for waiting in try rows.waiting(for: gone.name) where waiting.isReference {
        try redirect(waiting, to: kept)
      }
    }
  }

  private mutating func redirect(_ waiting: WaitingRow, to kept: ObjectKey) throws {
    guard let row = try rows.record(number: waiting.record),
      case .object(let entity, let key) = row.owner,
      let writer = try writers.writer(entity: entity), writer.type.opposites[waiting.field] == nil
    else { return }
    try rows.deleteWaiting(record: row.number, field: waiting.field)
    _ = try writer.setTarget(waiting.field, of: key, to: kept)
    try addEdit(of: waiting.field, to: row)
  }

  /// The object that a record's became; nil for one that became no other.
  private func replacement(of gone: RecordRow) throws -> ObjectKey? {
    var row = gone
    for _ in 0..<Self.replacementsMax {
      guard try rows.isDeletedHere(row.number) else {
        guard row.number != gone.number, case .object(let entity, let key) = row.owner else {
          return nil
        }
        return ObjectKey(entity: entity, key: key)
      }
      let next = try rows.waiting(of: row.number).first { $0.field == WaitingRow.replacement }
      guard let next, let found = try rows.record(named: next.target, zone: zone.number) else {
        return nil
      }
      row = found
    }
    return nil
  }

  private mutating func addEdit(of field: String, to row: RecordRow) throws {
    let edit = LocalChange(
      .update, edits: [LocalEdit(field, .null, FieldClock(clock.tick(at: now), device))])
    guard var change = try rows.ownChange(of: row.number) else {
      return try rows.put(try rows.newChange(edit, of: row, clock, now))
    }
    change.change = change.change.followed(by: edit) ?? change.change
    try rows.put(change)
  }
}

extension SyncRows {
  /// The objects that became others of which the server was not told.
  func replacements() throws(SQLiteError) -> [WaitingRow] {
    try allWaiting().filter { $0.field == WaitingRow.replacement }
  }
}
