import DataModel
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

/// Puts together the next request of a push: whole units, as many as fit.
///
/// What cannot be sent as it is, is parked or failed on the way, with its reason; nothing is left out
/// without a trace.
struct PushBuilder {
  let rows: SyncRows
  let objects: ObjectRecords
  let zone: ZoneRow
  let device: DeviceNumber
  let now: Int64
  /// The most operations.
  let limit: Int
  /// About how many bytes of fields.
  let bytesMax: Int
  /// What production lacks.
  let lacks: SchemaLacks
  /// The records of a batch that is under way, and the unit that it is a part of.
  private let busyRecords: Set<Int64>
  private let busySplitUnit: Int64?
  private var busyUnits: Set<Int64> = []
  private let local: LocalRecords
  private(set) var items: [PushItem] = []
  /// What became of changes that are not sent after all.
  private(set) var settled: [ChangeFate] = []
  /// Whether there were such.
  private(set) var hasSettled = false
  private var bytes = 0
  /// The records that were looked at: one may be met twice where the run that it was in was cut.
  private var met: Set<Int64> = []
  /// The files of what is sent; those that are missing on the server go first.
  private(set) var files: PushFiles

  init(
    _ rows: SyncRows, _ objects: ObjectRecords, _ store: Store, zone: ZoneRow,
    device: DeviceNumber, now: Int64, size: BatchSize, lacks: SchemaLacks,
    beside other: PushBatch? = nil
  ) {
    self.rows = rows
    self.objects = objects
    self.zone = zone
    self.device = device
    self.now = now
    (limit, bytesMax) = (size.current, size.currentBytes)
    self.lacks = lacks
    busyRecords = Set(other?.items.map(\.record.number) ?? [])
    busySplitUnit = other?.splitUnit
    local = LocalRecords(rows, objects, files: store)
    files = PushFiles(local, store, now: now)
  }

  /// The next request; nil where nothing is to be sent now.
  ///
  /// The server is asked for its tokens where it gives them: see `SyncSession.skipEcho`.
  mutating func build(isBatch: Bool, wantsTokens: Bool) throws -> PushBatch? {
    var splitUnit: Int64?
    busyUnits = try rows.units(of: busyRecords.sorted())
    var last = Int64.min
    var count = 0
    // A transaction looks at so many units only, so that other writers are not kept waiting.
    looking: while count < limit + busyRecords.count {
      let units = try rows.sendableUnits(after: last, now: now, limit: limit)
      guard let end = units.last else { break }
      (last, count) = (end.number, count + units.count)
      for unit in units where !isBusy(unit) {
        if try !add(unit, &splitUnit) { break looking }
      }
    }
    guard !items.isEmpty, files.missing.isEmpty else { return nil }
    try rows.noteSent(items.map(\.record.number))
    let request = ModifyRequest(
      operations: items.map(\.operation), zone: zone.identity, isAtomic: true, desiredKeys: [],
      isBatch: isBatch && items.count > BatchSize.protocolMax, wantsTokens: wantsTokens)
    let body = try request.json()
    return PushBatch(
      items: items, flight: try rows.keepFlight(body), body: body, splitUnit: splitUnit)
  }

  /// Whether something of a unit is under way, so that the rest has to wait; a unit that is too large for
  /// one request is sent in parts anyway.
  private func isBusy(_ unit: SendableUnit) -> Bool {
    unit.number != busySplitUnit && busyUnits.contains(unit.number)
  }

  /// Whether a change is under way: a run is cut around what is.
  private func isBusy(_ row: ChangeRow) -> Bool { busyRecords.contains(row.record) }

  /// Adds a unit; false where the request is full.
  ///
  /// One that does not fit beside others goes with the next request: only one that is too large by itself
  /// is sent in parts.
  private mutating func add(_ unit: SendableUnit, _ splitUnit: inout Int64?) throws -> Bool {
    let isFirst = items.isEmpty
    if !isFirst && items.count + unit.count > limit { return false }
    let before = (items: items.count, bytes: bytes, files: files)
    if try addChanges(of: unit) { return bytes < bytesMax }
    if isFirst {
      if !items.isEmpty { splitUnit = unit.number }
    } else {
      items.removeSubrange(before.items...)
      (bytes, files) = (before.bytes, before.files)
    }
    return false
  }

  /// Adds a unit's changes, as far as there is room; false where some are left.
  private mutating func addChanges(of unit: SendableUnit) throws -> Bool {
    var next = Int64.min
    while true {
      let count = max(1, limit - items.count) + 1
      let part = try rows.changes(ofUnit: unit.number, from: next, limit: count)
      for row in part where !isBusy(row) {
        if try !add(row) { return false }
      }
      guard part.count == count, let last = part.last else { return true }
      next = last.number + 1
    }
  }

  /// Adds the records of a change, as far as there is room; false where some are left.
  private mutating func add(_ row: ChangeRow) throws -> Bool {
    let records = try rows.records(
      from: row.record, count: min(row.count, Int64(limit - items.count)))
    if let first = records.first, try parkWhole(row, first) { return true }
    for record in records where met.insert(record.number).inserted {
      if items.count >= limit || bytes >= bytesMax { return false }
      try add(record, row)
    }
    return Int64(records.count) == row.count || items.count < limit
  }

  private mutating func add(_ record: RecordRow, _ row: ChangeRow) throws {
    guard row.change.kind != .delete else { return try addDeletion(record, row) }
    let base = try rows.base(of: record.number)
    if record.owner == .none, let base, base.tag == nil {
      // It is no object here: it is sent as the server had it.
      let fields = try row.overlaying(try base.fields.fields())
      let lacking = lacks.isEmpty ? [] : lacking(record, fields)
      if !lacking.isEmpty { return try parkWhole(record, row, lacking) }
      return addLost(record, row, try FieldBytes(fields.canonical), row.change.edits, base)
    }
    if record.owner == .none, let base { return try addKept(record, row, base) }
    var wish = row.change.fileWish(type(of: record))
    // What is new there is sent as a whole, whatever was edited last.
    if base == nil { wish = .all }
    if let base, base.tag == nil, objects.hasFiles {
      wish = .all
      try files.forgetAwaited(of: record)
    }
    // Without an object its deletion has yet to be taken in.
    guard let read = try local.fields(of: record, files: wish) else { return }
    if let problem = read.unrepresentable.first {
      return try fail(record, row, SyncFailureCode.unrepresentable, "\(problem)")
    }
    // Without a base the server has no such record: a pair that was parted and joined again is new there,
    // though its change is an edit.
    if let base {
      try addUpdate(record, row, read, base)
    } else {
      try addCreation(record, row, read)
    }
  }

  private func type(of record: RecordRow) -> ObjectType? {
    if case .object(let entity, _) = record.owner {
      objects.objectType(number: entity)
    } else {
      nil
    }
  }
}

extension PushBuilder {
  private mutating func addDeletion(_ record: RecordRow, _ row: ChangeRow) throws {
    var wire = Record(recordName: record.name, recordType: record.type)
    wire.content = nil
    append(
      PushItem(
        record: record, kind: .delete, operation: RecordOperation(.forceDelete, wire), edits: [],
        clock: row.clock, state: .empty, base: nil), bytes: record.name.utf8.count)
  }

  private mutating func addCreation(
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
        clock: row.clock, state: state, base: nil, hasFiles: !read.files.isEmpty),
      bytes: state.json.count)
  }

  private mutating func addUpdate(
    _ record: RecordRow, _ row: ChangeRow, _ read: ObjectFields, _ base: BaseRow
  ) throws {
    let there = try base.fields.fields()
    var fields = there
    var sent = RecordFields()
    var edits: [LocalEdit] = []
    // The server has lost the record: it is sent as a whole.
    let isLost = base.tag == nil
    if isLost { fields.takeFiles(of: type(of: record), from: read.fields) }
    var lacking = isLost ? lacking(record, fields) : []
    if lacking.contains(where: { !objects.writes($0, of: record.type) }) {
      // What the program does not know is nowhere but in what the server had.
      return try parkWhole(record, row, lacking)
    }
    for name in lacking { fields[name] = nil }
    let unsent = isLost ? fields.names(otherThanIn: there) : []
    let kept = try row.kept?.fields()
    let moved = read.moved(from: there, besides: row.change.edits, FieldClock(row.clock, device))
    for edit in try local.edits(of: row, record, read.fields, device: device) + moved {
      // Back to what the server has: nothing to tell, unless what was sent in between may have arrived.
      let isOld = objects.isSame(
        edit.value, fields[edit.name]?.value ?? .null, in: edit.name, of: record)
      if isOld && !isLost && !edit.isRestated && !row.change.mayHaveArrived,
        try !Partners(rows, objects, local).isReturnedOnlyNow(edit, of: record)
      {
        continue
      }
      if lacks.has(record.type, edit.name) {
        if !lacking.contains(edit.name) { lacking.append(edit.name) }
        continue
      }
      edits.append(edit)
      let field = read.fields[edit.name] ?? kept?[edit.name]
      sent[edit.name] = RecordField(edit.value, isEncrypted: field?.isEncrypted ?? false)
    }
    if !lacking.isEmpty {
      try park(lacking, record, row, lostWith: isLost ? objects.clocks(of: there) : nil)
    }
    guard !edits.isEmpty || isLost else { return try dropWhatIsLeft(record, row, lacking) }
    if let field = objects.clocksField(of: record), !lacks.has(record.type, field) {
      var clocks = FieldClocks()
      if case .bytes(let bytes)? = fields[field]?.value {
        clocks = FieldClocks(bytes: bytes) ?? clocks
      }
      // A clock of what is not sent, as a file that is not here, would say that it has arrived.
      for name in unsent {
        if fields[name] == nil { clocks.forget(name) } else { clocks.setBack(name) }
      }
      for edit in edits { clocks.note(edit) }
      sent[field] = RecordField(.bytes(clocks.bytes))
    }
    for entry in sent.entries { fields[entry.name] = entry.field }
    fields = fields.canonical
    guard try fits(fields, record, row) else { return }
    let state = try FieldBytes(fields)
    if isLost {
      let wire = try files.ready(fields, of: record, read, base: nil)
      return addLost(record, row, state, edits, base, files: read.files.isEmpty ? nil : wire)
    }
    if !read.files.isEmpty { sent = try files.ready(sent, of: record, read, base: there) }
    var wire = Record(
      recordName: record.name, recordType: record.type, fields: sent, changeTag: base.tag)
    wire.zone = nil
    append(
      PushItem(
        record: record, kind: .update, operation: RecordOperation(.update, wire), edits: edits,
        clock: row.clock, state: state, base: base, hasFiles: !read.files.isEmpty),
      bytes: sent.byteCount)
  }

  /// A record that the server has lost, as it is to be; `files` is how it is sent where it has files.
  private mutating func addLost(
    _ record: RecordRow, _ row: ChangeRow, _ state: FieldBytes, _ edits: [LocalEdit],
    _ base: BaseRow?, files: RecordFields? = nil
  ) {
    var wire = Record(recordName: record.name, recordType: record.type)
    wire.content = files.map { .fields($0) } ?? .wire(state)
    append(
      PushItem(
        record: record, kind: .create, operation: RecordOperation(.create, wire), edits: edits,
        clock: row.clock, state: state, base: base, hasFiles: files != nil),
      bytes: state.json.count)
  }

  /// What the server has lost of a record that is no object here, and that it had told before.
  private mutating func addKept(_ record: RecordRow, _ row: ChangeRow, _ base: BaseRow) throws {
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
    var wire = Record(
      recordName: record.name, recordType: record.type, fields: sent, changeTag: base.tag)
    wire.zone = nil
    append(
      PushItem(
        record: record, kind: .update, operation: RecordOperation(.update, wire),
        edits: change.change.edits, clock: row.clock, state: try FieldBytes(fields), base: base),
      bytes: sent.byteCount)
  }

  private mutating func append(_ item: PushItem, bytes: Int) {
    items.append(item)
    self.bytes += bytes
  }
}

extension PushBuilder {
  /// Nothing of the change is left to be sent: it was undone, or all of it is parked.
  private mutating func dropWhatIsLeft(
    _ record: RecordRow, _ row: ChangeRow, _ parked: [String]
  ) throws {
    try rows.deleteChange(row.number)
    hasSettled = true
    if parked.isEmpty { settled.append(ChangeFate(record, .absorbed)) }
  }

  private mutating func fits(
    _ fields: RecordFields, _ record: RecordRow, _ row: ChangeRow
  ) throws -> Bool {
    let size = fields.byteCount
    if size <= WireLimits.request.recordBytesMax { return true }
    try fail(
      record, row, SyncFailureCode.tooLarge,
      "has \(size) bytes, and a record \(WireLimits.request.recordBytesMax) at most")
    return false
  }

  private mutating func fail(
    _ record: RecordRow, _ row: ChangeRow, _ code: String, _ reason: String
  ) throws {
    guard let own = try rows.ownChange(of: record.number) else { return }
    settled.append(ChangeFate(record, try rows.fail(own, code, reason)))
    hasSettled = true
  }

  /// Parks a whole change, or run of new records, where production lacks the type; false where it does not.
  private mutating func parkWhole(_ row: ChangeRow, _ first: RecordRow) throws -> Bool {
    guard row.change.kind != .delete, let reason = lacks.has(first.type) else { return false }
    try park(row, first, reason, fields: [])
    return true
  }

  /// Parks a whole record that the server has lost, where production lacks fields of it.
  private mutating func parkWhole(
    _ record: RecordRow, _ row: ChangeRow, _ lacking: [String]
  ) throws {
    let reason = lacks.reason(record.type, lacking[0]) ?? ""
    try park(try rows.single(record.number, of: row), record, reason, fields: lacking)
  }

  private func lacking(_ record: RecordRow, _ fields: RecordFields) -> [String] {
    fields.names.filter { lacks.has(record.type, $0) }
  }

  /// Parks all of a change, or run of new records.
  private mutating func park(
    _ row: ChangeRow, _ first: RecordRow, _ reason: String, fields: [String]
  ) throws {
    var parked = row
    if row.count == 1, let earlier = try rows.change(of: row.record, state: .parked) {
      // It waits already: one change has both.
      parked = try rows.single(row.record, of: earlier)
      var later = row
      try later.keepAlso(parked)
      parked.kept = later.kept
      parked.change = parked.change.followed(by: row.change) ?? row.change
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
  private func laterMoment(than time: HybridTime) throws -> HybridTime {
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
  private mutating func park(
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
