import CSQLite

/// A transaction for reading that stays open between uses, and shows them the same moment while nobody commits.
///
/// To begin a transaction and to end it takes longer than to read a row. SQLite tells of every commit, by
/// this process or another, in the header of the log's index, which lies in memory that all of them share.
/// The view takes a copy of it before it begins: as long as the header is still the same, nothing was
/// committed since, and a new transaction would see no more than this one. A commit that has returned has
/// changed the header before, so a use that begins afterwards sees it.
///
/// An open view keeps the log from being emptied: whoever has one has to `end` it when it is not used.
public final class ReadView {
  private let connection: Connection
  /// The log as it was before the open transaction began; nil where that cannot be told.
  private var mark: LogMark?
  /// Whether the connection has read through a log, so that its index is there to be looked at.
  private var hasLog = false

  /// A view of what a connection sees, which nobody else uses from then on.
  public init(of connection: Connection) { self.connection = connection }

  /// Begins a use; whether it sees the same moment as the one before.
  ///
  /// Each has to come to its end by `pause` or `end`.
  public func begin() throws(SQLiteError) -> Bool {
    let now = hasLog ? connection.logMark : nil
    let isSame = now != nil && now == mark && connection.isInTransaction
    if !isSame {
      end()
      try connection.run(.beginDeferred)
      mark = now
    }
    connection.database.runningBodies = 1
    return isSame
  }

  /// Ends a use that went well, and leaves the transaction open for the next one, if it can be told by then
  /// whether that may have it.
  public func pause() throws(SQLiteError) {
    connection.database.runningBodies = 0
    if connection.database.mustRollBack {
      end()
      throw connection.failure(Connection.abortedByRollback, sql: nil)
    }
    if mark != nil { return }
    if !hasLog, connection.hasSnapshot {
      hasLog = try connection.textPragma("journal_mode") == "wal"
    }
    end()
  }

  /// Ends the transaction, if one is open, and the use that is under way.
  public func end() {
    connection.database.runningBodies = 0
    mark = nil
    guard connection.isInTransaction else { return }
    // Nothing was written: how it ends makes no difference but for the time, and ending it by a prepared
    // statement is the quickest.
    do { try connection.run(.commit) } catch { connection.rollBack() }
  }
}

/// The header of the index of a write-ahead log, which no two commits have in common.
struct LogMark: Equatable {
  private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// The header now; nil where there is none, or somebody is about to write it.
  fileprivate init?(of handle: OpaquePointer) {
    var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)
    let isWhole = withUnsafeMutableBytes(of: &words) { bytes in
      // The tuple has the 48 bytes that are written, and `bytes` is never empty.
      bytes.bindMemory(to: UInt8.self).baseAddress.map {
        contrail_sqlite3_log_header(handle, $0) != 0
      }
    }
    guard isWhole == true else { return nil }
    self.words = words
  }

  static func == (left: LogMark, right: LogMark) -> Bool {
    left.words == right.words
  }
}

extension Connection {
  fileprivate var logMark: LogMark? { handle.flatMap { LogMark(of: $0) } }
}
