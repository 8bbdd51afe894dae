import CSQLite

/// How far a checkpoint of the write-ahead log came.
public struct Checkpoint: Hashable, Sendable {
  /// What a checkpoint waits for and leaves behind.
  public enum Mode: Hashable, Sendable, CaseIterable {
    /// Copies what it can without waiting for anyone.
    case passive
    /// Waits for writers, and copies everything that readers allow.
    case full
    /// Waits for readers too, so that the next writer starts the log anew.
    case restart
    /// As `restart`, and makes the log's file empty.
    case truncate

    fileprivate var number: Int32 {
      switch self {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .full: SQLITE_CHECKPOINT_FULL
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    }
  }

  /// How many pages are in the log.
  public var loggedPages: Int
  /// How many of them are in the database's file now.
  public var copiedPages: Int

  /// Whether the file has everything.
  public var isComplete: Bool { loggedPages == copiedPages }
}

extension Connection {
  /// Copies the write-ahead log into the database's file; nil where there is no such log.
  @discardableResult
  public func checkpoint(_ mode: Checkpoint.Mode = .passive) throws(SQLiteError) -> Checkpoint? {
    let handle = try database.opened()
    var logged: Int32 = -1
    var copied: Int32 = -1
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode.number, &logged, &copied)
    if code != SQLITE_OK { throw failure(code, sql: nil) }
    // Both are -1 without a log: https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
    guard logged >= 0, copied >= 0 else { return nil }
    return Checkpoint(loggedPages: Int(logged), copiedPages: Int(copied))
  }

  /// Gives back what memory the connection can do without, above all the pages that it has read.
  public func releaseMemory() {
    if let handle = database.handle { sqlite3_db_release_memory(handle) }
  }

  /// What is wrong with the database, at most `limit` findings; none when it is sound.
  ///
  /// It reads the whole file, but does not compare indexes with their tables.
  public func quickCheck(limit: Int32 = 100) throws(SQLiteError) -> [String] {
    var problems: [String] = []
    do {
      let check = try prepare("PRAGMA quick_check(\(max(limit, 1)))")
      while try check.step() { problems.append(check.text(0)) }
    } catch {
      switch error.code {
      case .corrupt, .notADatabase: problems.append(error.message)
      default: throw error
      }
    }
    return problems == ["ok"] ? [] : problems
  }
}
