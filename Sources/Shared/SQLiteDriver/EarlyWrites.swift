import CSQLite

// Pages that go to the log before the commit, as SQLite writes them where memory is short.
//
// When such a page is written once more, and a part of the transaction is undone that began before it, SQLite forgets that
// checksums are still to be made: whoever reads the log after a crash finds neither that commit nor any after it. Seen
// with SQLite 3.40; the code is the same in 3.49.
extension OpenDatabase {
  /// What sets from how many pages on SQLite may write before the commit: never reported.
  static let earlyWritesPragma = "PRAGMA cache_spill = "

  /// Keeps changed pages out of the log until the outermost savepoint ends.
  func beginSavepoint() throws(SQLiteError) {
    if savepoints == 0 { try setPagesKept(.max) }
    savepoints += 1
  }

  func endSavepoint() {
    savepoints -= 1
    if savepoints == 0 { letPagesGo() }
  }

  /// Notes at the begin of a transaction what was written early before it, to tell what it writes early itself.
  func noteEarlyWrites() {
    guard runningBodies == 0 else { return }
    // A savepoint that was interrupted as it ended.
    if keepsPages && savepoints == 0 { letPagesGo() }
    earlyWrites = earlyWritesNow
  }

  /// Whether a statement that failed may have taken back pages that it had written early itself: within a savepoint it
  /// writes none.
  var hasUndoneEarlyWrites: Bool { savepoints == 0 && earlyWritesNow != earlyWrites }

  /// How many pages went to the log early since the connection was opened.
  private var earlyWritesNow: Int32 {
    var (count, highest): (Int32, Int32) = (0, 0)
    guard let handle else { return 0 }
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_SPILL, &count, &highest, 0)
    return count
  }

  private func letPagesGo() { keepsPages = (try? setPagesKept(1)) == nil }

  /// Sets from how many pages on some may be written early.
  ///
  /// See https://www.sqlite.org/pragma.html#pragma_cache_spill
  private func setPagesKept(_ pages: Int32) throws(SQLiteError) {
    let sql = "\(Self.earlyWritesPragma)\(pages)"
    let code = sqlite3_exec(try opened(), sql, nil, nil, nil)
    if code != SQLITE_OK { throw failure(code, sql: sql) }
  }
}
