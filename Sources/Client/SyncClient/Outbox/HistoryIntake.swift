import DataModel
import FoundationEssentials
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

/// Takes the store's history into the outbox: every change that sync itself did not make becomes pending.
///
/// It runs within one write transaction and notes how far it came, so that a change is taken in once,
/// whenever the program is killed; what it has not read is kept by the store's history.
struct HistoryIntake {
  /// How many objects one transaction takes in at most, so that other writers are not kept waiting.
  static let objectsMax: Int64 = 10_000

  /// The clock of a transaction.
  struct Moment {
    var transaction: Int64
    var time: HybridTime
  }

  let rows: SyncRows
  let objects: ObjectRecords
  let zone: Int64
  let device: DeviceNumber
  var clock: HybridClock
  var names: RecordNaming
  /// The clock of the transaction that is taken in, given when its first change is met.
  var moment: Moment?
  /// The unit that the transaction is in, once it was joined with an earlier one.
  private var joined: (transaction: Int64, unit: Int64)?

  init(
    _ rows: SyncRows, _ objects: ObjectRecords, zone: Int64, device: DeviceNumber,
    clock: HybridClock, names: RecordNaming
  ) {
    self.rows = rows
    self.objects = objects
    self.zone = zone
    self.device = device
    self.clock = clock
    self.names = names
  }

  /// Takes in what comes next, objects that were there before sync foremost; returns whether that was all.
  mutating func advanceAll(at now: Int64) throws -> Bool {
    guard try rows.nextBackfill() != nil else { return try advance() }
    let time = Date(timeIntervalSince1970: Double(now) / 1_000)
    try advanceBackfill(at: time)
    // In the transaction that ends it: nothing else tells of them.
    if try rows.nextBackfill() == nil { try takeAllPairs(at: time) }
    return false
  }

  /// Takes in what comes next; returns whether that was all.
  private mutating func advance() throws -> Bool {
    let cursor = HistoryCursor(
      transaction: try rows.integer(.cursorTransaction) ?? 0,
      change: try rows.integer(.cursorChange) ?? 0)
    var runs: [HistoryRun] = []
    let (next, isAtEnd) = try rows.connection.readHistory(
      from: cursor, objectsMax: Self.objectsMax
    ) { run in
      if run.author != SyncAuthor.name && run.author != Store.migrationAuthor { runs.append(run) }
    }
    try resume(runs.first, after: cursor)
    for run in runs { try take(run) }
    // History says nothing of the pairs of new objects; by now both ends have records, or the other end is
    // yet to come and brings its pairs along.
    for run in runs where run.kind == .insert {
      try takePairs(ofNew: run)
      try takePartners(ofNew: run)
    }
    if isAtEnd { try rows.forgetInherited() }
    if next != cursor {
      try rows.set(.cursorTransaction, next.transaction)
      try rows.set(.cursorChange, next.change)
    }
    return isAtEnd
  }

  /// Goes on with a transaction that was taken in partly: it is in the unit that it was in then.
  private mutating func resume(_ run: HistoryRun?, after cursor: HistoryCursor) throws {
    guard let run, run.transaction == cursor.transaction,
      let unit = try rows.integer(
        "SELECT min(unit) FROM contrail_sync_change WHERE state = 0 AND last = ?1",
        run.transaction)
    else { return }
    joined = (run.transaction, unit)
  }

  /// The unit that what a transaction has done is in.
  private func unit(of run: HistoryRun) -> Int64 {
    if let joined, joined.transaction == run.transaction { return joined.unit }
    return run.transaction
  }

  /// Makes one of an earlier unit and that of a transaction.
  mutating func join(_ unit: Int64, with run: HistoryRun) throws {
    let own = self.unit(of: run)
    try rows.join(unit, own)
    joined = (run.transaction, min(unit, own))
  }

  private mutating func take(_ run: HistoryRun) throws {
    // An entity that is gone since, or that no record can hold: nobody would know what to send.
    guard let type = objects.objectType(number: run.entity) else { return }
    if moment?.transaction != run.transaction {
      moment = Moment(
        transaction: run.transaction, time: clock.tick(at: run.time.milliseconds))
    }
    switch run.kind {
    case .insert: try takeInserts(run, type)
    case .update: try takeUpdate(run, type)
    case .delete: try takeDeletion(run)
    }
  }

  private var time: HybridTime { moment?.time ?? clock.last }
}

extension Date {
  /// Milliseconds since 1970; the nearest that there are for a time beyond them.
  var milliseconds: Int64 {
    let value = (timeIntervalSince1970 * 1000).rounded()
    if value.isNaN { return 0 }
    return value >= 0x1p62 ? 1 << 62 : value <= -0x1p62 ? -(1 << 62) : Int64(value)
  }
}

extension HistoryIntake {
  mutating func takeInserts(_ run: HistoryRun, _ type: ObjectType) throws {
    let first = try rows.nextRecordNumber()
    for step in 0..<run.count {
      try rows.insert(
        RecordRow(
          number: first + step, zone: zone, name: names.next(at: run.time),
          type: type.recordType,
          owner: .object(entity: run.entity, key: run.key + step)))
    }
    try rows.put(
      ChangeRow(
        number: try rows.nextChangeNumber(), record: first, count: run.count,
        change: LocalChange(.create), clock: time, unit: unit(of: run), last: run.transaction,
        time: run.time.milliseconds))
  }

  private mutating func takeUpdate(_ run: HistoryRun, _ type: ObjectType) throws {
    var fields: [String] = []
    for number in run.properties {
      switch type.meaning(of: number) {
      case .fields(let names, let opposite):
        fields += names.filter { !fields.contains($0) }
        if let opposite, let field = names.first {
          try takeOpposite(opposite, of: field, run)
        }
      case .edges(let edges, let side): try takePairs(edges, of: run.key, at: side, run)
      case .nothing: break
      }
    }
    guard !fields.isEmpty else { return }
    let owner = RecordRow.Owner.object(entity: run.entity, key: run.key)
    guard let record = try rows.record(of: owner) else {
      // It was there before sync was; as a new record it is sent as a whole.
      guard try type.has(run.key, rows.connection) else { return }
      var insert = run
      (insert.kind, insert.count) = (.insert, 1)
      return try takeInserts(insert, type)
    }
    fields += objects.legacyFields(of: record.type, after: fields)
    try edit(fields, of: record, run)
  }

  /// Notes fields of a record as edited.
  mutating func edit(_ fields: [String], of record: RecordRow, _ run: HistoryRun) throws {
    let type = objects.hasFiles ? objects.objectType(number: run.entity) : nil
    for field in fields {
      try rows.deleteWaiting(record: record.number, field: field)
      // What the object has now is later than the file that it waited for.
      guard let type, type.mayBeInFile(field) else { continue }
      try rows.forgetAwaitedFile(record.number, field)
      try rows.forgetEarlierValue(record.number, field)
    }
    let clock = FieldClock(time, device)
    let edits =
      switch run.author {
      case Store.sentMigrationAuthor: try migratedEdits(fields, of: record)
      case Unifier.author: try rows.inherited(of: record.number, fields, else: clock)
      default: fields.map { LocalEdit($0, .null, clock) }
      }
    if edits.isEmpty { return try dropKept(fields, of: record) }
    try add(LocalChange(.update, edits: edits), to: record, run)
  }

  /// The other end of a one-to-one relationship has a field too, of the object that is there now, and of
  /// the one that was there when the server heard of it last.
  private mutating func takeOpposite(
    _ opposite: OppositeField, of field: String, _ run: HistoryRun
  ) throws {
    let owner = RecordRow.Owner.object(entity: run.entity, key: run.key)
    guard let record = try rows.record(of: owner) else { return }
    let local = LocalRecords(rows, objects)
    let partners = Partners(rows, objects, local)
    let now = try partners.partner(of: record, in: field)
    if let now { try edit([opposite.field], of: now, run) }
    guard case .string(let name)? = try rows.base(of: record.number)?.fields.fields()[field]?.value,
      let former = try rows.record(named: name, zone: zone), former.number != now?.number,
      try partners.isPartner(former, confirmedTo: record, in: opposite.field),
      // Who was deleted, perhaps by the same transaction, or elsewhere, is not made anew by an edit.
      former.owner != .none, try !rows.isDeletedHere(former.number)
    else { return }
    try edit([opposite.field], of: former, run)
  }

  /// Who became the partner of a new object has a field that says so, too.
  mutating func takePartners(ofNew run: HistoryRun) throws {
    guard let opposites = objects.objectType(number: run.entity)?.opposites, !opposites.isEmpty
    else { return }
    let partners = Partners(rows, objects, LocalRecords(rows, objects))
    for step in 0..<run.count {
      let owner = RecordRow.Owner.object(entity: run.entity, key: run.key + step)
      guard let record = try rows.record(of: owner) else { continue }
      for (field, opposite) in opposites.sorted(by: { $0.key.precedes($1.key) }) {
        guard let partner = try partners.partner(of: record, in: field) else { continue }
        try edit([opposite.field], of: partner, run)
      }
    }
  }

  private mutating func takeDeletion(_ run: HistoryRun) throws {
    let owner = RecordRow.Owner.object(entity: run.entity, key: run.key)
    guard let record = try rows.record(of: owner) else { return }
    for edges in objects.edgeTypes {
      for isSource in [true, false] where edges.mayHold(run.entity, isSource: isSource) {
        for pair in try rows.pairRecords(property: edges.number, key: run.key, isSource: isSource) {
          try add(LocalChange(.delete), to: pair, run)
        }
      }
    }
    try add(LocalChange(.delete), to: record, run)
  }
}

extension HistoryIntake {
  /// Adds what was done to a record to what is pending of it.
  mutating func add(
    _ change: LocalChange, to record: RecordRow, _ run: HistoryRun
  ) throws {
    try dropOrRevive(record, change, run)
    guard var row = try rows.change(of: record.number, state: .pending) else {
      let isUnheardOf =
        try change.kind == .update && !rows.isKnown(record.number)
      return try rows.put(
        ChangeRow(
          number: try rows.nextChangeNumber(), record: record.number, count: 1,
          change: isUnheardOf ? LocalChange(.create) : change,
          clock: time, unit: unit(of: run), last: run.transaction,
          time: run.time.milliseconds, isOfUnifying: run.isOfUnifying(change)))
    }
    let isWhole = row.change.kind == .create && !row.change.mayHaveArrived
    if isWhole && change.kind != .delete {
      // It is sent as a whole, with what it is by then.
      row.clock = time
      row.last = run.transaction
      try rows.put(row)
      return try join(row.unit, with: run)
    }
    row = try rows.single(record.number, of: row)
    let unit = row.unit
    if let all = row.change.followed(by: change) {
      // A new record that may have arrived keeps the moment of its first state: the edits have their own.
      if all.kind != .create { row.clock = time }
      row.change = all
      try row.dropKept(change.edits.map(\.name))
      row.last = run.transaction
      row.code = nil
      row.isOfUnifying = run.isOfUnifying(all)
      try rows.put(row)
    } else {
      // Nobody ever heard of it.
      try rows.deleteChange(row.number)
      try rows.deleteRecord(record.number)
    }
    try join(unit, with: run)
  }

  /// What a change that has yet to be sent keeps of fields is not theirs any more.
  private func dropKept(_ fields: [String], of record: RecordRow) throws {
    for state in [ChangeRow.State.pending, .parked] {
      guard var row = try rows.change(of: record.number, state: state), row.kept != nil else {
        continue
      }
      try row.dropKept(fields)
      try rows.put(row)
    }
  }

  /// An edit of an object whose change has failed tries again with both; a deletion does away with what
  /// was parked or failed.
  ///
  /// What was lost with a deleted record stays lost: its values are not those of the object that is there now.
  /// The log has them when that is deleted.
  private func dropOrRevive(
    _ record: RecordRow, _ change: LocalChange, _ run: HistoryRun
  ) throws {
    for state in [ChangeRow.State.parked, .failed] {
      guard let found = try rows.change(of: record.number, state: state) else { continue }
      let row = try rows.single(record.number, of: found)
      if change.kind == .delete {
        if row.code == SyncFailureCode.deletedRemotely {
          try rows.log(discarded: record, try row.kept?.fields(), at: run.time.milliseconds)
        }
        try rows.deleteChange(row.number)
      } else if state == .failed, row.code != SyncFailureCode.deletedRemotely {
        var revived = row
        (revived.code, revived.reason, revived.retry, revived.attempts) = (nil, nil, 0, 0)
        try rows.unpark(revived)
      } else if state == .parked, row.kept != nil {
        var waiting = row
        try waiting.dropKept(change.edits.map(\.name))
        try rows.put(waiting)
      }
    }
  }
}

extension HistoryRun {
  /// What tells a deletion that made two equal objects one from one that a user made.
  fileprivate func isOfUnifying(_ change: LocalChange) -> Bool {
    change.kind == .delete && author == Unifier.author
  }
}
