import DataModel
import RecordWire
import SyncCore

/// What is sent of one record: one function for each kind of change.
extension PushBuilder {
  mutating func addDeletion(_ record: RecordRow, _ row: ChangeRow) throws {
    var wire = Record(recordName: record.name, recordType: record.type)
    wire.content = nil
    append(
      PushItem(
        record: record, kind: .delete, operation: RecordOperation(.forceDelete, wire), edits: [],
        clock: row.clock, state: .empty, last: row.last, base: nil), bytes: record.name.utf8.count)
  }

  mutating func addCreation(
    _ record: RecordRow, _ row: ChangeRow, _ read: ObjectFields
  ) throws {
    var fields = objects.withLegacyFields(read.fields, of: record.type)
    let lacking = lacks.isEmpty ? [] : fields.names.filter { lacks.has(record.type, $0) }
    for name in lacking { fields[name] = nil }
    if !lacking.isEmpty { try park(lacking, record, row, at: try laterMoment(than: row.clock)) }
    if let field = objects.clocksField(of: record), !lacks.has(record.type, field) {
      var clocks = FieldClocks(common: FieldClock(row.clock, device))
      for edit in row.change.edits where fields[edit.name] != nil {
        clocks.note(edit)
      }
      // With the clock of the others its value would look like one by somebody who writes no clocks, if a copy
      // of an earlier request brought it.
      for name in lacking { clocks.forget(name) }
      fields[field] = RecordField(.bytes(clocks.bytes))
    }
    guard try fits(fields, record, row) else { return }
    let state = try FieldBytes(fields)
    var wire = Record(recordName: record.name, recordType: record.type)
    wire.content = .wire(state)
    if !read.files.isEmpty {
      wire.content = .fields(try files.ready(fields, of: record, read, base: nil))
    }
    append(
      PushItem(
        record: record, kind: .create, operation: RecordOperation(.create, wire), edits: [],
        clock: row.clock, state: state, last: row.last, base: nil, hasFiles: !read.files.isEmpty),
      bytes: state.json.count)
  }

  mutating func addUpdate(
    _ record: RecordRow, _ row: ChangeRow, _ read: ObjectFields, _ base: BaseRow
  ) throws {
    var draft = UpdateDraft(of: try base.fields.fields(), isLost: base.tag == nil)
    if draft.isLost {
      draft.fields.takeFiles(of: type(of: record), from: read.fields)
      draft.leaveOut(lacking(record, draft.fields))
      if draft.lacking.contains(where: { !objects.writes($0, of: record.type) }) {
        // What the program does not know is nowhere but in what the server had.
        return try parkWhole(record, row, draft.lacking)
      }
    }
    let unsent = draft.isLost ? draft.fields.names(otherThanIn: draft.base) : []
    try addEdits(of: row, record, read, to: &draft)
    if !draft.lacking.isEmpty {
      let clocks = draft.isLost ? objects.clocks(of: draft.base) : nil
      try park(draft.lacking, record, row, lostWith: clocks)
    }
    guard !draft.edits.isEmpty || draft.isLost else {
      return try dropWhatIsLeft(record, row, draft.lacking)
    }
    if let field = objects.clocksField(of: record), !lacks.has(record.type, field) {
      let earlier = unsent.isEmpty ? [] : try rows.earlierValues(of: record.number)
      draft.addClocks(in: field, unsent: unsent, earlier: earlier)
    }
    let fields = draft.outcome
    guard try fits(fields, record, row) else { return }
    let state = try FieldBytes(fields)
    if draft.isLost {
      let wire = try files.ready(fields, of: record, read, base: nil)
      return addLost(record, row, state, draft.edits, base, files: read.files.isEmpty ? nil : wire)
    }
    var sent = draft.sent
    if !read.files.isEmpty { sent = try files.ready(sent, of: record, read, base: draft.base) }
    appendUpdate(
      record, row, sent, draft.edits, state: state, base, hasFiles: !read.files.isEmpty)
  }

  /// Adds what was edited in a record and is not there yet, with what it is now.
  private func addEdits(
    of row: ChangeRow, _ record: RecordRow, _ read: ObjectFields, to draft: inout UpdateDraft
  ) throws {
    let kept = try row.kept?.fields()
    let moved = read.moved(
      from: draft.base, besides: row.change.edits, FieldClock(row.clock, device))
    for edit in try local.edits(of: row, record, read.fields, device: device) + moved {
      if try isToldAlready(edit, of: row, record, draft) { continue }
      if lacks.has(record.type, edit.name) {
        draft.wait(for: edit.name)
      } else {
        let field = read.fields[edit.name] ?? kept?[edit.name]
        draft.send(edit, isEncrypted: field?.isEncrypted ?? false)
      }
    }
  }

  /// Whether an edit leads back to what the server has: nothing to tell, unless what was sent in between may have
  /// arrived.
  private func isToldAlready(
    _ edit: LocalEdit, of row: ChangeRow, _ record: RecordRow, _ draft: UpdateDraft
  ) throws -> Bool {
    let isOld = objects.isSame(
      edit.value, draft.fields[edit.name]?.value ?? .null, in: edit.name, of: record)
    guard isOld, !draft.isLost, !edit.isRestated, !row.change.mayHaveArrived else { return false }
    return try !Partners(rows, objects, local).isReturnedOnlyNow(edit, of: record)
  }

  /// A record that the server has lost, as it is to be; `files` is how it is sent where it has files.
  mutating func addLost(
    _ record: RecordRow, _ row: ChangeRow, _ state: FieldBytes, _ edits: [LocalEdit],
    _ base: BaseRow?, files: RecordFields? = nil
  ) {
    var wire = Record(recordName: record.name, recordType: record.type)
    wire.content = files.map { .fields($0) } ?? .wire(state)
    append(
      PushItem(
        record: record, kind: .create, operation: RecordOperation(.create, wire), edits: edits,
        clock: row.clock, state: state, last: row.last, base: base, hasFiles: files != nil),
      bytes: state.json.count)
  }

  /// What the server has lost of a record that is no object here, and that it had told before.
  mutating func addKept(_ record: RecordRow, _ row: ChangeRow, _ base: BaseRow) throws {
    if lacks.has(record.type, ClockField.name) {
      return try parkWhole(record, row, [ClockField.name])
    }
    let lacking = row.change.edits.map(\.name).filter { lacks.has(record.type, $0) }
    if !lacking.isEmpty { try park(lacking, record, row) }
    var change = row
    change.change.edits.removeAll { lacking.contains($0.name) }
    if change.change.edits.isEmpty { return try dropWhatIsLeft(record, row, lacking) }
    let fields = try change.overlaying(try base.fields.fields()).canonical
    guard try fits(fields, record, row) else { return }
    let sent = RecordFields(
      (change.change.edits.map(\.name) + [ClockField.name]).map { name in
        (name, fields[name] ?? RecordField(.null))
      })
    appendUpdate(
      record, row, sent, change.change.edits, state: try FieldBytes(fields), base, hasFiles: false)
  }

  private mutating func appendUpdate(
    _ record: RecordRow, _ row: ChangeRow, _ sent: RecordFields, _ edits: [LocalEdit],
    state: FieldBytes, _ base: BaseRow, hasFiles: Bool
  ) {
    var wire = Record(
      recordName: record.name, recordType: record.type, fields: sent, changeTag: base.tag)
    wire.zone = nil
    append(
      PushItem(
        record: record, kind: .update, operation: RecordOperation(.update, wire), edits: edits,
        clock: row.clock, state: state, last: row.last, base: base, hasFiles: hasFiles),
      bytes: sent.byteCount)
  }
}
