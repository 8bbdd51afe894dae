import JSONStream
public import ObjectStore
import SQLiteDriver

/// Something that sync did or met, as the store's log keeps it.
public struct SyncLogEntry: Hashable, Sendable {
  /// What kinds of entries there are; a later version of Contrail may write others.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Another edit won; the detail has the values that lost.
    case overruled
    /// A change waits for a promotion.
    case parked
    /// A change was not taken, and is kept.
    case failed
    /// A record was edited here and deleted elsewhere; the detail has what it was.
    case deletedRemotely
    /// A value does not fit its attribute; the object goes without it.
    case unfit
    /// Two objects with the same natural key became one.
    case unified
    /// Changes of one unit are sent in more than one request.
    case split
    /// Everything is read again from the beginning.
    case refetch
    /// A policy has to decide.
    case trouble
    /// Somebody has decided, or a policy did.
    case resolved
    /// A change was given up; the detail has its values.
    case discarded
    /// A pass is over.
    case pass
    /// A repair put something right.
    case repaired
  }

  /// The entry's number: a later entry has a higher one.
  public var number: Int64
  /// When it was written, in milliseconds since 1970.
  public var time: Int64
  /// The kind; see `Kind`.
  public var kind: String
  /// The record's name, where it is about one.
  public var subject: String?
  /// What there is to say, as JSON.
  public var detail: String?
}

extension Store {
  /// What sync did or met, the newest first, `limit` entries at most; of one record where it is named.
  public func syncLog(limit: Int, subject: String? = nil) throws -> [SyncLogEntry] {
    try readRows { connection in
      guard try SyncTables.areThere(connection) else { return [] }
      return try SyncRows(connection: connection).log(limit: limit, subject: subject)
    }
  }
}

extension SyncRows {
  func log(limit: Int, subject: String? = nil) throws(SQLiteError) -> [SyncLogEntry] {
    let statement = try connection.statement(
      """
      SELECT number, time, kind, subject, detail FROM contrail_sync_event \
      WHERE ?2 IS NULL OR subject = ?2 ORDER BY number DESC LIMIT ?1
      """)
    defer { statement.reset() }
    statement.bind(1, Int64(max(0, limit)))
    if let subject { statement.bind(2, subject) } else { statement.bindNull(2) }
    var entries: [SyncLogEntry] = []
    while try statement.step() {
      entries.append(
        SyncLogEntry(
          number: statement.integer(0), time: statement.integer(1), kind: statement.text(2),
          subject: statement.isNull(3) ? nil : statement.text(3),
          detail: statement.isNull(4) ? nil : statement.text(4)))
    }
    return entries
  }

  /// Writes an entry.
  func log(
    _ kind: SyncLogEntry.Kind, _ subject: String?, _ detail: JSONValue? = nil, at time: Int64
  ) throws {
    let text = try detail.map { String(decoding: try $0.bytes(), as: UTF8.self) }
    let statement = try connection.statement(
      "INSERT INTO contrail_sync_event (time, kind, subject, detail) VALUES (?1, ?2, ?3, ?4)")
    statement.bind(1, time)
    statement.bind(2, kind.rawValue)
    if let subject { statement.bind(3, subject) } else { statement.bindNull(3) }
    if let text { statement.bind(4, text) } else { statement.bindNull(4) }
    try statement.run()
  }
}
