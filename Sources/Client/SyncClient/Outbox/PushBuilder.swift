import DataModel
import ObjectStore
import RecordWire
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
  let local: LocalRecords
  private(set) var items: [PushItem] = []
  /// What became of changes that are not sent after all.
  var settled: [ChangeFate] = []
  /// Whether there were such.
  var hasSettled = false
  private var bytes = 0
  /// The records that were looked at: one may be met twice where the run that it was in was cut.
  private var met: Set<Int64> = []
  /// The files of what is sent; those that are missing on the server go first.
  var files: PushFiles

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

  mutating func append(_ item: PushItem, bytes: Int) {
    items.append(item)
    self.bytes += bytes
  }

  func type(of record: RecordRow) -> ObjectType? {
    if case .object(let entity, _) = record.owner {
      objects.objectType(number: entity)
    } else {
      nil
    }
  }
}
