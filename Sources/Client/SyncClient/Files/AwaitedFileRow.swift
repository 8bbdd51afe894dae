import RecordWire
import SQLiteDriver
import SyncCore

/// A file that a record has, and its object has not yet: it is fetched after the page that named it was
/// applied.
struct AwaitedFileRow: Hashable {
  var record: Int64
  /// The field of type ASSET.
  var field: String
  /// The field for small values, which is empty; nil where there is none.
  var plainField: String?
  /// What the record says of the file.
  var asset: RecordAsset
  /// Where it is; nil where that has to be asked, since the address has expired or was never told.
  var url: String?
  var attempts: Int64 = 0
  /// Not before this, in milliseconds since 1970.
  var retry: Int64 = 0
  /// What went wrong last.
  var code: String?
  var reason: String?
}

extension AwaitedFileRow {
  init(record: Int64, _ file: AwaitedFile) {
    self.init(
      record: record, field: file.field, plainField: file.plainField,
      asset: RecordAsset(fileChecksum: file.asset.fileChecksum, size: file.asset.size),
      url: file.asset.downloadURL)
  }

  /// What an object is given when the file has come.
  var file: AwaitedFile { AwaitedFile(field: field, plainField: plainField, asset: asset) }

  /// Whether it was tried so often that somebody should know.
  var isFailed: Bool { attempts >= FileLimits.attemptsMax }
}

extension SyncRows {
  private static let awaitedColumns =
    "record, field, plain, checksum, size, url, attempts, retry, code, reason"

  private func awaitedFile(_ statement: Statement) -> AwaitedFileRow {
    func text(_ column: Int32) -> String? {
      statement.isNull(column) ? nil : statement.text(column)
    }
    return AwaitedFileRow(
      record: statement.integer(0), field: statement.text(1), plainField: text(2),
      asset: RecordAsset(
        fileChecksum: text(3), size: statement.isNull(4) ? nil : statement.integer(4)),
      url: text(5), attempts: statement.integer(6), retry: statement.integer(7), code: text(8),
      reason: text(9))
  }

  func put(_ row: AwaitedFileRow) throws(SQLiteError) {
    let statement = try connection.statement(
      """
      INSERT OR REPLACE INTO contrail_sync_awaited (\(Self.awaitedColumns)) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """)
    func bind(_ parameter: Int32, _ text: String?) {
      if let text { statement.bind(parameter, text) } else { statement.bindNull(parameter) }
    }
    statement.bind(1, row.record)
    statement.bind(2, row.field)
    bind(3, row.plainField)
    bind(4, row.asset.fileChecksum)
    if let size = row.asset.size { statement.bind(5, size) } else { statement.bindNull(5) }
    bind(6, row.url)
    statement.bind(7, row.attempts)
    statement.bind(8, row.retry)
    bind(9, row.code)
    bind(10, row.reason)
    try statement.run()
  }

  /// Rows that a condition on numbers names, the first ones, `limit` at most.
  private func awaitedFiles(
    _ condition: String, _ values: Int64..., limit: Int
  ) throws(SQLiteError) -> [AwaitedFileRow] {
    let statement = try connection.statement(
      """
      SELECT \(Self.awaitedColumns) FROM contrail_sync_awaited WHERE \(condition) \
      ORDER BY record, field LIMIT \(limit)
      """)
    defer { statement.reset() }
    for (index, value) in values.enumerated() { statement.bind(Int32(index + 1), value) }
    var rows: [AwaitedFileRow] = []
    while try statement.step() { rows.append(awaitedFile(statement)) }
    return rows
  }

  /// The files that a record waits for.
  func awaitedFiles(of record: Int64) throws(SQLiteError) -> [AwaitedFileRow] {
    try awaitedFiles("record = ?1", record, limit: .max)
  }

  /// All files that are waited for, `limit` at most.
  func awaitedFiles(limit: Int) throws(SQLiteError) -> [AwaitedFileRow] {
    try awaitedFiles("1", limit: limit)
  }

  /// The files that may be fetched at `now`, `limit` at most; those whose place is known, or else not.
  func awaitedFiles(
    dueAt now: Int64, hasPlace: Bool, limit: Int
  ) throws(SQLiteError) -> [AwaitedFileRow] {
    try awaitedFiles(
      "retry <= ?1 AND url IS \(hasPlace ? "NOT " : "")NULL", now, limit: limit)
  }

  /// Whether a file may be fetched at `now`.
  func hasAwaitedFiles(dueAt now: Int64) throws(SQLiteError) -> Bool {
    try integer("SELECT 1 FROM contrail_sync_awaited WHERE retry <= ?1 LIMIT 1", now) != nil
  }

  /// How many files are waited for, and how many of them do not come.
  func countAwaitedFiles() throws(SQLiteError) -> (all: Int64, failed: Int64) {
    (
      try integer("SELECT count(*) FROM contrail_sync_awaited") ?? 0,
      try integer(
        "SELECT count(*) FROM contrail_sync_awaited WHERE attempts >= ?1", FileLimits.attemptsMax)
        ?? 0
    )
  }

  /// Waits no more for the file of a field, or of the field that it stands in for.
  func forgetAwaitedFile(_ record: Int64, _ field: String) throws(SQLiteError) {
    let statement = try connection.statement(
      "DELETE FROM contrail_sync_awaited WHERE record = ?1 AND (field = ?2 OR plain = ?2)")
    statement.bind(1, record)
    statement.bind(2, field)
    try statement.run()
  }

  /// Waits no more for files of a record that is no object any more.
  func forgetAwaitedFiles(of record: Int64) throws(SQLiteError) {
    try run("DELETE FROM contrail_sync_awaited WHERE record = ?1", record)
  }

  /// Has all files that are waited for tried at once; returns how many did not come before.
  func retryAwaitedFiles() throws(SQLiteError) -> Int {
    let failed = try countAwaitedFiles().failed
    try connection.execute(
      "UPDATE contrail_sync_awaited SET attempts = 0, retry = 0, code = NULL, reason = NULL")
    return Int(clamping: failed)
  }
}
