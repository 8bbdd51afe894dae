import DataModel
import JSONStream
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

/// Makes one object of two that have the same natural key, as a user would: what comes of it is an edit of
/// the one, and a deletion of the other, which are sent like any.
struct Unifier {
  /// Who changes a store when two objects become one: unlike an import that is sent.
  static let author = "contrail.unify"

  let rows: SyncRows
  let objects: ObjectRecords
  let configuration: SyncConfiguration
  let device: DeviceNumber
  let now: Int64
  let store: Store
  private let transaction: WriteTransaction
  let local: LocalRecords
  let writers: ObjectWriters
  private(set) var reports: [SyncReport] = []
  /// The names of the records whose objects became others.
  private var dropped: Set<String> = []

  init(
    _ transaction: WriteTransaction, _ objects: ObjectRecords, _ store: Store,
    _ configuration: SyncConfiguration, device: DeviceNumber, now: Int64
  ) {
    self.transaction = transaction
    self.objects = objects
    self.store = store
    self.configuration = configuration
    self.device = device
    self.now = now
    rows = SyncRows(connection: transaction.connection)
    local = LocalRecords(rows, objects, files: store)
    writers = ObjectWriters(transaction, objects)
  }

  /// Gives `winner` what is newer of `loser`, and whatever refers to that, and deletes it.
  ///
  /// With `isGone` the server has no such record any more, so that nothing of it is sent.
  mutating func unify(_ loser: RecordRow, into winner: RecordRow, isGone: Bool) throws {
    guard case .object(let entity, let loserKey) = loser.owner,
      case .object(entity, let winnerKey) = winner.owner,
      let type = objects.objectType(number: entity),
      var union = try union(loser, winner, type)
    else { return }
    let from = ObjectKey(entity: entity, key: loserKey)
    for file in union.files where try !copy(file, of: loser, from, to: winner, winnerKey, type) {
      union.leave(file)
    }
    try movePairs(from: loserKey, to: winnerKey, type)
    try moveReferences(from: loserKey, to: winnerKey, type)
    try rows.noteReplacement(of: loser, by: winner)
    if isGone { try forget(loser) }
    try rows.noteInherited(union.edits, of: winner.number)
    _ = try writers.writer(type).update(winnerKey, union.values) { name, _ in try object(name) }
    // What the winner waited for gives way to what it has now.
    for edit in union.edits where objects.hasFiles {
      try rows.forgetAwaitedFile(winner.number, edit.name)
    }
    _ = try writers.writer(type).delete(loserKey)
    reports.append(.unified(kept: winner.name, dropped: loser.name))
    dropped.insert(loser.name)
    try rows.log(
      .unified, winner.name,
      [
        "type": .string(winner.type), "dropped": .string(loser.name),
        "lost": try .fields(union.lost), "replaced": try .fields(union.replaced),
      ], at: now)
  }

  /// Whether a record's object has become another one already, or is about to go.
  func isDropped(_ record: RecordRow) throws -> Bool {
    try dropped.contains(record.name) || rows.isDeletedHere(record.number)
  }

  private func object(_ name: String) throws -> ObjectKey? {
    guard let zone = try rows.zones().first,
      case .object(let entity, let key)? = try rows.record(named: name, zone: zone.number)?.owner
    else { return nil }
    return ObjectKey(entity: entity, key: key)
  }

  /// The server has no such record any more: what was done to it here is in the winner now.
  private func forget(_ record: RecordRow) throws {
    for state in ChangeRow.State.allCases {
      guard let change = try rows.change(of: record.number, state: state) else { continue }
      try rows.deleteChange(try rows.single(record.number, of: change).number)
    }
    try rows.setBase(nil, of: record, was: try rows.base(of: record.number))
    try rows.deleteRecord(record.number)
  }
}

extension Unifier {
  /// What the winner takes, and the values that are in neither any more.
  private struct Union {
    var values = RecordFields()
    var files: [FileField] = []
    var edits: [LocalEdit] = []
    var lost = RecordFields()
    var replaced = RecordFields()

    mutating func take(_ value: RecordValue, _ field: String, at clock: FieldClock) {
      values[field] = RecordField(value)
      edits.append(.inheriting(clock, field))
    }

    /// Leaves a file where it was: it cannot be taken.
    mutating func leave(_ file: FileField) {
      let names = [file.field] + (file.plainField.map { [$0] } ?? [])
      edits.removeAll { edit in names.contains { $0.isSameName(edit.name) } }
      for name in names { replaced[name] = nil }
      lost[file.field] = RecordField(.string("the file is gone"))
    }

    /// Takes what is in either of two fields, or a file.
    mutating func take(_ value: UnifiedValue, _ place: FieldPlace, at clock: FieldClock) {
      if let file = value.file {
        files.append(file)
      } else {
        values[place.name] = RecordField(value.value)
      }
      edits += place.fieldNames.map { .inheriting(clock, $0) }
    }
  }

  /// Field by field the later edit; a value wins over none.
  private func union(
    _ loser: RecordRow, _ winner: RecordRow, _ type: ObjectType
  ) throws -> Union? {
    guard let ours = try local.fields(of: loser), let theirs = try local.fields(of: winner) else {
      return nil
    }
    let (clocks, others) = (try clocks(of: loser), try clocks(of: winner))
    var union = Union()
    for place in type.places where place.isUnified(in: type) {
      let (own, other) = (UnifiedValue(place, in: ours), UnifiedValue(place, in: theirs))
      let (value, name) = (own.value, place.name)
      if case .null = value { continue }
      if value.isSame(as: other.value) || value.isSame(as: .string(winner.name)) { continue }
      let conflict = FieldConflict(
        name: name, base: .null, local: value, server: other.value, localClock: clocks[name],
        serverClock: others[name])
      let result = own.choice(
        of: rule(of: name, type, over: other.value).value(for: conflict), beside: other)
      if result?.value.isSame(as: value) != true { union.lost[own.field] = RecordField(value) }
      guard let result else { continue }
      union.take(
        result, place,
        at: result.value.isSame(as: value) && others[name] < clocks[name]
          ? clocks[name] : max(clocks[name], others[name]).next)
      if let order = type.orderField(of: name), let place = ours.fields[order] {
        union.take(place.value, order, at: max(clocks[order], others[order]).next)
      }
      if other.value != .null { union.replaced[other.field] = RecordField(other.value) }
    }
    return union
  }

  /// How two values of the same field become one.
  private func rule(of field: String, _ type: ObjectType, over other: RecordValue) -> MergeRule {
    if case .null = other { return .client }
    let rule = configuration.rules[type.recordType]?[field] ?? type.mergeRule(of: field)
    // Several devices may do this at once: a sum would count twice.
    if case .counter = rule { return .lastEdit }
    return rule
  }

  private func clocks(of record: RecordRow) throws -> UnifiedClocks {
    let base = try rows.base(of: record.number).map {
      objects.state(try $0.fields.fields(), modified: $0.modified)
    }
    let changes = try ChangeRow.State.allCases.compactMap {
      try rows.change(of: record.number, state: $0)
    }
    return UnifiedClocks(
      base: base, changes: changes, noted: try rows.inherited(of: record.number), device: device)
  }
}

/// When the fields of a record were edited: here, or before the server confirmed them.
private struct UnifiedClocks {
  let base: RecordState?
  let changes: [ChangeRow]
  /// What it has taken of others in the same transaction.
  let noted: [LocalEdit]
  let device: DeviceNumber

  subscript(field: String) -> FieldClock {
    var times: [FieldClock] = []
    for row in changes {
      if row.change.kind == .create { times.append(FieldClock(row.clock, device)) }
      times += row.change.edits.filter { $0.name.utf8.elementsEqual(field.utf8) }.map(\.clock)
    }
    times += noted.filter { $0.name.isSameName(field) }.map(\.clock)
    if let base { times.append(base.clocks?[field] ?? FieldClock(base.modified, .unknown)) }
    return times.max() ?? FieldClock(.origin, .unknown)
  }
}

extension FieldPlace {
  /// Whether two objects' values of a field become one: places in orders go with their references, and the
  /// parts of the key are the same.
  fileprivate func isUnified(in type: ObjectType) -> Bool {
    if slot < 0 || type.naturalKey.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
      return false
    }
    if case .order = kind { return false }
    return true
  }
}

extension Unifier {
  /// Whatever refers to the loser refers to the winner; partners of one-to-one relationships are values of
  /// the loser's own.
  private func moveReferences(from loser: Int64, to winner: Int64, _ type: ObjectType) throws {
    let target = ObjectKey(entity: type.number, key: winner)
    for reference in objects.references(to: type) {
      for key in try reference.holders(of: loser, rows.connection) {
        let owner = RecordRow.Owner.object(entity: reference.type.number, key: key)
        let field = reference.place.name
        if let holder = try rows.record(of: owner) {
          let clock = try clocks(of: holder)[field]
          try rows.noteInherited([.inheriting(clock.next, field)], of: holder.number)
        }
        try writers.writer(reference.type).setTarget(field, of: key, to: target)
      }
    }
  }

  /// The loser's pairs become the winner's.
  private func movePairs(from loser: Int64, to winner: Int64, _ type: ObjectType) throws {
    for edges in objects.edgeTypes {
      for isSource in [true, false] where edges.mayHold(type.number, isSource: isSource) {
        for pair in try edges.pairs(of: loser, isSource: isSource, in: rows.connection) {
          try edges.part(source: pair.source.key, target: pair.target.key, in: transaction)
          var moved = pair
          if edges.isEnd(pair.source, loser, type) { moved.source.key = winner }
          if edges.isEnd(pair.target, loser, type) { moved.target.key = winner }
          let isThere =
            try edges.pair(
              source: moved.source.key, target: moved.target.key, in: rows.connection) != nil
          if !isThere { try edges.join(moved, in: transaction) }
        }
      }
    }
  }
}

extension EdgeType {
  /// The pairs that an object stands in, in the table's column `source`, or else `target`.
  fileprivate func pairs(
    of key: Int64, isSource: Bool, in connection: Connection
  ) throws(SQLiteError) -> [EdgePair] {
    let side = MappedEdge.Side.allCases.first { isAt($0, isSource: isSource) } ?? .source
    return try pairs(of: key, at: side, in: connection)
  }

  fileprivate func isEnd(_ end: ObjectKey, _ key: Int64, _ type: ObjectType) -> Bool {
    end.key == key && end.entity == type.number
  }
}
