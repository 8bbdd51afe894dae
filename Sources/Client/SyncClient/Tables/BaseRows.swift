import RecordWire
import SQLiteDriver

/// What the server confirmed last of a record.
struct BaseRow: Hashable {
  /// The state's tag; nil where the server has lost the record, so that it is sent as a whole with the next
  /// change, and counts in no digest.
  var tag: ChangeTag?
  /// When the server took it in, in milliseconds since 1970.
  var modified: Int64
  /// The fields in canonical form.
  var fields: FieldBytes
}

extension SyncRows {
  func base(of record: Int64) throws(SQLiteError) -> BaseRow? {
    let statement = try connection.statement(
      "SELECT tag, modified, fields FROM contrail_sync_base WHERE record = ?1")
    defer { statement.reset() }
    statement.bind(1, record)
    guard try statement.step() else { return nil }
    return BaseRow(
      tag: statement.isNull(0) ? nil : ChangeTag(statement.text(0)),
      modified: statement.integer(1), fields: FieldBytes(checked: statement.bytes(2)))
  }

  /// The tag of a record's base; nil where there is no base, or it has none.
  func baseTag(of record: Int64) throws(SQLiteError) -> ChangeTag? {
    let statement = try connection.statement(
      "SELECT tag FROM contrail_sync_base WHERE record = ?1")
    defer { statement.reset() }
    statement.bind(1, record)
    return try statement.step() && !statement.isNull(0) ? ChangeTag(statement.text(0)) : nil
  }

  /// Whether there is a record that the server has, as far as we know.
  func hasBases() throws(SQLiteError) -> Bool {
    try integer("SELECT 1 FROM contrail_sync_base WHERE tag IS NOT NULL LIMIT 1") != nil
  }

  /// Whether the server has confirmed a record.
  func hasBase(named name: String, zone: Int64) throws(SQLiteError) -> Bool {
    guard let record = try record(named: name, zone: zone) else { return false }
    return try integer("SELECT 1 FROM contrail_sync_base WHERE record = ?1", record.number) != nil
  }

  /// Keeps what the server confirmed of a record, in place of `old`; nil forgets it.
  ///
  /// The one way to change a base: it keeps the sums of the digests.
  func setBase(_ base: BaseRow?, of record: RecordRow, was old: BaseRow?) throws(SQLiteError) {
    if let old {
      if old.tag != nil { try addDigest(old.fields, of: record, isRemoved: true) }
      if base == nil {
        try run("DELETE FROM contrail_sync_base WHERE record = ?1", record.number)
      }
    }
    guard let base else { return }
    if base.tag != nil { try addDigest(base.fields, of: record, isRemoved: false) }
    let statement = try connection.statement(
      old == nil
        ? "INSERT INTO contrail_sync_base (record, tag, modified, fields) VALUES (?1, ?2, ?3, ?4)"
        : "UPDATE contrail_sync_base SET tag = ?2, modified = ?3, fields = ?4 WHERE record = ?1")
    statement.bind(1, record.number)
    if let tag = base.tag { statement.bind(2, tag.text) } else { statement.bindNull(2) }
    statement.bind(3, base.modified)
    statement.bind(4, base.fields.json)
    try statement.run()
  }
}
