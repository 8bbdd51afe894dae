public import ObjectStore
import RecordWire
import SQLiteDriver

/// A file that a record has and its object has not: it is fetched by the next passes.
public struct AwaitedFileFacts: Hashable, Sendable {
  /// The record's name.
  public var recordName: String
  /// The record's type.
  public var recordType: String
  /// The field of type ASSET.
  public var field: String
  /// How many bytes it has; nil where the server does not say.
  public var size: Int64?
  /// How often it was tried in vain.
  public var attempts: Int
  /// Not before this it is tried again, in milliseconds since 1970; 0 for at once.
  public var retry: Int64
  /// The server's code, or one of `SyncFailureCode`; nil where it was not tried yet.
  public var code: String?
  /// What went wrong last, in words.
  public var reason: String?
  /// Whether it was tried so often that somebody should know.
  public var isMissing: Bool

  init(_ row: AwaitedFileRow, _ record: RecordRow) {
    (recordName, recordType) = (record.name, record.type)
    (field, size) = (row.field, row.asset.size)
    (attempts, retry) = (Int(clamping: row.attempts), row.retry)
    (code, reason, isMissing) = (row.code, row.reason, row.isFailed)
  }
}

extension Store {
  /// The files that are waited for, `limit` at most.
  public func awaitedFiles(limit: Int) throws -> [AwaitedFileFacts] {
    try readRows { connection in
      guard try FileTables.areThere(connection) else { return [] }
      let rows = SyncRows(connection: connection)
      return try rows.awaitedFiles(limit: limit).compactMap { row in
        try rows.record(number: row.record).map { AwaitedFileFacts(row, $0) }
      }
    }
  }

  /// The files that do not come, though they were tried often; they are tried all the same.
  public func missingFiles() throws -> [AwaitedFileFacts] {
    try awaitedFiles(limit: .max).filter(\.isMissing)
  }
}
