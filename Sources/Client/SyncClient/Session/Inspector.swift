import DataModel
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

/// Reads what sync remembers, through one connection.
struct Inspector {
  let rows: SyncRows
  let objects: ObjectRecords
  let store: Store

  func inspection() throws -> SyncInspection {
    var found = SyncInspection()
    let all = try rows.records(from: 1, count: .max / 2)
    let changes = try changes(&found, Set(all.map(\.number)))
    let waiting = Dictionary(grouping: try rows.allWaiting(), by: \.record)
    let awaited = Dictionary(grouping: try rows.awaitedFiles(limit: .max), by: \.record)
    let local = LocalRecords(rows, objects, files: store)
    for row in all {
      found.records.append(
        try record(
          row, changes[row.number] ?? [], waiting[row.number] ?? [], awaited[row.number] ?? [],
          local))
    }
    try addStrays(&found, Set(all.map(\.owner)))
    let zone = try rows.zones().first
    found.token = zone?.token
    found.hasReadHistory = try hasReadHistory()
    found.digest = try rows.digestSum(zone: zone?.number ?? 1)
    return found
  }

  /// The changes by the numbers of their records, of which there are those of `known`.
  private func changes(
    _ found: inout SyncInspection, _ known: Set<Int64>
  ) throws -> [Int64: [SyncInspection.Change]] {
    var byRecord: [Int64: [SyncInspection.Change]] = [:]
    let states: [(ChangeRow.State, SyncInspection.State)] = [
      (.pending, .pending), (.parked, .parked), (.failed, .failed),
    ]
    for (state, shown) in states {
      for row in try rows.changes(in: state, limit: .max / 2) {
        let change = SyncInspection.Change(
          kind: row.change.kind, fields: row.change.edits.map(\.name), state: shown, code: row.code)
        for record in row.record..<row.record + row.count {
          byRecord[record, default: []].append(change)
          if !known.contains(record) {
            found.lostChanges.append("change \(row.number) of record number \(record), \(shown)")
          }
        }
      }
    }
    return byRecord
  }

  private func record(
    _ row: RecordRow, _ changes: [SyncInspection.Change], _ waiting: [WaitingRow],
    _ awaited: [AwaitedFileRow], _ local: LocalRecords
  ) throws -> SyncInspection.Record {
    let fields = try local.fields(of: row)?.fields
    let confirmed = try rows.base(of: row.number)
    let base = try confirmed?.fields.fields()
    return SyncInspection.Record(
      name: row.name, type: row.type, isOwned: row.owner != .none, local: fields, base: base,
      isLost: confirmed != nil && confirmed?.tag == nil,
      differences: try differences(row, fields, base),
      waiting: Dictionary(
        waiting.map { ($0.field, $0.target) }, uniquingKeysWith: { first, _ in first }),
      awaited: awaited.map(\.field), changes: changes)
  }

  private func differences(
    _ row: RecordRow, _ local: RecordFields?, _ base: RecordFields?
  ) throws -> [String] {
    guard let local, let base else { return [] }
    return try knownFields(row, local, base).filter { name in
      let (ours, theirs) = (local[name]?.value ?? .null, base[name]?.value ?? .null)
      if ours == .null, case .string(let target) = theirs, isReference(name, row) {
        return try isHere(target)
          && !Partners(rows, objects, LocalRecords(rows, objects))
            .isUnreturned(name, of: row, to: target)
      }
      // A place in an order is of a reference: without it there is none.
      if ours == .null, let reference = reference(ofOrder: name, row),
        local[reference]?.value ?? .null == .null
      {
        return false
      }
      return !objects.isSame(ours, theirs, in: name, of: row)
    }
  }

  private func isReference(_ field: String, _ row: RecordRow) -> Bool {
    guard case .object(let entity, _) = row.owner else { return false }
    return objects.objectType(number: entity)?.place(of: field)?.destination != nil
  }

  /// The reference that an order's field gives a place for; nil for any other field.
  private func reference(ofOrder field: String, _ row: RecordRow) -> String? {
    guard case .object(let entity, _) = row.owner,
      let type = objects.objectType(number: entity), let place = type.place(of: field),
      case .order(let slot) = place.kind
    else { return nil }
    return type.places.first { $0.slot == slot && $0.destination != nil }?.name
  }

  /// Whether an object of that name is here, and is not about to go.
  private func isHere(_ name: String) throws -> Bool {
    guard let row = try rows.record(named: name, zone: try rows.zones().first?.number ?? 1),
      row.owner != .none
    else { return false }
    return try !rows.isDeletedHere(row.number)
  }

  private func knownFields(
    _ row: RecordRow, _ local: RecordFields, _ base: RecordFields
  ) -> [String] {
    switch row.owner {
    case .object(let entity, _):
      objects.objectType(number: entity)?.places.map(\.name) ?? []
    case .pair:
      (local.names + base.names.filter { local[$0] == nil })
        .filter { $0 != objects.clocksField(of: row) }
    case .none: []
    }
  }

  /// Adds the objects and pairs that no record is of; `owners` are those that some are of.
  private func addStrays(_ found: inout SyncInspection, _ owners: Set<RecordRow.Owner>) throws {
    for type in objects.objectTypes {
      for key in try type.keys(from: 1, to: .max, limit: .max, rows.connection)
      where !owners.contains(.object(entity: type.number, key: key)) {
        found.strays.append("\(type.entity) \(key)")
      }
    }
    for edges in objects.edgeTypes {
      try edges.forEachPair(in: rows.connection) { pair in
        let owner = RecordRow.Owner.pair(
          property: edges.number, source: pair.source.key, target: pair.target.key)
        if !owners.contains(owner) {
          found.strays.append(
            "\(edges.edge.recordType) of \(pair.source.key) and \(pair.target.key)")
        }
      }
    }
  }

  /// Whether nothing was done here, beside by sync itself, that the outbox has not.
  private func hasReadHistory() throws -> Bool {
    var isRead = try rows.nextBackfill() == nil
    let cursor = HistoryCursor(
      transaction: try rows.integer(.cursorTransaction) ?? 0,
      change: try rows.integer(.cursorChange) ?? 0)
    _ = try rows.connection.readHistory(from: cursor, objectsMax: .max / 2) { run in
      if run.author != SyncAuthor.name && run.author != Store.migrationAuthor { isRead = false }
    }
    return isRead
  }
}

extension SyncRows {
  /// The sum of the digests of all bases of a zone.
  func digestSum(zone: Int64) throws(SQLiteError) -> DigestSum {
    let statement = try connection.statement(
      "SELECT count, high, low FROM contrail_sync_bucket WHERE zone = ?1")
    defer { statement.reset() }
    statement.bind(1, zone)
    var sum = DigestSum()
    while try statement.step() {
      sum += DigestSum(
        count: UInt64(bitPattern: statement.integer(0)),
        value: Digest128(
          high: UInt64(bitPattern: statement.integer(1)),
          low: UInt64(bitPattern: statement.integer(2))))
    }
    return sum
  }
}
