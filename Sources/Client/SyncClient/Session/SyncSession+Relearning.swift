import DataModel
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

// What an earlier version of the program did not know was kept with the records, and appears once the
// program knows it: nothing is fetched again.
extension SyncSession {
  /// How many records one transaction looks at, so that other writers are not kept waiting.
  private static let relearnedMax: Int64 = 1_000

  /// Brings objects up to a program that knows more than the one before: new fields, new types, and
  /// records that were made for later versions.
  ///
  /// It may end at any moment, and is done again then: what an object has already is not written.
  func relearn(now: Int64) throws {
    let known = KnownParts(objects, versionMax: configuration.versionMax)
    guard let before = try read({ try $0.text(.known) }).map(KnownParts.init) else {
      return try write { _, rows in try rows.set(.known, known.text) }
    }
    if before == known { return }
    var next: Int64 = sabotage.contains(.blindUpgrade) ? .max : 1
    while try relearn(from: &next, known.fields.subtracting(before.fields), now) {}
    try write { _, rows in try rows.set(.known, known.text) }
  }

  /// Looks at the next records; false when there are no more.
  private func relearn(
    from next: inout Int64, _ fresh: Set<KnownParts.Field>, _ now: Int64
  ) throws -> Bool {
    try write { transaction, rows in
      let last = try rows.nextRecordNumber()
      guard next < last else { return false }
      let zone = try self.zone(rows)
      try takeIn(rows, zone, now)
      var receiver = try self.receiver(transaction, rows, zone, now)
      let hasChanges = try rows.hasAny("contrail_sync_change")
      for row in try rows.records(from: next, count: Self.relearnedMax) {
        guard let base = try rows.base(of: row.number) else { continue }
        try receiver.relearn(row, try base.fields.fields(), fresh, hasChanges: hasChanges)
      }
      try keep(receiver, rows)
      next += Self.relearnedMax
      return true
    }
  }
}

extension Receiver {
  /// Gives an object what its record has in fields that are new to the program, and makes one of a
  /// record that was none so far.
  fileprivate mutating func relearn(
    _ row: RecordRow, _ fields: RecordFields, _ fresh: Set<KnownParts.Field>, hasChanges: Bool
  ) throws {
    switch row.owner {
    case .none:
      // Also where edits were lost with an earlier record of the name: what the server has now came after that.
      try insert(row, try hasChanges ? rows.overlaid(fields, of: row) : fields)
    case .object:
      let isFresh = { (name: String) in fresh.contains(KnownParts.Field(type: row.type, name: name))
      }
      guard fields.names.contains(where: isFresh) || hasChanges else { return }
      let changes = try [ChangeRow.State.pending, .parked].compactMap { state in
        try rows.change(of: row.number, state: state)
      }
      // What is kept by a change was not edited here since.
      let edited = try changes.flatMap { change in
        let kept = try change.keptNames()
        return change.change.edits.map(\.name).filter { !kept.contains($0) }
      }
      let known = try rows.overlaid(fields, of: row)
      let taken = known.entries.filter { isFresh($0.name) && !edited.contains($0.name) }
      if taken.isEmpty { return }
      try update(
        row, taken.map { RecordMerge.Taken(name: $0.name, value: $0.field.value) }, known)
    case .pair: break
    }
  }
}

/// What a program knows of records: types with their fields, and up to which version.
struct KnownParts: Hashable {
  /// A field of a record type.
  struct Field: Hashable {
    var type: String
    var name: String
  }

  var fields: Set<Field>
  var versionMax: Int64?

  init(_ objects: ObjectRecords, versionMax: Int64?) {
    fields = Set(
      objects.objectTypes.flatMap { type in
        type.places.map { Field(type: type.recordType, name: $0.name) } + [Self.meaning(of: type)]
      } + objects.edgeTypes.map { Field(type: $0.edge.recordType, name: "") })
    self.versionMax = versionMax
  }

  /// That records of a type may be objects of an entity, with versions in a field: what no field tells where the
  /// entity has none of its own, or has the same as before.
  private static func meaning(of type: ObjectType) -> Field {
    let entity = type.entity.replacing(" ", with: "_").replacing("\n", with: "_")
    return Field(type: type.recordType, name: "=\(entity):\(type.versionField ?? "")")
  }

  /// Reads what `text` wrote.
  init(text: String) {
    fields = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      if parts[0].isEmpty {
        versionMax = Int64(parts[1])
      } else {
        fields.insert(Field(type: String(parts[0]), name: String(parts[1])))
      }
    }
  }

  /// One field a line, and a line without a type for the version; names have no blanks.
  var text: String {
    let lines = fields.map { "\($0.type) \($0.name)" }.sorted { $0.precedesInBytes($1) }
    return (lines + (versionMax.map { [" \($0)"] } ?? [])).joined(separator: "\n")
  }
}
