import JSONStream
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

// One-to-one relationships: see `Partners`.
extension Receiver {
  private var partners: Partners { Partners(rows, objects, local) }

  /// Takes references out of `values` that their targets do not return, and notes whose partners go.
  mutating func settlePartners(
    _ values: inout RecordFields, _ row: RecordRow, _ type: ObjectType
  ) throws {
    guard !type.opposites.isEmpty else { return }
    for name in values.names {
      guard let opposite = type.opposites[name] else { continue }
      var partner: RecordRow?
      if case .string(let target)? = values[name]?.value {
        // One that is not here yet says itself whom it names when it comes.
        guard let found = try rows.record(named: target, zone: row.zone), try isHere(target) else {
          continue
        }
        if try partners.does(found, name: row, in: opposite.field) {
          partner = found
        } else {
          values[name] = RecordField(.null)
          try noteUnreturned(name, of: row, to: target)
        }
      }
      try noteLeft(row, name, opposite.field, for: partner)
    }
  }

  /// Whether a reference that waited for an object has it as its partner now.
  mutating func isReturned(_ waiting: WaitingRow, of holder: RecordRow) throws -> Bool {
    guard try partners.isUnreturned(waiting.field, of: holder, to: waiting.target) else {
      return true
    }
    try noteUnreturned(waiting.field, of: holder, to: waiting.target)
    return false
  }

  /// Notes who still names a record that has another partner from now on, or the new partner.
  private func noteLeft(
    _ row: RecordRow, _ field: String, _ opposite: String, for partner: RecordRow?
  ) throws {
    if let old = try partners.partner(of: row, in: field), old.number != partner?.number,
      try partners.didConfirm(old, name: row, in: opposite)
    {
      try noteUnreturned(opposite, of: old, to: row.name)
    }
    if let partner, let rival = try partners.partner(of: partner, in: opposite),
      rival.number != row.number, try partners.didConfirm(rival, name: partner, in: field)
    {
      try noteUnreturned(field, of: rival, to: partner.name)
    }
  }

  /// Whether it lasts is known at the end of the pass: until then the other end's record may be on its way.
  private func noteUnreturned(_ field: String, of row: RecordRow, to target: String) throws {
    try rows.wait(WaitingRow(record: row.number, field: field, target: target))
    try rows.set(.unreturned, 1)
  }

  /// Ends a pass: references that are still not returned were overruled by a later edit of the other end.
  mutating func endPartners() throws {
    guard try rows.integer(.unreturned) == 1 else { return }
    var areLeft = false
    for waiting in try rows.allWaiting() {
      guard let row = try rows.record(number: waiting.record),
        partners.isMutual(waiting.field, of: row), try isHere(waiting.target)
      else { continue }
      if try isRestated(waiting, row) {
        // It is still to be sent by the name that it waits for.
        areLeft = true
        continue
      }
      try rows.deleteWaiting(record: waiting.record, field: waiting.field)
      guard try partners.isUnreturned(waiting.field, of: row, to: waiting.target) else { continue }
      note(row, .overruled(fields: [waiting.field]))
      try rows.log(unreturned: waiting, of: row, at: now)
    }
    try rows.set(.unreturned, areLeft ? 1 : 0)
  }

  private func isRestated(_ waiting: WaitingRow, _ row: RecordRow) throws -> Bool {
    try rows.change(of: row.number, state: .pending)?.change.edits.contains {
      $0.isRestated && $0.name.utf8.elementsEqual(waiting.field.utf8)
    } ?? false
  }
}

extension SyncRows {
  /// Writes down a one-to-one reference that the other end does not return.
  fileprivate func log(
    unreturned waiting: WaitingRow, of record: RecordRow, at time: Int64
  ) throws {
    let lost = RecordFields([(waiting.field, RecordField(.string(waiting.target)))])
    try log(
      .overruled, record.name,
      [
        "type": .string(record.type), "lost": try .fields(lost), "won": try .fields(RecordFields()),
      ],
      at: time)
  }
}
