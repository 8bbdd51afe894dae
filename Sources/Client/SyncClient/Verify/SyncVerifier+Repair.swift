import JSONStream
import ObjectStore
import RecordWire
import SyncCore

// What differs between the server and what it confirmed: it is looked up, and put right.
extension SyncVerifier {
  func lookUpCall(_ now: Int64) throws -> Work {
    guard !lookUps.isEmpty else { return try settleMissing(now) }
    let zone = try session.read(session.zone)
    let request = LookupRequest(
      records: lookUps.prefix(Self.lookUpsMax).map { LookupRequest.Item(recordName: $0) },
      zone: zone.identity)
    report.calls += 1
    return .call(SyncCall("records/lookup", in: .database(.private), body: try request.json()))
  }

  func takeLookUp(_ body: [UInt8], _ now: Int64) throws {
    let response = try RecordsResponse(json: body)
    let names = lookUps.prefix(Self.lookUpsMax)
    guard response.records.count == names.count else {
      return end(.unreachable("records/lookup answers other records than were asked for"))
    }
    lookUps.removeFirst(names.count)
    let records = response.records.compactMap { result -> Record? in
      // What is gone by now is news for the next pass.
      if case .record(let record) = result { record } else { nil }
    }
    var found: [SyncVerification.Difference] = []
    if isRepairing {
      var receiver: Receiver?
      try session.write { transaction, rows in
        let zone = try session.zone(rows)
        try session.takeIn(rows, zone, now)
        receiver = try session.receiver(transaction, rows, zone, now)
        for record in records {
          guard var difference = try difference(of: record, rows, zone) else { continue }
          try receiver?.takeAgain(record)
          difference.isRepaired = true
          try rows.log(repaired: difference, at: now)
          found.append(difference)
        }
        try session.keep(receiver, rows)
      }
      session.tell(receiver)
    } else {
      found = try session.read { rows in
        let zone = try session.zone(rows)
        return try records.compactMap { try difference(of: $0, rows, zone) }
      }
    }
    for difference in found { report.add(difference) }
  }

  private func difference(
    of record: Record, _ rows: SyncRows, _ zone: ZoneRow
  ) throws -> SyncVerification.Difference? {
    guard let name = record.recordName else { return nil }
    let theirs = try record.allFields().canonical
    let row = try rows.record(named: name, zone: zone.number)
    let base = try row.flatMap { try rows.base(of: $0.number) }
    let ours = try base?.fields.fields() ?? RecordFields()
    let names = Set(theirs.names).union(ours.names)
    let fields = names.filter { name in
      let (own, other) = (ours[name]?.value ?? .null, theirs[name]?.value ?? .null)
      return !own.isSame(as: other)
    }
    return SyncVerification.Difference(
      kind: base == nil ? .missingHere : .different, recordName: name,
      recordType: record.recordType ?? "",
      fields: base == nil
        ? [] : fields.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  /// What the server lacks although it had confirmed it is sent again as new.
  private func settleMissing(_ now: Int64) throws -> Work {
    for name in comparison.names([.missingThere]) {
      var difference = try difference(.init(name: name, kind: .missingThere))
      if isRepairing { try sendAgain(&difference, now) }
      report.add(difference)
    }
    phase = .objects
    return try begin(now: now)
  }

  /// Has a record that the server lacks sent as it was confirmed, with its clocks and with what no property
  /// is here: edits of others that have yet to come are not written over.
  private func sendAgain(
    _ difference: inout SyncVerification.Difference, _ now: Int64
  ) throws {
    var receiver: Receiver?
    try session.write { transaction, rows in
      let zone = try session.zone(rows)
      try session.takeIn(rows, zone, now)
      guard let row = try rows.record(named: difference.recordName, zone: zone.number),
        try rows.ownChange(of: row.number)?.change.kind != .delete
      else { return }
      receiver = try session.receiver(transaction, rows, zone, now)
      try receiver?.recover(row, .reupload)
      difference.isRepaired = true
      try rows.log(repaired: difference, at: now)
      try session.keep(receiver, rows)
    }
    session.tell(receiver)
  }
}

extension SyncRows {
  /// A change of a record that a repair makes, in a unit of its own.
  func newChange(
    _ change: LocalChange, of row: RecordRow, _ clock: HybridClock, _ now: Int64
  ) throws -> ChangeRow {
    let unit = try nextBackfillUnit()
    return ChangeRow(
      number: try nextChangeNumber(), record: row.number, count: 1, change: change,
      clock: clock.last, unit: unit, last: unit, time: now)
  }

  /// Writes down that the sums of digests were wrong, and were made anew.
  func logRepairedSums(at time: Int64) throws {
    try log(.repaired, nil, ["what": .string("sums")], at: time)
  }

  /// Writes down that something was put right.
  func log(repaired difference: SyncVerification.Difference, at time: Int64) throws {
    try log(
      .repaired, difference.recordName,
      [
        "what": .string(difference.kind.rawValue), "type": .string(difference.recordType),
        "fields": .list(difference.fields),
      ], at: time)
  }
}
