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
    guard change.change.kind == .delete, change.isOfUnifying,
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
  /// References to objects that became others here lead to those, and are sent so: whoever made them did not
  /// know of that.
  ///
  /// Known when all was read: until then an object may come back. What an object became is remembered as long
  /// as that is there: who refers to what is gone may have been away for long.
  mutating func endReplacements() throws {
    for (waiting, kept) in try rows.redirections() {
      guard let kept = try rows.record(number: kept),
        case .object(let entity, let key) = kept.owner,
        try !rows.isDeletedHere(kept.number)
      else { continue }
      try redirect(waiting, to: ObjectKey(entity: entity, key: key))
    }
  }

  private mutating func redirect(_ waiting: WaitingRow, to kept: ObjectKey) throws {
    guard let row = try rows.record(number: waiting.record),
      case .object(let entity, let key) = row.owner,
      let writer = try writers.writer(entity: entity), writer.type.opposites[waiting.field] == nil,
      // What is gone here refers to nothing, and an edit would undo its deletion.
      try !rows.isDeletedHere(row.number)
    else { return }
    try rows.deleteWaiting(record: row.number, field: waiting.field)
    _ = try writer.setTarget(waiting.field, of: key, to: kept)
    try addEdit(of: waiting.field, to: row)
  }

  private mutating func addEdit(of field: String, to row: RecordRow) throws {
    let edit = LocalChange(
      .update, edits: [LocalEdit(field, .null, FieldClock(clock.tick(at: now), device))])
    // A later edit does not overtake what was refused.
    try revive(row)
    guard var change = try rows.ownChange(of: row.number) else {
      return try rows.put(try rows.newChange(edit, of: row, clock, now))
    }
    change.change = change.change.followed(by: edit) ?? change.change
    try change.dropKept(edit.edits.map(\.name))
    try rows.put(change)
  }
}

extension SyncRows {
  /// The references that wait for what became another object, each with the record of that one.
  fileprivate func redirections() throws(SQLiteError) -> [(WaitingRow, Int64)] {
    let statement = try connection.statement(
      """
      SELECT w.record, w.field, w.target, r.record FROM contrail_sync_waiting AS r \
      CROSS JOIN contrail_sync_waiting AS w ON w.target = r.target \
      WHERE substr(r.field, 1, 1) = ?1 AND w.field NOT IN (?2, ?3) AND substr(w.field, 1, 1) <> ?1 \
      ORDER BY w.record, w.field
      """)
    defer { statement.reset() }
    statement.bind(1, WaitingRow.replacementMark)
    statement.bind(2, WaitingRow.deletion)
    statement.bind(3, WaitingRow.hiding)
    var found: [(WaitingRow, Int64)] = []
    while try statement.step() {
      let waiting = WaitingRow(
        record: statement.integer(0), field: statement.text(1), target: statement.text(2))
      found.append((waiting, statement.integer(3)))
    }
    return found
  }

  /// Notes what a record became, and all that had become that record.
  func noteReplacement(of loser: RecordRow, by winner: RecordRow) throws(SQLiteError) {
    for earlier in try waiting(of: loser.number) where earlier.isReplacement {
      try deleteWaiting(record: loser.number, field: earlier.field)
      if earlier.target.utf8.elementsEqual(winner.name.utf8) { continue }
      try wait(.replacement(of: earlier.target, by: winner.number))
    }
    try wait(.replacement(of: loser.name, by: winner.number))
  }

  /// A record became no other after all.
  func forgetReplacement(of name: String) throws(SQLiteError) {
    for row in try waiting(for: name) where row.isReplacement {
      try deleteWaiting(record: row.record, field: row.field)
    }
  }
}
