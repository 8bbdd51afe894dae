import DataModel
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

/// Applies what the server tells of records to the store, within one write transaction.
///
/// What is to be done with a record is decided by `Reception`; this reads what it needs, and does it.
struct Receiver {
  let transaction: WriteTransaction
  let rows: SyncRows
  let objects: ObjectRecords
  let configuration: SyncConfiguration
  let zone: ZoneRow
  let device: DeviceNumber
  let now: Int64
  let local: LocalRecords
  let writers: ObjectWriters
  let sent: SentEdits
  var clock: HybridClock
  var tally = SyncTally()
  var reports: [SyncReport] = []
  let sabotage: SyncSabotage
  /// Whether something was deleted here of which the server does not know.
  let hasDeletions: Bool
  /// What is done in a refetch about what the server has lost; nil where it has lost nothing.
  let recovery: TroublePolicy?
  /// Whether deletions wait until all was read.
  let hasHeldDeletions: Bool

  init(
    _ transaction: WriteTransaction, _ rows: SyncRows, _ objects: ObjectRecords, _ store: Store,
    _ configuration: SyncConfiguration, zone: ZoneRow, device: DeviceNumber, clock: HybridClock,
    now: Int64,
    sabotage: SyncSabotage = []
  ) throws {
    self.sabotage = sabotage
    self.transaction = transaction
    self.rows = rows
    hasDeletions = try rows.hasDeletions()
    recovery = try rows.text(.recovery).flatMap(TroublePolicy.init(rawValue:))
    hasHeldDeletions = try rows.integer(.heldDeletions) == 1
    self.objects = objects
    self.configuration = configuration
    self.zone = zone
    self.device = device
    self.clock = clock
    self.now = now
    local = LocalRecords(rows, objects, files: store)
    writers = ObjectWriters(transaction, objects)
    sent = SentEdits(rows)
  }

  /// Takes in one record of a page, or of an answer to a look-up.
  mutating func take(_ record: Record) throws {
    guard let name = record.recordName else { return }
    let known = try rows.record(named: name, zone: zone.number)
    if record.isDeleted || record.hasLeft { return try takeDeletion(known) }
    if hasHeldDeletions, let known {
      try rows.deleteWaiting(record: known.number, field: WaitingRow.deletion)
    }
    if let known, let refetch = zone.refetch { try rows.setPass(refetch, of: known.number) }
    if let known, let tag = record.changeTag, try rows.baseTag(of: known.number) == tag,
      try recovery == nil && zone.refetch == nil || isConfirmed(record, known)
    {
      // Our own, coming back, or told twice. Where all is read anew the server may have been put back, and have
      // grown since: then a tag may be of another state.
      return
    }
    if let known { try take(record, known) } else { try takeNew(record, make(record, name)) }
  }

  /// Takes in that the server cannot tell the state of a record.
  func meet(_ failure: ItemFailure) throws {
    guard let refetch = zone.refetch, case .record(let name) = failure.subject,
      let known = try rows.record(named: name, zone: zone.number)
    else { return }
    try rows.setPass(refetch, of: known.number)
  }

  /// Takes in a record that nobody here has heard of: there is no change of it, and nothing to compare with.
  private mutating func takeNew(_ record: Record, _ row: RecordRow) throws {
    let (told, fields, base) = try confirmed(record)
    if let latest = objects.clocks(of: fields)?.latest { clock.observe(latest.time) }
    try rows.setBase(base, of: row, was: nil)
    try insert(row, fields)
    if objects.hasFiles { try rows.notePlaces(told, of: row.number) }
  }

  /// Whether a record is what the server confirmed last: one that was put back to an earlier state gives the
  /// same tags again to other states.
  private func isConfirmed(_ record: Record, _ row: RecordRow) throws -> Bool {
    try FieldBytes(record.allFields().canonical) == rows.base(of: row.number)?.fields
  }

  /// What the server has confirmed of a record: as it told it, and in canonical form.
  private func confirmed(
    _ record: Record
  ) throws -> (told: RecordFields, fields: RecordFields, base: BaseRow) {
    let told = try record.allFields()
    let fields = told.canonical
    let base = BaseRow(
      tag: record.changeTag, modified: record.modified?.timestamp ?? now,
      fields: try FieldBytes(fields))
    return (told, fields, base)
  }

  /// Takes in a record whatever its tag says: what is known of it here may be wrong.
  mutating func takeAgain(_ record: Record) throws {
    guard let name = record.recordName, !record.isDeleted else { return }
    try take(record, try rows.record(named: name, zone: zone.number) ?? make(record, name))
  }

  private func make(_ record: Record, _ name: String) throws -> RecordRow {
    let row = RecordRow(
      number: try rows.nextRecordNumber(), zone: zone.number, name: name,
      type: record.recordType ?? "", owner: .none, pass: zone.refetch ?? 0)
    try rows.insert(row)
    return row
  }

  private mutating func take(_ record: Record, _ row: RecordRow) throws {
    let (told, fields, base) = try confirmed(record)
    let old = try rows.base(of: row.number)
    let server = objects.state(fields, modified: base.modified)
    if let latest = server.clocks?.latest { clock.observe(latest.time) }
    var change = try pendingChange(of: row)
    let isKept = row.owner == .none && change?.kept != nil
    var before = try old.map { old in
      let fields = try old.fields.fields()
      return objects.state(
        try isKept ? change?.overlaying(fields) ?? fields : fields, modified: old.modified)
    }
    // An object of which nothing is confirmed takes what there is; it is not made a second time.
    if before == nil && row.owner != .none { before = .nothing }
    // What was to be sent again of a record that is no object here is found anew.
    if row.owner == .none, change?.change.kind == .update {
      change?.change.edits = []
      change?.kept = nil
    }
    if let deletion = change, try isTwinNoLonger(row, deletion, before, server) {
      try rows.deleteChange(deletion.number)
      try rows.forgetReplacement(of: row.name)
      try rows.deleteWaitingReferences(of: row.number)
      try rows.setBase(base, of: row, was: old)
      return try insert(row, fields)
    }
    let isSentAgain = old?.tag == nil && change != nil
    let isPutBack = old?.tag != nil && before.map { self.isPutBack(server, $0) } == true
    if old != nil, var known = before,
      isSentAgain || mayBeRestored || isPutBack || isKept && mayBePutBack
    {
      if try sendLost(row, of: known, server, base, change, was: old) { return }
      let recovered = try recover(change, of: row, from: &known, server)
      // It is unsent from now on: an object with anything unsent is not hidden.
      if change == nil, let recovered { try rows.put(recovered) }
      (change, before) = (recovered, known)
    }
    let valuesBefore = ValuesBefore(known: before ?? .nothing, change: change)
    if old?.tag == nil || zone.refetch != nil, let known = before {
      before = try withoutMissing(known, row, change)
    }
    try rows.setBase(base, of: row, was: old)
    let reception = Reception(base: before, change: change?.change, news: .state(server)) { field in
      rule(of: field, row.type)
    }
    try apply(reception, to: row, fields, valuesBefore)
    if objects.hasFiles { try rows.notePlaces(told, of: row.number) }
    if let change { try settle(change, reception, row) }
  }

  private func rule(of field: String, _ type: String) -> MergeRule {
    configuration.rules[type]?[field]
      ?? objects.objectTypes.first { $0.recordType == type }?.mergeRule(of: field) ?? .lastEdit
  }

  /// The change of a record that is pending, with the values that the object has.
  private mutating func pendingChange(of row: RecordRow) throws -> ChangeRow? {
    if let parked = try rows.change(of: row.number, state: .parked) {
      // It is merged like any edit; what is still lacking is parked again when it is to be sent.
      try rows.unpark(try rows.single(row.number, of: parked))
    }
    try revive(row)
    guard var change = try rows.ownChange(of: row.number) else { return nil }
    guard change.change.kind != .delete,
      let read = try local.fields(of: row, files: change.change.fileWish(type(of: row)))
    else { return change }
    change.change.edits = try local.edits(of: change, row, read.fields, device: device)
    if change.change.mayHaveArrived {
      change.change.edits = try sent.marking(change.change.edits, of: row)
    }
    return change
  }
}

extension Receiver {
  private mutating func apply(
    _ reception: Reception, to row: RecordRow, _ fields: RecordFields, _ before: ValuesBefore
  ) throws {
    switch reception.object {
    case .keep: break
    case .insert: try insert(row, fields)
    case .take where row.owner == .none:
      // It is no object here so far; perhaps it can be one now.
      try insert(row, fields)
    case .take(let taken): try update(row, taken, fields, before)
    case .delete: try delete(row)
    }
  }

  /// Writes what is left to be sent, and says what became of the rest.
  private mutating func settle(
    _ change: ChangeRow, _ reception: Reception, _ row: RecordRow
  ) throws {
    tally.merged += change.change.kind == .delete ? 0 : 1
    let overruled = reception.settled.filter { !$0.isOnServer }.map(\.edit.name)
    if !overruled.isEmpty { note(row, .overruled(fields: overruled)) }
    try rows.log(overruled: reception.settled.filter { !$0.isOnServer }, of: row, at: now)
    guard let left = reception.change else {
      if overruled.isEmpty { note(row, .absorbed) }
      return try rows.deleteChange(change.number)
    }
    for edit in left.edits { clock.observe(edit.clock.time) }
    var kept = change
    kept.change = left
    kept.change.mayHaveArrived =
      left.kind == .delete
      ? change.change.mayHaveArrived : left.edits.contains { !$0.sent.isEmpty }
    try kept.keepMerged(left.edits)
    try rows.put(kept)
  }

  mutating func note(_ row: RecordRow, _ outcome: ChangeFate.Outcome) {
    reports.append(.fate(ChangeFate(row, outcome)))
  }
}

extension Receiver {
  /// Makes a change pending that was refused, since the record is another one now: it is merged, and tried
  /// again.
  mutating func revive(_ row: RecordRow) throws {
    guard let run = try rows.change(of: row.number, state: .failed),
      run.code != SyncFailureCode.deletedRemotely
    else { return }
    var revived = try rows.single(row.number, of: run)
    (revived.code, revived.reason, revived.retry, revived.attempts) = (nil, nil, 0, 0)
    try rows.unpark(revived)
    note(row, .pending)
  }

  mutating func takeDeletion(_ known: RecordRow?) throws {
    guard let known, try !hold(known) else { return }
    try takeCertainDeletion(known)
  }

  mutating func takeCertainDeletion(_ known: RecordRow) throws {
    try revive(known)
    let base = try rows.base(of: known.number)
    let change = try rows.ownChange(of: known.number)
    if sabotage.contains(.editWins), change?.change.kind == .update { return }
    let reception = Reception(
      base: base.map { _ in .nothing },
      change: try change?.change ?? parkedCreation(of: known, base),
      news: .deleted)
    // Ours has yet to come: the tombstone is of an earlier record of that name.
    if reception.object == .keep, let left = reception.change {
      guard var change, left != change.change else { return }
      change.change = left
      try rows.put(change)
      return try rows.setBase(nil, of: known, was: base)
    }
    // What was given up before it was ever sent is here for itself; the tombstone is of another record of its name.
    if base == nil, change == nil, reception.object == .keep, try local.fields(of: known) != nil {
      return
    }
    // The values of edits are kept, since the object goes.
    let values = try valuesToKeep(of: known, change)
    if reception.object == .delete {
      tally.pulled += 1
      try delete(known)
    }
    try rows.setBase(nil, of: known, was: base)
    let hasLost = try keepLost(change, of: known, values)
    if !hasLost { try rows.deleteRecord(known.number) }
  }

  /// A new record that waits as a whole for a promotion: it may have arrived all the same.
  private func parkedCreation(of row: RecordRow, _ base: BaseRow?) throws -> LocalChange? {
    guard base == nil, let parked = try rows.change(of: row.number, state: .parked)?.change,
      parked.kind == .create
    else { return nil }
    return parked
  }

  /// What was edited here, or waited for a promotion, is kept as failed; true where there was anything.
  private mutating func keepLost(
    _ change: ChangeRow?, of row: RecordRow, _ values: RecordFields?
  ) throws -> Bool {
    var lost = try rows.change(of: row.number, state: .parked).map { run in
      try rows.single(row.number, of: run)
    }
    if let parked = lost, try parked.isSentAgain(of: row) {
      try rows.deleteChange(parked.number)
      lost = nil
    }
    // A deletion has nothing to lose, nor has a record that was only to be sent again as it was.
    if let change, try change.change.kind == .delete || change.isSentAgain(of: row) {
      try rows.deleteChange(change.number)
      note(row, .absorbed)
    } else if var change {
      if let parked = lost {
        try change.keepAlso(parked)
        change.change = parked.change.followed(by: change.change) ?? change.change
        try rows.deleteChange(parked.number)
      }
      lost = change
    }
    // An earlier failure is kept as it is, without the record's own values now.
    guard var lost else {
      let failed = try rows.change(of: row.number, state: .failed)
      if failed != nil { try rows.setOwner(.none, of: row.number) }
      return failed != nil
    }
    lost.reason = "was deleted on another device, and edited here"
    let lostValues = try values.map { try lost.withKept($0) }
    lost.kept = try lostValues.map { try FieldBytes($0) }
    (lost.state, lost.code) = (.failed, SyncFailureCode.deletedRemotely)
    lost.change.mayHaveArrived = false
    try rows.putFailed(lost)
    try rows.setOwner(.none, of: row.number)
    note(row, .failed(code: SyncFailureCode.deletedRemotely, reason: lost.reason ?? ""))
    return true
  }
}

/// The codes of changes that fail for reasons of our own, beside those of the server.
public enum SyncFailureCode {
  /// The record was deleted elsewhere while it was edited here.
  public static let deletedRemotely = "DELETED_REMOTELY"
  /// The server has lost the record, and has told of no deletion: trying again sends it as a new one.
  public static let lostThere = "LOST_THERE"
  /// A value is none that a record can hold.
  public static let unrepresentable = "UNREPRESENTABLE"
  /// The record is larger than records may be.
  public static let tooLarge = "RECORD_TOO_LARGE"
  /// The file of a value is larger than the server takes.
  public static let fileTooLarge = "FILE_TOO_LARGE"
  /// The file of a value could not be sent so far.
  public static let fileUnsent = "FILE_UNSENT"
  /// The file of a value could not be fetched so far.
  public static let fileUnfetched = "FILE_UNFETCHED"
  /// The server has no file where the record says.
  public static let fileMissing = "FILE_MISSING"
  /// What came is not the file that the record names.
  public static let fileDamaged = "FILE_DAMAGED"
}
