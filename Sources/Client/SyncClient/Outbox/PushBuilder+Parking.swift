import DataModel
import RecordWire
import SyncCore

/// What is not sent: what production lacks waits, what cannot be sent has failed, the rest is done.
extension PushBuilder {
  /// Nothing of the change is left to be sent: it was undone, or all of it is parked.
  mutating func dropWhatIsLeft(
    _ record: RecordRow, _ row: ChangeRow, _ parked: [String]
  ) throws {
    try rows.deleteChange(row.number)
    hasSettled = true
    if parked.isEmpty { settled.append(ChangeFate(record, .absorbed)) }
  }

  mutating func fits(
    _ fields: RecordFields, _ record: RecordRow, _ row: ChangeRow
  ) throws -> Bool {
    let size = fields.byteCount
    if size <= WireLimits.request.recordBytesMax { return true }
    try fail(
      record, row, SyncFailureCode.tooLarge,
      "has \(size) bytes, and a record \(WireLimits.request.recordBytesMax) at most")
    return false
  }

  mutating func fail(
    _ record: RecordRow, _ row: ChangeRow, _ code: String, _ reason: String
  ) throws {
    guard let own = try rows.ownChange(of: record.number) else { return }
    settled.append(ChangeFate(record, try rows.fail(own, code, reason)))
    hasSettled = true
  }

  /// Parks a whole change, or run of new records, where production lacks the type; false where it does not.
  mutating func parkWhole(_ row: ChangeRow, _ first: RecordRow) throws -> Bool {
    guard row.change.kind != .delete, let reason = lacks.has(first.type) else { return false }
    try park(row, first, reason, fields: [])
    return true
  }

  /// Parks a whole record that the server has lost, where production lacks fields of it.
  mutating func parkWhole(
    _ record: RecordRow, _ row: ChangeRow, _ lacking: [String]
  ) throws {
    let reason = lacks.reason(record.type, lacking[0]) ?? ""
    try park(try rows.single(record.number, of: row), record, reason, fields: lacking)
  }

  func lacking(_ record: RecordRow, _ fields: RecordFields) -> [String] {
    fields.names.filter { lacks.has(record.type, $0) }
  }

  /// Parks all of a change, or run of new records.
  mutating func park(
    _ row: ChangeRow, _ first: RecordRow, _ reason: String, fields: [String]
  ) throws {
    var parked = row
    if row.count == 1, let earlier = try rows.change(of: row.record, state: .parked) {
      // It waits already: one change has both.
      parked = try rows.single(row.record, of: earlier)
      var later = row
      try later.keepAlso(parked)
      parked.kept = later.kept
      parked.change = parked.change.joined(with: row.change)
      (parked.clock, parked.last) = (row.clock, max(parked.last, row.last))
      try rows.deleteChange(row.number)
    }
    (parked.state, parked.reason) = (.parked, reason)
    try rows.put(parked)
    hasSettled = true
    // What was tried again in vain waits as before.
    if row.reason != reason { settled.append(ChangeFate(first, .parked(fields: fields))) }
  }

  /// A moment later than all that the device knows of: a new record's own stands for all its fields, also
  /// for those that are not sent.
  func laterMoment(than time: HybridTime) throws -> HybridTime {
    var clock = HybridClock(
      last: HybridTime(rawValue: UInt64(bitPattern: try rows.integer(.clock) ?? 0)))
    clock.observe(time)
    let moment = clock.last.next
    try rows.set(.clock, Int64(bitPattern: moment.rawValue))
    return moment
  }

  /// Parks some fields of a change; the others are sent.
  ///
  /// What was not edited since the server lost it has the clock that it had there, and others have its value.
  mutating func park(
    _ fields: [String], _ record: RecordRow, _ row: ChangeRow, at moment: HybridTime? = nil,
    lostWith clocks: FieldClocks? = nil
  ) throws {
    let edits = fields.map { name in
      if let edit = row.change.edits.first(where: { $0.name == name }) { return edit }
      var edit = LocalEdit(
        name, .null, clocks?[name] ?? FieldClock(moment ?? row.clock, device))
      edit.isRestated = clocks != nil
      return edit
    }
    let change = LocalChange(.update, edits: edits)
    let reason = lacks.reason(record.type, fields[0])
    var told = row.reason == reason ? [] : fields
    if var parked = try rows.change(of: record.number, state: .parked) {
      // A new record that was not sent after all is put together again.
      if row.change.kind == .create {
        told.removeAll { name in parked.change.edits.contains { $0.name == name } }
      }
      var part = row
      part.change = change
      try part.keepAlso(parked)
      parked.kept = part.kept
      parked.change = parked.change.followed(by: change) ?? change
      parked.last = max(parked.last, row.last)
      try rows.put(parked)
    } else {
      try rows.put(
        ChangeRow(
          number: try rows.nextChangeNumber(), record: record.number, count: 1, change: change,
          clock: row.clock, unit: row.unit, last: row.last, state: .parked, time: row.time,
          reason: reason, kept: row.kept))
    }
    if !told.isEmpty { settled.append(ChangeFate(record, .parked(fields: told))) }
  }
}
