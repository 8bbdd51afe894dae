import ObjectStore
import SQLiteDriver
import SyncCore

// Objects with the same natural key become one: on every device the one whose record has the lesser name.
extension SyncSession {
  /// How many new or changed objects are looked up one by one; beyond that all objects are looked at.
  private static let candidatesMax = 1_000

  private var naturalKeys: [NaturalKey] { objects.objectTypes.compactMap(NaturalKey.init) }

  /// Up to where history may go as far as this is concerned; nil where nothing was looked at yet.
  func unifiedHistory(_ rows: SyncRows) throws -> Int64? {
    naturalKeys.isEmpty ? .max : try rows.integer(.unifiedTransaction)
  }

  /// Makes one of each two objects with the same key that came since it was done last; returns how many
  /// are gone.
  func unifyEqualObjects(_ now: Int64) throws -> Int {
    let keys = naturalKeys
    guard !keys.isEmpty, try read({ try unreadCursor($0) }) != nil else { return 0 }
    let reports = try store.write(author: Unifier.author) { transaction in
      var unifier = Unifier(transaction, objects, store, configuration, device: device, now: now)
      let rows = unifier.rows
      let next = try rows.connection.newestHistory()
      var isWhole = true
      for (loser, winner) in try equalObjects(keys, rows) {
        guard try rows.record(number: loser.number)?.owner == loser.owner,
          try rows.record(number: winner.number)?.owner == winner.owner,
          try !unifier.isDropped(loser), try !unifier.isDropped(winner),
          try !rows.isToBeHidden(loser), try !rows.isToBeHidden(winner)
        else { continue }
        if try unifier.waitsForFiles(loser) || unifier.waitsForFiles(winner) {
          isWhole = false
          continue
        }
        // The winner has to be on the server before the other one goes.
        if try rows.baseTag(of: winner.number) == nil, try rows.baseTag(of: loser.number) != nil {
          try sendIfLost(winner, rows, now)
          isWhole = false
          continue
        }
        try unifier.unify(loser, into: winner, isGone: false)
      }
      if isWhole {
        try rows.set(.unifiedTransaction, next.transaction)
        try rows.set(.unifiedChange, next.change)
      }
      return unifier.reports
    }
    for told in reports { report(told) }
    return reports.count
  }

  /// Has a record sent again that the server has lost, and that was kept here only.
  private func sendIfLost(_ record: RecordRow, _ rows: SyncRows, _ now: Int64) throws {
    guard try rows.base(of: record.number) != nil, try rows.ownChange(of: record.number) == nil
    else { return }
    try rows.put(rows.newChange(LocalChange(.update), of: record, clock(rows), now))
  }

  /// From where on history was not looked at; nil where there is nothing.
  private func unreadCursor(_ rows: SyncRows) throws -> HistoryCursor? {
    let cursor = HistoryCursor(
      transaction: try rows.integer(.unifiedTransaction) ?? -1,
      change: try rows.integer(.unifiedChange) ?? 0)
    return try rows.connection.newestHistory() == cursor ? nil : cursor
  }

  /// The records of equal objects, of each two first the one that goes; by the names of those that stay.
  private func equalObjects(
    _ keys: [NaturalKey], _ rows: SyncRows
  ) throws -> [(RecordRow, RecordRow)] {
    var pairs: [(loser: RecordRow, winner: RecordRow)] = []
    for (key, candidates) in zip(keys, try candidates(keys, rows)) where candidates != [] {
      for (one, other) in try key.equals(of: candidates, rows.connection) {
        guard let first = try rows.record(of: .object(entity: key.type.number, key: one)),
          let second = try rows.record(of: .object(entity: key.type.number, key: other))
        else { continue }
        let isFirst = first.name.precedes(second.name)
        pairs.append(isFirst ? (second, first) : (first, second))
      }
    }
    return pairs.sorted { one, other in
      one.winner.name.utf8.elementsEqual(other.winner.name.utf8)
        ? one.loser.name.precedes(other.loser.name)
        : one.winner.name.precedes(other.winner.name)
    }.map { ($0.loser, $0.winner) }
  }

  /// The objects of each key's entity that are new or have another key; nil for all.
  private func candidates(_ keys: [NaturalKey], _ rows: SyncRows) throws -> [[Int64]?] {
    guard let cursor = try unreadCursor(rows), cursor.transaction >= 0 else {
      return keys.map { _ in nil }
    }
    var found: [Int: [Int64]] = [:]
    let byEntity = Dictionary(
      keys.map { ($0.type.number, $0.properties) }, uniquingKeysWith: { first, _ in first })
    _ = try rows.connection.readHistory(from: cursor, objectsMax: .max) { run in
      guard let properties = byEntity[run.entity], run.kind != .delete,
        found[run.entity]?.count ?? 0 <= Self.candidatesMax,
        run.kind == .insert || !properties.isDisjoint(with: run.properties)
      else { return }
      let count = min(run.count, Int64(Self.candidatesMax) + 1)
      found[run.entity, default: []] += Array(run.key..<run.key + count)
    }
    return keys.map { key in
      let candidates = found[key.type.number] ?? []
      return candidates.count > Self.candidatesMax ? nil : candidates
    }
  }
}

// A record with a natural key that was deleted elsewhere may have become another one there, whose record may
// come later: so it stays until all was read.
extension SyncSession {
  func endHeldDeletions(_ now: Int64) throws {
    guard try read({ try $0.integer(.heldDeletions) }) == 1 else { return }
    var twins: [(loser: RecordRow, winner: RecordRow)] = []
    var receiver: Receiver?
    try write { transaction, rows in
      let zone = try self.zone(rows)
      try takeIn(rows, zone, now)
      receiver = try self.receiver(transaction, rows, zone, now)
      twins = try receiver?.endHeldDeletions() ?? []
      try keep(receiver, rows)
      if twins.isEmpty { try rows.set(.heldDeletions, 0) }
    }
    tell(receiver)
    if twins.isEmpty { return }
    let reports = try store.write(author: Unifier.author) { transaction in
      var unifier = Unifier(transaction, objects, store, configuration, device: device, now: now)
      for (loser, winner) in twins { try unifier.unify(loser, into: winner, isGone: true) }
      // One whose twin went in between stays, and is looked at again.
      let isDone = try !unifier.rows.allWaiting().contains { $0.field == WaitingRow.deletion }
      if isDone { try unifier.rows.set(.heldDeletions, 0) }
      return unifier.reports
    }
    for told in reports { report(told) }
  }
}

extension WaitingRow {
  /// No field: the record itself waits to be deleted.
  static let deletion = ""
  /// No field: the record's object waits to be hidden.
  static let hiding = "<"
  /// What stands before a name where a field would be: the record is what the record of that name, the
  /// target, became.
  ///
  /// No field has such a name.
  static let replacementMark = "="

  static func replacement(of name: String, by record: Int64) -> WaitingRow {
    WaitingRow(record: record, field: replacementMark + name, target: name)
  }

  var isReplacement: Bool { field.hasPrefix(Self.replacementMark) }

  /// Whether it is the record itself that waits for something.
  var isOfRecord: Bool { field == Self.deletion || field == Self.hiding }

  /// Whether it is a field that waits.
  var isReference: Bool { !isOfRecord && !isReplacement }
}

extension Receiver {
  /// Puts off the deletion of a record with a natural key; false for any other.
  mutating func hold(_ row: RecordRow) throws -> Bool {
    guard case .object(let entity, _) = row.owner,
      let type = objects.objectType(number: entity), !type.naturalKey.isEmpty,
      try !rows.isDeletedHere(row.number)
    else { return false }
    try rows.wait(
      WaitingRow(record: row.number, field: WaitingRow.deletion, target: row.name))
    try rows.set(.heldDeletions, 1)
    return true
  }

  /// Deletes what was put off and has no twin; returns the others with theirs.
  fileprivate mutating func endHeldDeletions() throws -> [(loser: RecordRow, winner: RecordRow)] {
    let held = try rows.allWaiting().filter { $0.field == WaitingRow.deletion }
      .compactMap { try rows.record(number: $0.record) }
    var twins: [(loser: RecordRow, winner: RecordRow)] = []
    for type in objects.objectTypes {
      let own = held.filter { $0.key(in: type) != nil }
      guard !own.isEmpty, let key = NaturalKey(type) else { continue }
      twins += try self.twins(of: own, key)
    }
    let losers = Set(twins.map(\.loser.number))
    for row in held where !losers.contains(row.number) {
      try rows.deleteWaiting(record: row.number, field: WaitingRow.deletion)
      try takeCertainDeletion(row)
    }
    return twins
  }

  private func twins(
    of held: [RecordRow], _ key: NaturalKey
  ) throws -> [(loser: RecordRow, winner: RecordRow)] {
    var found: [Int64: RecordRow] = [:]
    let keys = held.compactMap { $0.key(in: key.type) }
    let numbers = Set(held.map(\.number))
    for (one, other) in try key.equals(of: keys, rows.connection) {
      let owner = RecordRow.Owner.object(entity: key.type.number, key: other)
      guard let twin = try rows.record(of: owner),
        !numbers.contains(twin.number), try !rows.isDeletedHere(twin.number)
      else { continue }
      if let best = found[one], best.name.precedes(twin.name) { continue }
      found[one] = twin
    }
    return held.compactMap { row in
      row.key(in: key.type).flatMap { found[$0] }.map { (row, $0) }
    }
  }
}

extension RecordRow {
  /// The key of the record's object, where that is of the type.
  fileprivate func key(in type: ObjectType) -> Int64? {
    if case .object(type.number, let key) = owner { key } else { nil }
  }
}
