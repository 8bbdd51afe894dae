import DataModel
import RecordWire
import SQLiteDriver
import SyncCore

/// Takes in the answer to a push: what arrived becomes the base, what did not stays what it was, and
/// each failure has its consequence.
struct PushAnswer {
  /// How often a change is tried again that the server neither takes nor refuses for good.
  static let attemptsMax: Int64 = 8

  let rows: SyncRows
  let objects: ObjectRecords
  let now: Int64
  private(set) var tally = SyncTally()
  private(set) var fates: [ChangeFate] = []
  /// The records that the server has in another state.
  private(set) var lookUps: [String] = []
  private(set) var lacks: [SchemaLack] = []
  /// How many were refused since another one was.
  private(set) var innocents = 0
  private(set) var isZoneGone = false
  private(set) var isQuotaExceeded = false
  private(set) var signIn: RequestFailure?
  /// Whether the server failed at something, so that nobody knows what it did.
  private var mayHaveArrived = false
  /// A run of new records that is confirmed from its front on, which is written when all of them are.
  private var shortenedRun: ChangeRow?
  /// The least that the server asks to wait, in milliseconds; nil for nothing.
  private(set) var retryAfter: Int64?

  /// The requests beside the one that is answered.
  private let otherFlights: OtherFlights

  /// Prepares to take in the answer to `batch`.
  init(_ rows: SyncRows, _ objects: ObjectRecords, to batch: PushBatch, now: Int64) {
    self.rows = rows
    self.objects = objects
    self.now = now
    otherFlights = OtherFlights(rows, than: batch.flight)
  }

  /// Takes in the results of a batch, which stand in the order of its items.
  mutating func take(_ response: RecordsResponse, to batch: PushBatch) throws {
    guard response.records.count == batch.items.count else {
      throw SyncError(
        .badAnswer, "records/modify",
        "answers \(response.records.count) results to \(batch.items.count) operations",
        fix: "see whether something between here and the server changes answers")
    }
    // An atomic batch has failed as a whole, whatever stands beside the culprits.
    for (item, result) in zip(batch.items, response.records) {
      switch result {
      case .record(let record): try confirm(item, record)
      case .failure(let failure):
        try writeShortenedRun()
        try refuse(item, failure.failure)
      }
    }
    try writeShortenedRun()
    if !mayHaveArrived { try rows.deleteFlight(batch.flight) }
  }

  /// Takes back that a batch may have arrived: the server has said that it did not.
  func takeBack(_ batch: PushBatch) throws {
    for item in batch.items { try didNotArrive(item) }
    try rows.deleteFlight(batch.flight)
  }
}

extension PushAnswer {
  private mutating func confirm(_ item: PushItem, _ answer: Record) throws {
    tally.pushed += 1
    fates.append(ChangeFate(item.record, .sent))
    guard item.kind != .delete else {
      try writeShortenedRun()
      return try confirmDeletion(item)
    }
    let base = BaseRow(
      tag: answer.changeTag, modified: answer.modified?.timestamp ?? now, fields: item.state)
    try rows.setBase(base, of: item.record, was: try rows.base(of: item.record.number))
    try endWaiting(item)
    if item.hasFiles { try rows.forgetFiles(of: item.record.number, but: item.state.fields()) }
    if item.kind == .create, shorten(by: item.record.number) { return }
    try writeShortenedRun()
    guard var row = try rows.change(of: item.record.number, state: .pending) else { return }
    if item.kind == .create && row.change.kind == .create && row.change.edits.isEmpty {
      if row.count == 1 || row.record != item.record.number {
        return try rows.deleteChange(try rows.single(item.record.number, of: row).number)
      }
      shortenedRun = row
      _ = shorten(by: item.record.number)
      return
    }
    row = try rows.single(item.record.number, of: row)
    if row.change.kind == .delete {
      row.change.mayHaveArrived = false
      return try rows.put(row)
    }
    // What was edited while this was on its way is on top of it now.
    let edits = row.change.edits.filter { edit in
      row.change.kind == .create || !item.sends(edit)
    }
    if edits.isEmpty { return try rows.deleteChange(row.number) }
    row.change = LocalChange(.update, edits: edits)
    (row.attempts, row.retry) = (0, 0)
    try rows.put(row)
  }

  /// What the server's record refers to no more need not come back: nothing waits for it.
  private func endWaiting(_ item: PushItem) throws {
    let emptied = item.edits.filter { $0.value == .null }
    if emptied.isEmpty { return }
    // NB: the edits of a record that is no object here have no values, which are with its change; the record has them.
    let fields = try item.state.fields()
    for edit in emptied where fields[edit.name].map({ $0.value == .null }) ?? true {
      try rows.deleteWaiting(record: item.record.number, field: edit.name)
    }
  }

  /// Takes the first record out of the run of new ones that is being confirmed; false where it is another.
  private mutating func shorten(by record: Int64) -> Bool {
    guard var row = shortenedRun, row.count > 0, row.record == record else { return false }
    row.record += 1
    row.count -= 1
    shortenedRun = row
    return true
  }

  /// Writes what is left of a run.
  private mutating func writeShortenedRun() throws {
    guard let row = shortenedRun else { return }
    shortenedRun = nil
    if row.count == 0 { return try rows.deleteChange(row.number) }
    try rows.run(
      "UPDATE contrail_sync_change SET record = ?2, count = ?3 WHERE number = ?1", row.number,
      row.record, row.count)
  }

  private func confirmDeletion(_ item: PushItem) throws {
    if let row = try rows.change(of: item.record.number, state: .pending) {
      // The name may be in use again by now.
      guard row.change.kind == .delete else {
        var row = try rows.single(item.record.number, of: row)
        row.change.kind = .create
        row.change.isAnew = false
        row.change.mayHaveArrived = false
        try rows.put(row)
        return try rows.setBase(
          nil, of: item.record, was: try rows.base(of: item.record.number))
      }
      try rows.deleteChange(row.number)
    }
    try rows.setBase(nil, of: item.record, was: try rows.base(of: item.record.number))
    try rows.deleteRecord(item.record.number)
  }

  private mutating func refuse(_ item: PushItem, _ failure: RequestFailure) throws {
    if let seconds = failure.retryAfter {
      retryAfter = max(retryAfter ?? 0, Backoff.milliseconds(askedFor: seconds))
    }
    switch ItemConsequence(failure, isDeletion: item.kind == .delete) {
    case .isDone:
      tally.pushed += 1
      fates.append(ChangeFate(item.record, .sent))
      try confirmDeletion(item)
    case .lookUp:
      try didNotArrive(item)
      lookUps.append(item.record.name)
    case .isInnocent:
      try didNotArrive(item)
      innocents += 1
    case .park(let lack):
      try didNotArrive(item)
      guard item.sends(lack) else { return try fail(item, failure.code.rawValue, failure.reason) }
      if !lacks.contains(lack) { lacks.append(lack) }
    case .wait:
      if failure.isDefinite { try didNotArrive(item) } else { mayHaveArrived = true }
      try postpone(item, failure)
    case .fail:
      try didNotArrive(item)
      // Perhaps the server takes a receipt no more: then the files are sent again, once.
      if item.hasFiles, try rows.forgetReceipts(of: item.record.number), try isFirst(item) {
        return try postpone(item, failure)
      }
      try fail(item, failure.code.rawValue, failure.reason)
    case .zoneGone:
      try didNotArrive(item)
      isZoneGone = true
    case .quota:
      try didNotArrive(item)
      try fail(item, failure.code.rawValue, failure.reason, mayGoAgain: false)
      isQuotaExceeded = true
    case .signIn:
      try didNotArrive(item)
      signIn = failure
    }
  }

  /// The server has said that it did not take it.
  ///
  /// An earlier attempt of which nobody knows may have been taken all the same.
  private func didNotArrive(_ item: PushItem) throws {
    guard let row = try rows.change(of: item.record.number, state: .pending),
      row.change.mayHaveArrived, try !otherFlights.hold(item.record.name)
    else { return }
    var own = try rows.single(item.record.number, of: row)
    own.change.mayHaveArrived = false
    try rows.put(own)
  }

  private func isFirst(_ item: PushItem) throws -> Bool {
    try rows.change(of: item.record.number, state: .pending)?.attempts == 0
  }

  private mutating func postpone(_ item: PushItem, _ failure: RequestFailure) throws {
    guard let row = try rows.ownChange(of: item.record.number) else { return }
    let outcome = try rows.postpone(row, failure, retryAfter: retryAfter, at: now)
    if let outcome { fates.append(ChangeFate(item.record, outcome)) }
  }

  private mutating func fail(
    _ item: PushItem, _ code: String, _ reason: String, mayGoAgain: Bool = true
  ) throws {
    guard let row = try rows.ownChange(of: item.record.number),
      // What was deleted while an edit was on its way, or made anew, was not refused: it was not sent yet.
      (row.change.kind == .delete) == (item.kind == .delete)
    else { return }
    if mayGoAgain, try isEditedSince(row, item) { return }
    fates.append(ChangeFate(item.record, try rows.fail(row, code, reason)))
  }

  /// Whether more of a record was edited while this was on its way: both are tried together, since a device sends
  /// its edits in their order; so often only.
  private func isEditedSince(_ row: ChangeRow, _ item: PushItem) throws -> Bool {
    guard row.last != item.last, row.attempts + 1 < Self.attemptsMax else { return false }
    var again = row
    again.attempts += 1
    try rows.put(again)
    return true
  }
}

/// The records in requests of which nobody knows whether they arrived, beside one; read once, when it is
/// needed.
private final class OtherFlights {
  private let rows: SyncRows
  private let own: Int64
  private var names: Set<[UInt8]>?

  init(_ rows: SyncRows, than own: Int64) {
    self.rows = rows
    self.own = own
  }

  func hold(_ name: String) throws -> Bool {
    if names == nil {
      var found: Set<[UInt8]> = []
      for flight in try rows.flights() where flight.number != own {
        for operation in flight.request.operations {
          if let name = operation.record.recordName { found.insert(Array(name.utf8)) }
        }
      }
      names = found
    }
    return names?.contains(Array(name.utf8)) ?? false
  }
}

extension RequestFailure {
  /// Whether it says that nothing was done; a server that failed, or says what nobody knows, may have done it.
  fileprivate var isDefinite: Bool {
    code != .internalError && code.row != nil
  }
}
