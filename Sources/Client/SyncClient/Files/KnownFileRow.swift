import RecordWire
import SQLiteDriver
import SyncCore

/// A value of an object's field that is sent as a file, and what the server calls it.
///
/// It is known once the file was sent or fetched, so that it is not sent again, also not by the next
/// process, and so that the value is seen to be the one that the server has.
struct KnownFileRow: Hashable {
  var record: Int64
  /// The field of type ASSET.
  var field: String
  var digest: FileDigest
  /// The server's checksum; nil where only the digest is known, which took reading the file.
  var checksum: String?
  /// What a save needs to bring the file into the record; nil where it was fetched.
  var receipt: RecordAsset?
  /// When the receipt came, in milliseconds since 1970.
  var received: Int64 = 0
  /// The file beside the store that has the bytes; they never change under that name.
  var storedName: String?
}

extension KnownFileRow {
  /// The value as records have it.
  var asset: RecordAsset {
    RecordAsset(fileChecksum: checksum ?? digest.checksum, size: digest.size)
  }

  /// What a save needs, while it is good.
  func receipt(at now: Int64) -> RecordAsset? {
    // A clock that was put back makes receipts that are yet to come: those are used up.
    let age = now.subtractingReportingOverflow(received)
    guard !age.overflow, 0..<FileLimits.receiptLife ~= age.partialValue else { return nil }
    return receipt
  }
}

extension SyncRows {
  private static let fileColumns = "record, field, digest, size, checksum, receipt, received, name"

  private func knownFile(_ statement: Statement) throws -> KnownFileRow? {
    guard let digest = FileDigest(statement.bytes(2), size: statement.integer(3)) else {
      return nil
    }
    var row = KnownFileRow(
      record: statement.integer(0), field: statement.text(1), digest: digest,
      received: statement.integer(6))
    if !statement.isNull(4) { row.checksum = statement.text(4) }
    if !statement.isNull(5) {
      row.receipt = try Self.receipt(FieldBytes(checked: statement.bytes(5)))
    }
    if !statement.isNull(7) { row.storedName = statement.text(7) }
    return row
  }

  /// A receipt is kept as the only field of a record.
  private static let receiptField = "file"

  private static func receipt(_ bytes: FieldBytes) throws -> RecordAsset? {
    if case .asset(let asset)? = try bytes.fields()[receiptField]?.value { asset } else { nil }
  }

  /// What is known of a field's value with that digest.
  func file(_ record: Int64, _ field: String, _ digest: FileDigest) throws -> KnownFileRow? {
    let statement = try connection.statement(
      """
      SELECT \(Self.fileColumns) FROM contrail_sync_file \
      WHERE record = ?1 AND field = ?2 AND digest = ?3
      """)
    defer { statement.reset() }
    statement.bind(1, record)
    statement.bind(2, field)
    statement.bind(3, digest.bytes)
    return try statement.step() ? try knownFile(statement) : nil
  }

  /// What is known of a field's value whose bytes are in that file beside the store.
  func file(_ record: Int64, _ field: String, storedName: String) throws -> KnownFileRow? {
    let statement = try connection.statement(
      """
      SELECT \(Self.fileColumns) FROM contrail_sync_file \
      WHERE record = ?1 AND field = ?2 AND name = ?3
      """)
    defer { statement.reset() }
    statement.bind(1, record)
    statement.bind(2, field)
    statement.bind(3, storedName)
    return try statement.step() ? try knownFile(statement) : nil
  }

  func put(_ row: KnownFileRow) throws {
    let statement = try connection.statement(
      """
      INSERT OR REPLACE INTO contrail_sync_file (\(Self.fileColumns)) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    statement.bind(1, row.record)
    statement.bind(2, row.field)
    statement.bind(3, row.digest.bytes)
    statement.bind(4, row.digest.size)
    if let checksum = row.checksum { statement.bind(5, checksum) } else { statement.bindNull(5) }
    if let receipt = row.receipt {
      let fields = RecordFields([(Self.receiptField, RecordField(.asset(receipt)))])
      statement.bind(6, try FieldBytes(fields).json)
    } else {
      statement.bindNull(6)
    }
    statement.bind(7, row.received)
    if let name = row.storedName { statement.bind(8, name) } else { statement.bindNull(8) }
    try statement.run()
  }

  /// Forgets the values of a record that it does not have on the server: others are asked about no more.
  func forgetFiles(of record: Int64, but fields: RecordFields) throws {
    let statement = try connection.statement(
      "SELECT \(Self.fileColumns) FROM contrail_sync_file WHERE record = ?1")
    defer { statement.reset() }
    statement.bind(1, record)
    var others: [KnownFileRow] = []
    while try statement.step() {
      guard let row = try knownFile(statement) else { continue }
      let value = fields[row.field]?.value ?? .null
      if !RecordValue.asset(row.asset).isSame(as: value) { others.append(row) }
    }
    for row in others {
      let delete = try connection.statement(
        "DELETE FROM contrail_sync_file WHERE record = ?1 AND field = ?2 AND digest = ?3")
      delete.bind(1, row.record)
      delete.bind(2, row.field)
      delete.bind(3, row.digest.bytes)
      try delete.run()
    }
  }

  /// Forgets all values of a field.
  func forgetFile(_ record: Int64, _ field: String) throws(SQLiteError) {
    let statement = try connection.statement(
      "DELETE FROM contrail_sync_file WHERE record = ?1 AND field = ?2")
    statement.bind(1, record)
    statement.bind(2, field)
    try statement.run()
  }

  /// Forgets the proofs of uploads for a record, whose files are sent again; true where there were any.
  func forgetReceipts(of record: Int64) throws(SQLiteError) -> Bool {
    let had =
      try integer(
        """
        SELECT 1 FROM contrail_sync_file WHERE record = ?1 AND receipt IS NOT NULL LIMIT 1
        """, record) != nil
    if had {
      try run("UPDATE contrail_sync_file SET receipt = NULL WHERE record = ?1", record)
    }
    return had
  }
}
