import RecordWire
import SyncCore

// What is done to objects when failed changes are made anew, or given up.
extension Receiver {
  /// Makes the object of a change anew; false where nothing of it was kept, where it can be no object now, and where
  /// the server had the record again: one of a later version, say, that is hidden here, would lose what only that has.
  ///
  /// What the server has lost since is sent to it as it was confirmed, so its base has no tag, and counts.
  mutating func recreate(_ change: ChangeRow) throws -> Bool {
    guard change.code == SyncFailureCode.deletedRemotely, var fields = try change.kept?.fields(),
      let row = try rows.record(number: change.record), row.owner == .none,
      try rows.base(of: row.number) == nil
    else { return false }
    // The server's files went with its record.
    for entry in fields.entries {
      if case .asset = entry.field.value { fields[entry.name] = nil }
    }
    try insert(row, fields)
    guard try rows.record(number: change.record)?.owner != RecordRow.Owner.none else {
      return false
    }
    var again = change
    (again.state, again.code, again.reason, again.kept) = (.pending, nil, nil, nil)
    (again.attempts, again.retry, again.clock) = (0, 0, clock.tick(at: now))
    again.change = LocalChange(.create)
    try rows.put(again)
    note(row, .pending)
    return true
  }

  /// References of an object that was made anew to what is not here lead nowhere: its record is sent without them.
  func endWaiting(ofAnew change: ChangeRow) throws {
    guard let row = try rows.record(number: change.record) else { return }
    let waiting = try rows.waiting(of: row.number).filter(\.isReference)
    if waiting.isEmpty { return }
    let lost = RecordFields(waiting.map { ($0.field, RecordField(.string($0.target))) })
    try rows.log(discarded: row, lost, at: now)
    try rows.deleteWaitingReferences(of: row.number)
  }

  /// Gives a change up; false for a deletion of unification, which comes again.
  mutating func discard(_ change: ChangeRow) throws -> Bool {
    if change.isOfUnifying { return false }
    for row in try rows.records(from: change.record, count: change.count) {
      try rows.log(discarded: row, try local.shownFields(of: change, row), at: now)
      if change.code != SyncFailureCode.deletedRemotely { try rows.discardParked(of: row) }
    }
    try rows.deleteChange(change.number)
    guard let row = try rows.record(number: change.record) else { return true }
    let base = try rows.base(of: row.number)
    let isDeletion = change.change.kind == .delete
    if let base, base.tag != nil {
      if isDeletion { try bringBack(row, base) } else { try waitAgain(row, change, base) }
    } else if isDeletion || base == nil && row.owner == .none {
      try rows.setBase(nil, of: row, was: base)
      try rows.deleteRecord(row.number)
    }
    return true
  }

  /// References to who is not here, perhaps since that was deleted here, wait again: they are empty in any case.
  private func waitAgain(_ row: RecordRow, _ change: ChangeRow, _ base: BaseRow) throws {
    guard case .object(let entity, _) = row.owner, let type = objects.objectType(number: entity),
      let here = try local.fields(of: row)?.fields
    else { return }
    let there = try base.fields.fields()
    for place in type.places where place.destination != nil {
      guard change.change.edits.contains(where: { $0.name == place.name }),
        (here[place.name]?.value ?? .null) == .null,
        case .string(let name)? = there[place.name]?.value, try !isHere(name)
      else { continue }
      try rows.wait(WaitingRow(record: row.number, field: place.name, target: name))
    }
  }
}

extension LocalRecords {
  /// What a change is about: the object's fields, with what is kept of them; nil where there are neither.
  func shownFields(of change: ChangeRow, _ record: RecordRow) throws -> RecordFields? {
    if change.code == SyncFailureCode.deletedRemotely { return try change.kept?.fields() }
    let fields = try fields(of: record)?.fields
    if fields == nil && change.kept == nil { return nil }
    return try change.withKept(fields ?? RecordFields())
  }
}
