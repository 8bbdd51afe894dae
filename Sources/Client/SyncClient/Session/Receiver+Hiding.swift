import DataModel
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

// Records that are made for later versions of the program: they are kept, and are no objects here.
extension Receiver {
  /// Whether a record is made for later versions of the program; one that tells none is of the lowest.
  func isTooNew(_ type: ObjectType, _ fields: RecordFields) -> Bool {
    guard let max = configuration.versionMax, let field = type.versionField,
      case .int64(let version)? = fields[field]?.value
    else { return false }
    return version > max
  }

  /// The record has become one for later versions: it stays, and is no object here any more.
  ///
  /// False where the object has to stay for now, since something that was done here would go with it.
  mutating func hide(_ row: RecordRow) throws -> Bool {
    guard case .object(let entity, let key) = row.owner,
      try !hasUnsent(row, entity, key)
    else {
      try rows.wait(WaitingRow(record: row.number, field: WaitingRow.hiding, target: row.name))
      try rows.set(.heldHidings, 1)
      return false
    }
    try delete(row)
    for awaited in try rows.awaitedFiles(of: row.number) {
      try rows.forgetAwaitedFile(row.number, awaited.field)
    }
    try rows.setOwner(.none, of: row.number)
    return true
  }

  /// Hides objects of which everything was sent.
  mutating func endHidings() throws {
    guard try rows.integer(.heldHidings) == 1 else { return }
    var areLeft = false
    for waiting in try rows.allWaiting() where waiting.field == WaitingRow.hiding {
      try rows.deleteWaiting(record: waiting.record, field: WaitingRow.hiding)
      guard let row = try rows.record(number: waiting.record),
        case .object(let entity, _) = row.owner,
        let type = objects.objectType(number: entity), let base = try rows.base(of: row.number),
        isTooNew(type, try base.fields.fields())
      else { continue }
      if try !hide(row) { areLeft = true }
    }
    if !areLeft { try rows.set(.heldHidings, 0) }
  }

  /// Whether something that was done to an object, to a pair of it, or to a reference to it has still to be sent,
  /// or was refused: only the object has the values.
  private func hasUnsent(_ row: RecordRow, _ entity: Int, _ key: Int64) throws -> Bool {
    if try hasChange(row.number) { return true }
    for edges in objects.edgeTypes {
      for isSource in [true, false] where edges.mayHold(entity, isSource: isSource) {
        let pairs = try rows.pairRecords(property: edges.number, key: key, isSource: isSource)
        if try pairs.contains(where: { try hasChange($0.number) }) { return true }
      }
    }
    guard let type = objects.objectType(number: entity) else { return false }
    for reference in objects.references(to: type) where !reference.isIndexed {
      // Who holds it would have to be looked for in a whole table.
      if try rows.hasChange(ofType: reference.type.recordType) { return true }
    }
    for reference in objects.references(to: type) where reference.isIndexed {
      for holder in try reference.holders(of: key, rows.connection) {
        let owner = RecordRow.Owner.object(entity: reference.type.number, key: holder)
        if let holder = try rows.record(of: owner), try hasChange(holder.number) { return true }
      }
    }
    return false
  }

  private func hasChange(_ record: Int64) throws -> Bool {
    try ChangeRow.State.allCases.contains { try rows.change(of: record, state: $0) != nil }
  }
}

extension SyncRows {
  /// Whether a record's object waits to be hidden: this program does not know all that it is.
  func isToBeHidden(_ record: RecordRow) throws(SQLiteError) -> Bool {
    try waiting(of: record.number).contains { $0.field == WaitingRow.hiding }
  }

  /// Whether anything has still to be sent, or was refused, of records of a type.
  fileprivate func hasChange(ofType type: String) throws(SQLiteError) -> Bool {
    let statement = try connection.statement(
      """
      SELECT 1 FROM contrail_sync_change AS c JOIN contrail_sync_record AS r ON r.number = c.record \
      WHERE r.type = ?1 LIMIT 1
      """)
    defer { statement.reset() }
    statement.bind(1, type)
    return try statement.step()
  }
}

extension SyncSession {
  /// Hides objects for which records of later versions wait, once all that was done to them here was sent.
  func endHidings(_ now: Int64) throws {
    guard try read({ try $0.integer(.heldHidings) }) == 1 else { return }
    var receiver: Receiver?
    try write { transaction, rows in
      let zone = try self.zone(rows)
      try takeIn(rows, zone, now)
      receiver = try self.receiver(transaction, rows, zone, now)
      try receiver?.endHidings()
      try keep(receiver, rows)
    }
    tell(receiver)
  }
}
