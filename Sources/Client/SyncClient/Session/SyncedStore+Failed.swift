import DataModel
public import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

// The ways out for what the server did not take.
extension Store {
  /// Has failed changes sent again by the next pass, and files that do not come tried at once; returns how
  /// many.
  ///
  /// Those whose record was deleted elsewhere stay: they can be made anew, or discarded. With `records` only
  /// the changes of records with these names are meant, here and below.
  public func retryFailedChanges(of records: Set<String>? = nil) throws -> Int {
    let files = try write(author: SyncAuthor.name) { transaction in
      guard records == nil, try FileTables.areThere(transaction.connection) else { return 0 }
      return try SyncRows(connection: transaction.connection).retryAwaitedFiles()
    }
    return try files
      + changeFailed(records) { rows, change in
        guard change.code != SyncFailureCode.deletedRemotely else { return false }
        try rows.retry(change)
        return true
      }
  }

  /// Gives up failed changes; returns how many.
  ///
  /// Objects keep what they have, and what was deleted here is again as the server has it; the log has what
  /// was given up. What was deleted since an equal object has all that it had stays failed: it would be made one
  /// with that again. A program with legacy fields gives up deletions by its engine, which knows of them.
  public func discardFailedChanges(
    of records: Set<String>? = nil, environment: SyncEnvironment = .system
  ) throws -> Int {
    var random = environment.random
    let session = try SyncSession(
      self, SyncConfiguration(of: self), device: DeviceNumber(rawValue: random.next()),
      random: random)
    return try session.discardFailed(of: records, now: environment.now())
  }

  /// Makes objects anew that were deleted elsewhere while they were edited here, with the values that they
  /// had here, and has them sent by the next pass; returns how many.
  ///
  /// Values in files come back as far as they were small enough to be kept.
  public func recreateFailedChanges(
    of records: Set<String>? = nil, environment: SyncEnvironment = .system
  ) throws -> Int {
    var random = environment.random
    return try withExtendedLifetime(SyncLease(location)) {
      let session = try SyncSession(
        self, SyncConfiguration(of: self), device: DeviceNumber(rawValue: random.next()),
        random: random)
      return try session.recreateFailed(of: records, now: environment.now())
    }
  }

  private func changeFailed(
    _ records: Set<String>?, _ body: (SyncRows, ChangeRow) throws -> Bool
  ) throws -> Int {
    try write(author: SyncAuthor.name) { transaction in
      let rows = SyncRows(connection: transaction.connection)
      guard try SyncTables.areThere(transaction.connection) else { return 0 }
      try FileTables.makeIfNeeded(transaction.connection)
      return try rows.failedChanges(of: records).filter { try body(rows, $0) }.count
    }
  }
}

extension SyncSession {
  func recreateFailed(of records: Set<String>?, now: Int64) throws -> Int {
    try decideFailed(records, now) { receiver, changes in
      let anew = try changes.filter { try receiver.recreate($0) }
      for change in anew { try receiver.endWaiting(ofAnew: change) }
      return anew.count
    }
  }

  func discardFailed(of records: Set<String>?, now: Int64) throws -> Int {
    try decideFailed(records, now) { receiver, changes in
      // Who waits for what comes back has to wait before.
      let isDeletion = { (change: ChangeRow) in change.change.kind == .delete }
      let ordered = changes.filter { !isDeletion($0) } + changes.filter(isDeletion)
      return try ordered.filter { try receiver.discard($0) }.count
    }
  }

  /// Does what somebody has decided about failed changes; returns for how many it could be done.
  private func decideFailed(
    _ records: Set<String>?, _ now: Int64, _ body: (inout Receiver, [ChangeRow]) throws -> Int
  ) throws -> Int {
    var decided: Receiver?
    var count = 0
    try write { transaction, rows in
      let zone = try self.zone(rows)
      var failed = try rows.failedChanges(of: records)
      if failed.contains(where: \.makesAnew) {
        // What is made anew refers to what is here, as far as that is not deleted. What was edited since has not
        // failed any more.
        try takeIn(rows, zone, now)
        failed = try rows.failedChanges(of: records)
      }
      var deciding = try self.receiver(transaction, rows, zone, now)
      count = try body(&deciding, failed)
      try keep(deciding, rows)
      decided = deciding
    }
    tell(decided)
    return count
  }
}

extension Receiver {
  /// Makes the object of a change anew; false where nothing of it was kept, or it can be no object now.
  fileprivate mutating func recreate(_ change: ChangeRow) throws -> Bool {
    guard change.code == SyncFailureCode.deletedRemotely, var fields = try change.kept?.fields(),
      let row = try rows.record(number: change.record), row.owner == .none
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
}

extension Receiver {
  /// References of an object that was made anew to what is not here lead nowhere: its record is sent without them.
  fileprivate func endWaiting(ofAnew change: ChangeRow) throws {
    guard let row = try rows.record(number: change.record) else { return }
    let waiting = try rows.waiting(of: row.number).filter(\.isReference)
    if waiting.isEmpty { return }
    let lost = RecordFields(waiting.map { ($0.field, RecordField(.string($0.target))) })
    try rows.log(discarded: row, lost, at: now)
    try rows.deleteWaitingReferences(of: row.number)
  }

  /// Gives a change up; false for a deletion of unification, which comes again.
  fileprivate mutating func discard(_ change: ChangeRow) throws -> Bool {
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

extension ChangeRow {
  /// Whether an object is made, whatever is done about the failure but trying again.
  fileprivate var makesAnew: Bool {
    change.kind == .delete || code == SyncFailureCode.deletedRemotely
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

extension SyncRows {
  /// The failed changes, or those of records with some names; a run is meant by any of its records.
  fileprivate func failedChanges(of names: Set<String>?) throws -> [ChangeRow] {
    let all = try changes(in: .failed, limit: .max)
    guard let names else { return all }
    return try all.filter { change in
      try records(from: change.record, count: change.count).contains { names.contains($0.name) }
    }
  }

  /// Gives up what waits for a promotion of a record that the server does not have: it would make the record.
  fileprivate func discardParked(of row: RecordRow) throws {
    guard try baseTag(of: row.number) == nil,
      let parked = try change(of: row.number, state: .parked), parked.change.kind == .update
    else { return }
    try deleteChange(parked.number)
  }

  /// Has a record sent as the server has it no more.
  private func expectNothing(of record: Int64) throws {
    guard let row = try self.record(number: record), let base = try base(of: record) else { return }
    var lost = base
    lost.tag = nil
    try setBase(lost, of: row, was: base)
  }

  /// Makes a failed change pending again.
  func retry(_ change: ChangeRow) throws {
    if change.code == SyncFailureCode.lostThere { try expectNothing(of: change.record) }
    if var pending = try self.change(of: change.record, state: .pending) {
      pending = try single(change.record, of: pending)
      try pending.keepAlso(change)
      pending.change = change.change.followed(by: pending.change) ?? pending.change
      try put(pending)
      return try deleteChange(change.number)
    }
    var retried = change
    retried.state = .pending
    (retried.code, retried.reason, retried.attempts, retried.retry) = (nil, nil, 0, 0)
    try put(retried)
  }
}
