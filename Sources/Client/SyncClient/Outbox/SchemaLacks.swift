import SQLiteDriver
import SyncCore

/// What production lacks of what this program would send, as the server has told it.
struct SchemaLacks: Hashable {
  private var types: [String: String] = [:]
  private var fields: [String: [String: String]] = [:]

  init(_ rows: [(type: String, field: String, reason: String)] = []) {
    for row in rows {
      if row.field.isEmpty {
        types[row.type] = row.reason
      } else {
        fields[row.type, default: [:]][row.field] = row.reason
      }
    }
  }

  var isEmpty: Bool { types.isEmpty && fields.isEmpty }

  /// Whether all is lacking still that others say.
  func covers(_ others: SchemaLacks) -> Bool {
    others.types.keys.allSatisfy { types[$0] != nil }
      && others.fields.allSatisfy { type, names in names.keys.allSatisfy { has(type, $0) } }
  }

  /// The reason why a type cannot be sent; nil where it can.
  func has(_ type: String) -> String? { types[type] }

  /// Whether a field cannot be sent.
  func has(_ type: String, _ field: String) -> Bool { fields[type]?[field] != nil }

  func reason(_ type: String, _ field: String) -> String? {
    fields[type]?[field] ?? types[type]
  }
}

extension SyncRows {
  /// How long to wait before a field is tried again whose lack nobody has looked up: doubled each time.
  private static let firstProbe: Int64 = 60_000
  private static let probeDoublingsMax: Int64 = 10
  /// When what is being tried again was to be: the next refusal says when it is to be the next time.
  private static let tried = Int64.min + 1

  /// What is known to be lacking; what is to be tried again by now counts as there.
  func lacks(now: Int64) throws(SQLiteError) -> SchemaLacks {
    SchemaLacks(try allLacks(triedAfter: now))
  }

  private func allLacks(
    triedAfter now: Int64 = .min
  ) throws(SQLiteError) -> [(type: String, field: String, reason: String)] {
    let statement = try connection.statement(
      "SELECT type, field, reason FROM contrail_sync_lack WHERE retry > ?1")
    defer { statement.reset() }
    statement.bind(1, now)
    var found: [(type: String, field: String, reason: String)] = []
    while try statement.step() {
      found.append((statement.text(0), statement.text(1), statement.text(2)))
    }
    return found
  }

  /// Notes that production lacks a type, or a field of it; `field` is empty for the type.
  ///
  /// Whoever was refused tries again later; whoever can look it up waits until it is there.
  func noteLack(
    _ type: String, _ field: String, _ reason: String, refusedAt now: Int64? = nil
  ) throws(SQLiteError) {
    let attempts = try attempts(type, field)
    let statement = try connection.statement(
      """
      INSERT OR REPLACE INTO contrail_sync_lack (type, field, reason, retry, attempts) \
      VALUES (?1, ?2, ?3, ?4, ?5)
      """)
    statement.bind(1, type)
    statement.bind(2, field)
    statement.bind(3, reason)
    let wait = Self.firstProbe << min(attempts, Self.probeDoublingsMax)
    statement.bind(4, now.map { $0 &+ wait } ?? .max)
    statement.bind(5, attempts + 1)
    try statement.run()
  }

  private func attempts(_ type: String, _ field: String) throws(SQLiteError) -> Int64 {
    let statement = try connection.statement(
      "SELECT attempts FROM contrail_sync_lack WHERE type = ?1 AND field = ?2")
    defer { statement.reset() }
    statement.bind(1, type)
    statement.bind(2, field)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Forgets what production lacked: what was parked is pending again.
  func forgetLacks() throws {
    try connection.execute("DELETE FROM contrail_sync_lack")
    try run("UPDATE contrail_sync_change SET reason = NULL WHERE state = 1")
    try unpark(but: SchemaLacks([]))
  }

  /// Takes what production lacks, as the server says it; what was parked for something else is pending again.
  ///
  /// What the server was not asked about, and has refused, is tried again in its time.
  func setLacks(
    _ lacks: [(type: String, field: String, reason: String)],
    isAsked: (_ type: String, _ field: String) -> Bool
  ) throws {
    let before = try allLacks()
    let refused = before.filter { !isAsked($0.type, $0.field) }
    let after = SchemaLacks(lacks + refused)
    for lack in before where isAsked(lack.type, lack.field) {
      try forgetLack(lack.type, lack.field)
    }
    for lack in lacks { try noteLack(lack.type, lack.field, lack.reason) }
    if !after.covers(SchemaLacks(before)) { try unpark(but: after) }
  }

  private func forgetLack(_ type: String, _ field: String) throws(SQLiteError) {
    let statement = try connection.statement(
      "DELETE FROM contrail_sync_lack WHERE type = ?1 AND field = ?2")
    statement.bind(1, type)
    statement.bind(2, field)
    try statement.run()
  }

  /// Makes pending what was parked for something that is to be tried again: also what was looked up once, and
  /// cannot be any more.
  func probeLacks(now: Int64) throws {
    try run("UPDATE contrail_sync_lack SET retry = ?1 WHERE retry = ?2", now, .max)
    try probeDueLacks(now: now)
  }

  /// Makes pending what was parked for something whose time has come.
  ///
  /// Whatever counts as there by then is pending: else a later edit would be sent, and not what waits for it.
  func probeDueLacks(now: Int64) throws {
    let isDue = try integer(
      "SELECT 1 FROM contrail_sync_lack WHERE retry > ?1 AND retry <= ?2 LIMIT 1", Self.tried, now)
    guard isDue != nil else { return }
    try run("UPDATE contrail_sync_lack SET retry = ?1 WHERE retry <= ?2", Self.tried, now)
    try unpark(but: lacks(now: now))
  }

  /// Whether something waits for a promotion.
  func hasParked() throws(SQLiteError) -> Bool {
    try integer("SELECT 1 FROM contrail_sync_change WHERE state = 1 LIMIT 1") != nil
  }

  /// Makes pending what was parked, but for what is lacking still.
  private func unpark(but lacks: SchemaLacks) throws {
    for parked in try changes(in: .parked, limit: .max) {
      let type = try record(number: parked.record)?.type ?? ""
      if lacks.has(type) != nil { continue }
      if try waitsForRecord(parked) { continue }
      let rest = parked.change.edits.filter { lacks.has(type, $0.name) }
      if parked.change.kind != .update || rest.isEmpty {
        try unpark(parked)
      } else if rest.count < parked.change.edits.count {
        var (kept, freed) = (parked, parked)
        kept.change.edits = rest
        try put(kept)
        freed.number = try nextChangeNumber()
        freed.change.edits.removeAll { lacks.has(type, $0.name) }
        try unpark(freed)
      }
    }
  }

  /// Whether the edit is of a record that could not be made, and goes with it from now on when that is tried again.
  ///
  /// Sent before, it would make the record behind the back of whoever has yet to say what becomes of the failure.
  private func waitsForRecord(_ parked: ChangeRow) throws -> Bool {
    guard parked.change.kind == .update, try baseTag(of: parked.record) == nil,
      let failed = try change(of: parked.record, state: .failed),
      failed.code != SyncFailureCode.deletedRemotely
    else { return false }
    // A new record is sent as a whole.
    if failed.change.kind != .create {
      var whole = try single(parked.record, of: failed)
      try whole.keepAlso(parked)
      whole.change = parked.change.followed(by: whole.change) ?? whole.change
      try put(whole)
    }
    try deleteChange(parked.number)
    return true
  }

  /// Makes a parked change pending, together with what is pending of the record already.
  func unpark(_ parked: ChangeRow) throws {
    if parked.count > 1, try hasPending(in: parked) {
      // Each record of a run by itself, since some have more to be sent.
      for record in parked.record..<parked.record + parked.count {
        guard let run = try change(of: record, state: .parked) else { continue }
        try unpark(try single(record, of: run))
      }
      return
    }
    guard var pending = try change(of: parked.record, state: .pending) else {
      // With its reason: where that is so still, it is no news.
      var row = parked
      row.state = .pending
      return try put(row)
    }
    pending = try single(parked.record, of: pending)
    try pending.keepAlso(parked)
    pending.change = parked.change.joined(with: pending.change)
    pending.last = max(pending.last, parked.last)
    try put(pending)
    try deleteChange(parked.number)
    try join(pending.unit, parked.unit)
  }
}

extension SyncRows {
  /// Whether something is pending of one of the records of a run.
  private func hasPending(in run: ChangeRow) throws(SQLiteError) -> Bool {
    // No two overlap: the last one that begins before the end is the one that may reach into it.
    let end = try integer(
      """
      SELECT record + count FROM contrail_sync_change WHERE state = 0 AND record < ?1 \
      ORDER BY record DESC LIMIT 1
      """, run.record + run.count)
    return end.map { $0 > run.record } ?? false
  }
}

extension LocalChange {
  /// What was parked, and what is pending and was done later; a new record stays a new record.
  func joined(with pending: LocalChange) -> LocalChange {
    if pending.kind == .create {
      // One that was never sent is sent as a whole.
      if !pending.mayHaveArrived { return pending }
      let rest = LocalChange(.update, edits: pending.edits)
      return LocalChange(.create, edits: edits, mayHaveArrived: pending.mayHaveArrived)
        .followed(by: rest) ?? pending
    }
    var all = followed(by: pending) ?? pending
    all.mayHaveArrived = mayHaveArrived || pending.mayHaveArrived
    return all
  }
}
