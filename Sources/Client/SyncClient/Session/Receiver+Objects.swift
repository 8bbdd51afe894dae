import DataModel
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

/// The writers of one transaction, by entity.
final class ObjectWriters {
  private let transaction: WriteTransaction
  private let objects: ObjectRecords
  private var writers: [Int: ObjectWriter] = [:]

  init(_ transaction: WriteTransaction, _ objects: ObjectRecords) {
    self.transaction = transaction
    self.objects = objects
  }

  func writer(_ type: ObjectType) throws -> ObjectWriter {
    if let writer = writers[type.number] { return writer }
    let writer = ObjectWriter(type, of: objects, transaction)
    writers[type.number] = writer
    return writer
  }

  func writer(entity: Int) throws -> ObjectWriter? {
    try objects.objectType(number: entity).map(writer)
  }
}

extension Receiver {
  /// The names of a pair's ends among references that wait.
  private enum PairEnd {
    static let source = "source"
    static let target = "target"
  }

  /// Makes the object, or the pair, that a record stands for; one that nobody here knows stays a record.
  mutating func insert(_ row: RecordRow, _ fields: RecordFields) throws {
    tally.pulled += 1
    if objects.isEdge(recordType: row.type) { return try join(row, fields) }
    guard let type = objects.objectType(recordType: row.type, fields: fields),
      !isTooNew(type, fields)
    else { return }
    // Another object may have been there.
    if type.hasFiles, row.owner != .none { try rows.forgetEarlierValues(of: row.number) }
    var values = fields
    try settlePartners(&values, row, type)
    let imported = try writers.writer(type).insert(values) { name, _ in try object(name) }
    try rows.setOwner(.object(entity: type.number, key: imported.key), of: row.number)
    try note(imported, row)
    try resolve(row, ObjectKey(entity: type.number, key: imported.key))
  }

  /// Makes what was deleted here anew, as the server has it: news of it would find nothing to change.
  mutating func bringBack(_ row: RecordRow, _ base: BaseRow) throws {
    // What it was here is gone: who waits for it, as a pair for its ends, has to find that; and what it waited for
    // then is not what it refers to now.
    try rows.setOwner(.none, of: row.number)
    try rows.deleteWaitingReferences(of: row.number)
    try insert(row, try rows.overlaid(try base.fields.fields(), of: row))
  }

  /// Gives an object what was taken of its record's news; `before` is what is known of what it has.
  mutating func update(
    _ row: RecordRow, _ taken: [RecordMerge.Taken], _ fields: RecordFields,
    _ before: ValuesBefore? = nil
  ) throws {
    tally.pulled += 1
    switch row.owner {
    case .object(let entity, let key):
      guard let writer = try writers.writer(entity: entity) else { return }
      if isTooNew(writer.type, fields), try hide(row) { return }
      for field in taken { try rows.deleteWaiting(record: row.number, field: field.name) }
      var values = RecordFields(taken.map { ($0.name, RecordField($0.value)) })
      if writer.type.hasFiles {
        try noteEarlierValues(before: values, writer.type, fields, of: row, before)
        try prepareFiles(&values, writer.type, fields, of: row)
      }
      try addPlaces(to: &values, writer.type, fields, of: row)
      try settlePartners(&values, row, writer.type)
      guard let imported = try writer.update(key, values, target: { name, _ in try object(name) })
      else { return }
      try note(imported, row)
    case .pair: try join(row, fields)
    case .none: break
    }
  }

  mutating func delete(_ row: RecordRow) throws {
    switch row.owner {
    case .object(let entity, let key):
      try putOffReferences(to: row, entity, key)
      try rows.deleteWaitingReferences(of: row.number)
      let pairs = try endingPairs(entity, key)
      try writers.writer(entity: entity)?.delete(key)
      for pair in pairs { try part(pair, from: row) }
    case .pair(let property, let source, let target):
      try objects.edgeType(number: property)?.part(
        source: source, target: target, in: transaction)
    case .none: break
    }
  }

  /// References to an object that goes wait, as those do that come before their target: the server's records
  /// still have them, and its record may come back.
  ///
  /// Where no index leads to them that would be a look at a whole table for each object.
  private func putOffReferences(to row: RecordRow, _ entity: Int, _ key: Int64) throws {
    guard let type = objects.objectType(number: entity) else { return }
    for reference in objects.references(to: type) where reference.isIndexed {
      for holder in try reference.holders(of: key, rows.connection) {
        let owner = RecordRow.Owner.object(entity: reference.type.number, key: holder)
        guard let holder = try rows.record(of: owner), holder.number != row.number,
          try Partners(rows, objects, local).didConfirm(holder, name: row, in: reference.place.name)
        else { continue }
        try rows.wait(
          WaitingRow(record: holder.number, field: reference.place.name, target: row.name))
      }
    }
  }

  /// A pair whose end goes.
  private struct EndingPair {
    let row: RecordRow
    /// Which end it is that goes.
    let end: String
    /// What the pair is, where that was not sent; nil where the server knows.
    let unsent: RecordFields?
  }

  private func endingPairs(_ entity: Int, _ key: Int64) throws -> [EndingPair] {
    var pairs: [EndingPair] = []
    // Both ends of a pair may be the same object.
    var met: Set<Int64> = []
    for edges in objects.edgeTypes {
      for isSource in [true, false] where edges.mayHold(entity, isSource: isSource) {
        let end = isSource != edges.isFlipped ? PairEnd.source : PairEnd.target
        for row in try rows.pairRecords(property: edges.number, key: key, isSource: isSource)
        where met.insert(row.number).inserted {
          let isUnsent = try ChangeRow.State.allCases.contains { state in
            let kind = try rows.change(of: row.number, state: state)?.change.kind
            return kind.map { $0 != .delete } ?? false
          }
          let unsent = isUnsent ? try local.fields(of: row)?.fields : nil
          pairs.append(EndingPair(row: row, end: end, unsent: unsent))
        }
      }
    }
    return pairs
  }

  /// Parts a pair whose end goes: its record waits, as those do that come before their ends, and what was done to
  /// it here is of no use any more; the log has that.
  private mutating func part(_ ending: EndingPair, from target: RecordRow) throws {
    let pair = ending.row
    if try rows.ownChange(of: pair.number)?.change.kind == .delete { return }
    for state in ChangeRow.State.allCases {
      guard let change = try rows.change(of: pair.number, state: state) else { continue }
      try rows.deleteChange(try rows.single(pair.number, of: change).number)
      note(pair, .overruled(fields: []))
    }
    if let unsent = ending.unsent { try rows.log(discarded: pair, unsent, at: now) }
    let base = try rows.base(of: pair.number)
    // The server has never had it, or has lost it: nothing of it is left anywhere.
    guard let base, base.tag != nil else {
      try rows.setBase(nil, of: pair, was: base)
      return try rows.deleteRecord(pair.number)
    }
    try rows.setOwner(.none, of: pair.number)
    try rows.wait(WaitingRow(record: pair.number, field: ending.end, target: target.name))
  }

  /// Adds the places in orders that go with references, where the record did not change them: an object
  /// without the reference has no place.
  private func addPlaces(
    to values: inout RecordFields, _ type: ObjectType, _ fields: RecordFields, of row: RecordRow
  ) throws {
    let edited = try rows.change(of: row.number, state: .pending)?.change.edits.map(\.name) ?? []
    for name in values.names {
      guard values[name]?.value != .null, let place = type.orderField(of: name),
        values[place] == nil, !edited.contains(place), let field = fields[place]
      else { continue }
      values[place] = field
    }
  }

  /// Gives an object the place that its record says, once it has the reference that the place is of.
  private mutating func place(
    _ row: RecordRow, _ key: Int64, in reference: String, _ writer: ObjectWriter
  ) throws {
    guard writer.type.orderField(of: reference) != nil, let base = try rows.base(of: row.number)
    else { return }
    var values = RecordFields([(reference, RecordField(.string("")))])
    try addPlaces(to: &values, writer.type, try base.fields.fields(), of: row)
    values[reference] = nil
    if !values.isEmpty { _ = try writer.update(key, values) { _, _ in nil } }
  }

  private mutating func note(_ imported: ImportedObject, _ row: RecordRow) throws {
    for waiting in imported.waiting {
      try rows.wait(
        WaitingRow(record: row.number, field: waiting.field, target: waiting.target))
    }
    for file in imported.files { try rows.put(AwaitedFileRow(record: row.number, file)) }
    for field in imported.unfit {
      reports.append(.unfit(record: row.name, field: field.field, reason: "\(field)"))
    }
  }

  /// The object that has a record name; nil while it is not here.
  private func object(_ name: String) throws -> ObjectKey? {
    guard let row = try rows.record(named: name, zone: zone.number),
      case .object(let entity, let key) = row.owner
    else { return nil }
    // It is deleted here, and the server does not know yet: nothing can refer to it.
    if hasDeletions, try rows.isDeletedHere(row.number) { return nil }
    return ObjectKey(entity: entity, key: key)
  }

  /// Whether the object of a record name is here.
  func isHere(_ name: String) throws -> Bool { try object(name) != nil }

  /// Gives references that waited for an object what they waited for.
  private mutating func resolve(_ row: RecordRow, _ key: ObjectKey) throws {
    for waiting in try rows.waiting(for: row.name) where !waiting.isOfRecord {
      try rows.deleteWaiting(record: waiting.record, field: waiting.field)
      // What became another object is there again.
      if waiting.isReplacement { continue }
      guard let holder = try rows.record(number: waiting.record) else { continue }
      switch holder.owner {
      case .object(let entity, let holderKey):
        guard let writer = try writers.writer(entity: entity),
          try isReturned(waiting, of: holder)
        else { continue }
        let imported = try writer.setTarget(waiting.field, of: holderKey, to: key)
        if let imported { try note(imported, holder) }
        try place(holder, holderKey, in: waiting.field, writer)
      case .none:
        guard let base = try rows.base(of: holder.number) else { continue }
        try join(holder, try rows.overlaid(try base.fields.fields(), of: holder))
      case .pair: continue
      }
    }
  }

  /// Joins the objects of a pair's record, if both are here; else the record waits for who is not.
  private mutating func join(_ row: RecordRow, _ fields: RecordFields) throws {
    switch objects.edge(recordType: row.type, fields: fields) {
    case .unknown: return
    case .unfit(let unfit):
      for field in unfit {
        reports.append(.unfit(record: row.name, field: field.field, reason: "\(field)"))
      }
    case .edge(let type, let content):
      guard let source = try end(content.source, of: row, PairEnd.source),
        let target = try end(content.target, of: row, PairEnd.target)
      else { return }
      var pair = EdgePair(
        source: source, target: target, sourceOrder: content.sourceOrder,
        targetOrder: content.targetOrder)
      if type.pairs.isMirrored && target.key < source.key {
        pair = EdgePair(
          source: target, target: source, sourceOrder: content.targetOrder,
          targetOrder: content.sourceOrder)
      }
      try type.join(pair, in: transaction)
      let owner = RecordRow.Owner.pair(
        property: type.number, source: pair.source.key, target: pair.target.key)
      // Another record may stand for the pair already: then this one is its double, and no object.
      if try rows.record(of: owner) == nil { try rows.setOwner(owner, of: row.number) }
    }
  }

  private func end(_ name: String, of row: RecordRow, _ field: String) throws -> ObjectKey? {
    if let key = try object(name) { return key }
    try rows.wait(WaitingRow(record: row.number, field: field, target: name))
    return nil
  }
}
