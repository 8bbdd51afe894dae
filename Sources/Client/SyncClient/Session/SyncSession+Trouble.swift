import DataModel
import JSONStream
import ObjectStore
import RecordWire
import SQLiteDriver
package import SyncCore

// Trouble is written down when it is met, and stays until it is decided, or over.
extension SyncSession {
  func noteTrouble(_ result: StepResult, _ now: Int64) throws {
    let trouble: Trouble? =
      switch result {
      case .done(let facts): facts.trouble
      case .failed(.quota): .quotaExceeded
      case .failed, .unanswered, .broken: nil
      }
    guard let trouble else { return }
    try write { _, rows in
      try rows.log(trouble, at: now)
      try rows.set(.trouble, trouble.rawValue)
    }
  }

  /// Does what the configuration says about the trouble at hand.
  func beginResolving(_ now: Int64) throws -> Work {
    let trouble = try read { try $0.text(.trouble) }.flatMap(Trouble.init(rawValue:))
    guard let trouble, let policy = configuration.machine.policies[trouble] else {
      return .done(.done(StepFacts()))
    }
    try resolve(policy, now: now)
    return .done(.done(StepFacts()))
  }

  /// Does about the trouble at hand what `policy` says; the next pass goes on from there.
  package func resolve(_ policy: TroublePolicy, now: Int64) throws {
    try catchUp(now)
    try takeInAhead(now)
    (batch, lookUps) = (nil, [])
    var receiver: Receiver?
    try write { transaction, rows in
      guard let trouble = try rows.text(.trouble).flatMap(Trouble.init(rawValue:)) else {
        throw SyncError(
          .notFound, "the store", "has nothing that has to be decided", fix: "sync it")
      }
      guard policy != .ask else { return }
      try takeIn(rows, try zone(rows), now)
      receiver = try self.receiver(transaction, rows, try zone(rows), now)
      try resolve(trouble, policy, rows, &receiver)
      try keep(receiver, rows)
      try rows.set(.trouble, nil)
      try rows.log(
        .resolved, nil,
        ["trouble": .string(trouble.rawValue), "policy": .string(policy.rawValue)], at: now)
    }
    tell(receiver)
  }

  private func resolve(
    _ trouble: Trouble, _ policy: TroublePolicy, _ rows: SyncRows, _ receiver: inout Receiver?
  ) throws {
    switch trouble {
    case .accountSwitched:
      try rows.set(.account, nil)
      try leave(policy, rows, &receiver, mayBeBack: false)
    case .zoneDeleted, .zoneReset: try leave(policy, rows, &receiver, mayBeBack: true)
    // What the server lacks is known when everything was read again.
    case .serverRestored, .tokenExpired: try rows.set(.recovery, policy.rawValue)
    case .quotaExceeded: try receiver?.resolveQuota(policy)
    }
  }

  /// Nothing that the server had is there any more: all of it is dealt with, and sync begins anew.
  ///
  /// What was sent may have arrived all the same, in a zone that others had made by then.
  private func leave(
    _ policy: TroublePolicy, _ rows: SyncRows, _ receiver: inout Receiver?, mayBeBack: Bool
  ) throws {
    var last: Int64 = 0
    while case let numbers = try rows.confirmedRecords(after: last), let end = numbers.last {
      for number in numbers {
        guard let row = try rows.record(number: number) else { continue }
        try receiver?.recover(row, policy, mayBeBack: mayBeBack)
      }
      last = end
    }
    var zone = try self.zone(rows)
    (zone.token, zone.isMade, zone.refetch) = (nil, false, nil)
    try rows.put(zone)
    try rows.set(.lastToken, nil)
    // Some may only go when all was read: they may have become others.
    try rows.set(.recovery, policy == .deleteLocal && rows.hasBases() ? policy.rawValue : nil)
  }
}

extension SyncRows {
  /// How many records are looked at at a time.
  private static let confirmedMax: Int64 = 1_000

  /// The numbers of records that the server has confirmed, those after `last`.
  fileprivate func confirmedRecords(after last: Int64) throws(SQLiteError) -> [Int64] {
    let statement = try connection.statement(
      "SELECT record FROM contrail_sync_base WHERE record > ?1 ORDER BY record LIMIT ?2")
    defer { statement.reset() }
    statement.bind(1, last)
    statement.bind(2, Self.confirmedMax)
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(0)) }
    return numbers
  }
}

extension Receiver {
  /// Sends again what did not fit into the account's quota, leaves it, or gives it up.
  fileprivate mutating func resolveQuota(_ policy: TroublePolicy) throws {
    for change in try rows.changes(in: .failed, limit: .max)
    where change.code == ErrorCode.quotaExceeded.rawValue {
      switch policy {
      case .ask, .keepLocal: return
      case .reupload: try rows.retry(change)
      case .deleteLocal:
        for row in try rows.records(from: change.record, count: change.count) { try giveUp(row) }
      }
    }
  }

  /// Takes back what was done to a record here: its object is what the server has.
  private mutating func giveUp(_ row: RecordRow) throws {
    var given = try local.fields(of: row)?.fields
    for state in ChangeRow.State.allCases {
      guard let change = try rows.change(of: row.number, state: state) else { continue }
      if change.kept != nil { given = try change.withKept(given ?? RecordFields()) }
      try rows.deleteChange(try rows.single(row.number, of: change).number)
    }
    try rows.log(discarded: row, given, at: now)
    note(row, .discarded)
    guard let base = try rows.base(of: row.number) else {
      try delete(row)
      return try rows.deleteRecord(row.number)
    }
    let fields = try base.fields.fields()
    guard let read = try local.fields(of: row) else { return try bringBack(row, base) }
    let names = Set(read.fields.names).union(fields.names)
    let taken = names.sorted { $0.precedesInBytes($1) }.map { name in
      RecordMerge.Taken(name: name, value: fields[name]?.value ?? .null)
    }
    try update(row, taken, fields)
  }
}
