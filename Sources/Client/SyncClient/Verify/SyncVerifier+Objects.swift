import DataModel
import FoundationEssentials
import JSONStream
import ObjectStore
import RecordWire
import SyncCore

// The second half: what the server confirmed against the objects, less what is on its way.
extension SyncVerifier {
  /// How many records one transaction looks at, so that other writers are not kept waiting.
  static let pageRecords: Int64 = 2_000

  func compareObjects(_ now: Int64) throws {
    // What was done here meanwhile becomes pending, and gets its records.
    try session.takeInAhead(now)
    try session.write { _, rows in try session.takeIn(rows, session.zone(rows), now) }
    var first: Int64 = 1
    while try session.read({ try ($0.nextRecordNumber()) }) > first {
      try session.write { transaction, rows in
        let zone = try session.zone(rows)
        try session.takeIn(rows, zone, now)
        var page = ObjectPage(
          session: session, rows: rows, zone: zone, isRepairing: isRepairing, now: now,
          receiver: try session.receiver(transaction, rows, zone, now),
          hasChanges: try rows.hasAny("contrail_sync_change"),
          hasWaiting: try rows.hasAny("contrail_sync_waiting"))
        try page.look(at: first..<first + Self.pageRecords, &report)
        try session.keep(page.receiver, rows)
      }
      first += Self.pageRecords
    }
    try session.write { _, rows in
      let zone = try session.zone(rows)
      try session.takeIn(rows, zone, now)
      try findUnsentObjects(rows, zone, now)
      try findUnsentPairs(rows, zone, now)
    }
  }

  /// Objects without records: nobody ever told sync of them.
  private func findUnsentObjects(_ rows: SyncRows, _ zone: ZoneRow, _ now: Int64) throws {
    for type in session.objects.objectTypes {
      for key in try type.keysWithoutRecords(rows.connection) {
        var difference = SyncVerification.Difference(
          kind: .objectUnsent, recordName: "\(type.entity)/\(key)", recordType: type.recordType)
        if isRepairing {
          var intake = try session.intake(rows, zone)
          let run = try insertion(ofKey: key, entity: type.number, rows, now)
          try intake.takeInserts(run, type)
          try intake.takePairs(ofNew: run)
          try intake.takePartners(ofNew: run)
          try session.keep(intake)
          difference.isRepaired = true
          try rows.log(repaired: difference, at: now)
        }
        report.add(difference)
      }
    }
  }

  /// Pairs without records, of objects that have some.
  private func findUnsentPairs(_ rows: SyncRows, _ zone: ZoneRow, _ now: Int64) throws {
    for edges in session.objects.edgeTypes {
      for pair in try edges.pairsWithoutRecords(rows.connection) {
        let made = try LocalRecords(rows, session.objects).record(of: pair, edges)
        guard let name = made?.name.text else { continue }
        var difference = SyncVerification.Difference(
          kind: .objectUnsent, recordName: name, recordType: edges.edge.recordType)
        if isRepairing {
          var intake = try session.intake(rows, zone)
          try intake.takePairs(
            edges, of: pair.source.key, at: edges.isFlipped ? .target : .source,
            try insertion(ofKey: pair.source.key, entity: pair.source.entity, rows, now))
          try session.keep(intake)
          difference.isRepaired = true
          try rows.log(repaired: difference, at: now)
        }
        report.add(difference)
      }
    }
  }

  /// An object as if it had been made now, in a unit of its own.
  private func insertion(
    ofKey key: Int64, entity: Int, _ rows: SyncRows, _ now: Int64
  ) throws -> HistoryRun {
    HistoryRun(
      transaction: try rows.nextBackfillUnit(),
      time: Date(timeIntervalSince1970: Double(now) / 1_000), author: nil, change: 0,
      kind: .insert, entity: entity, key: key, count: 1, properties: [])
  }
}

/// A part of the records, compared with their objects within one transaction.
private struct ObjectPage {
  let session: SyncSession
  let rows: SyncRows
  let zone: ZoneRow
  let isRepairing: Bool
  let now: Int64
  var receiver: Receiver
  /// Whether there is anything in these tables: mostly nothing is left to be sent, and nothing waits.
  let hasChanges: Bool
  let hasWaiting: Bool

  /// Looks at a range of records: closely at those that are not plainly equal.
  mutating func look(at numbers: Range<Int64>, _ report: inout SyncVerification) throws {
    var plain: Set<Int64> = []
    // Where something is on its way, or waits, the bytes do not tell all.
    if !hasChanges && !hasWaiting {
      plain = try PlainObjects(session.objects, rows).equal(in: numbers, zone: zone.number)
    }
    report.objects += plain.count
    for number in try rows.recordNumbers(in: numbers, zone: zone.number)
    where !plain.contains(number) {
      if let row = try rows.record(number: number) { try look(at: row, &report) }
    }
  }

  private mutating func look(at row: RecordRow, _ report: inout SyncVerification) throws {
    if row.owner == .none {
      report.held += 1
      return
    }
    let changes =
      try hasChanges
      ? ChangeRow.State.allCases.compactMap { try rows.change(of: row.number, state: $0) } : []
    if changes.contains(where: { $0.change.kind != .update }) {
      report.changing += 1
      return
    }
    report.objects += 1
    guard var difference = try difference(of: row, changes) else { return }
    if isRepairing {
      difference.isRepaired = try repair(row, difference)
      if difference.isRepaired { try rows.log(repaired: difference, at: now) }
    }
    report.add(difference)
  }

  private func difference(
    of row: RecordRow, _ changes: [ChangeRow]
  ) throws -> SyncVerification.Difference? {
    var difference = SyncVerification.Difference(
      kind: .objectUnsent, recordName: row.name, recordType: row.type)
    guard let base = try rows.base(of: row.number) else {
      return changes.isEmpty ? difference : nil
    }
    guard let local = try receiver.local.fields(of: row) else {
      difference.kind = .objectMissing
      return difference
    }
    let edited = changes.flatMap { $0.change.edits.map(\.name) }
    let waiting = try hasWaiting ? rows.waiting(of: row.number).map(\.field) : []
    difference.fields = try ObjectComparison(
      objects: session.objects, rows: rows, row: row, base: try base.fields.fields(),
      local: local, excepted: Set(edited + waiting)
    ).differing()
    difference.kind = .objectDiffers
    return difference.fields.isEmpty ? nil : difference
  }

  private mutating func repair(
    _ row: RecordRow, _ difference: SyncVerification.Difference
  ) throws -> Bool {
    switch difference.kind {
    case .objectMissing: try restore(row)
    case .objectUnsent: try send(LocalChange(.create), of: row)
    default:
      let clock = receiver.clock.tick(at: now)
      try send(
        LocalChange(
          .update,
          edits: difference.fields.map {
            LocalEdit($0, .null, FieldClock(clock, session.device))
          }), of: row)
    }
    return true
  }

  /// Makes the object of a record anew, from what the server confirmed.
  private mutating func restore(_ row: RecordRow) throws {
    guard let base = try rows.base(of: row.number) else { return }
    try receiver.bringBack(row, base)
  }

  private mutating func send(_ change: LocalChange, of row: RecordRow) throws {
    guard var pending = try rows.ownChange(of: row.number) else {
      return try rows.put(rows.newChange(change, of: row, receiver.clock, now))
    }
    pending.change = pending.change.followed(by: change) ?? pending.change
    try pending.dropKept(change.edits.map(\.name))
    try rows.put(pending)
  }
}
