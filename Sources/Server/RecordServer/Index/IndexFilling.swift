import DataModel
import RecordWire

/// Brings a storage's indexes to what the schema says, in steps that other writers wait for.
///
/// `begin` belongs into the transaction that stores the new schema: from then on each write has the
/// entries of the new schema, and a query that needs what is missing is asked to come again. Steps add
/// what records from before lack; each may be repeated without harm.
public struct IndexFilling {
  /// How many records a step looks at by default, a few milliseconds of work.
  public static let stepMax = 200

  private let schema: ResolvedSchema
  private let transaction: any StorageTransaction

  /// Prepares steps towards `schema`, which has to be the one that is stored.
  public init(_ schema: ResolvedSchema, in transaction: any StorageTransaction) {
    self.schema = schema
    self.transaction = transaction
  }

  /// Notes what a change of the schema leaves to do.
  ///
  /// Who has done the first step in the same transaction finds small containers complete at once.
  public func begin(_ work: IndexWork) throws {
    try drop(work)
    // What is left of deleted zones counts too: it costs a look at some records that need not be.
    let first = try transaction.records(after: 0, limit: 1)
    if first.records.isEmpty && first.isLast { return }
    for key in work.created where needsAbsent(key) || isSystem(key) {
      try transaction.setPendingIndex(key, PendingIndex(key, hasValues: !isSystem(key)))
    }
    for key in work.filled { try transaction.setPendingIndex(key, PendingIndex(key)) }
  }

  /// Does a part of what is to be done; says whether nothing is left.
  public func step(limit: Int = IndexFilling.stepMax) throws -> Bool {
    let pending = try transaction.pendingIndexes()
    guard let first = pending.first else {
      return try transaction.dropRetiredEntries(limit: limit)
    }
    // Indexes of one type that began together are filled together.
    let group = pending.filter {
      $0.key.type == first.key.type && $0.position == first.position
    }
    let batch = try transaction.records(after: first.position, limit: limit)
    if let type = schema.type(first.key.type) { try fill(batch, type) }
    for var index in group {
      index.position = batch.position
      try transaction.setPendingIndex(index.key, batch.isLast ? nil : index)
    }
    return false
  }

  private func fill(_ batch: RecordBatch, _ type: ResolvedType) throws {
    for found in batch.records where found.row.type == type.name && !found.row.isDeleted {
      let fields: RecordFields
      do { fields = try found.row.fields.fields() } catch { throw RequestFailure.damagedRecord }
      try transaction.setEntries(
        type.entries(of: found.row, fields, zone: found.zone.name),
        of: RecordKey(found.zone, found.row.name))
    }
  }

  /// Ends the slots that no index keeps any more.
  private func drop(_ work: IndexWork) throws {
    let fresh = Set(work.created).union(work.filled)
    for key in work.dropped {
      try transaction.setPendingIndex(key, nil)
      let field = schema.type(key.type)?.fields[key.field]
      let kept = RecordSchema.Indexes.named.map(\.index).filter { index in
        field?.indexes.contains(index) == true
          && !fresh.contains(IndexKey(type: key.type, field: key.field, index: index))
      }
      let kinds = field.map { IndexSlot.Kind.kept(of: $0.shape, by: RecordSchema.Indexes(kept)) }
      for kind in IndexSlot.Kind.allCases where kinds?.contains(kind) != true {
        try transaction.retire(IndexSlot(type: key.type, field: key.field, kind: kind))
      }
    }
  }

  /// Whether records from before a field was made need entries that say that they lack it.
  private func needsAbsent(_ key: IndexKey) -> Bool {
    guard key.index == .sortable, let field = schema.type(key.type)?.fields[key.field] else {
      return false
    }
    return IndexSlot.Kind.kept(of: field.shape, by: key.index).contains(.value)
  }

  /// Whether every record has a value, though the schema did not list the field.
  private func isSystem(_ key: IndexKey) -> Bool { key.field.hasPrefix("___") }
}
