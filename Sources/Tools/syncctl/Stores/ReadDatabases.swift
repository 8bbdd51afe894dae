import Glibc
import SQLiteDriver
import Synchronization

/// Databases that were read, and had no files of SQLite's beside them.
///
/// Who reads a database that is written through a log makes the log's files, and cannot take them away:
/// only who may write can. So that reading a store leaves nothing behind, that is done at the end.
enum ReadDatabases {
  private static let paths = Mutex<Set<String>>([])

  /// Notes a file that is going to be read.
  static func note(_ path: String) {
    if !hasLog(path) { paths.withLock { _ = $0.insert(path) } }
  }

  /// Takes away what reading has left; nothing where another process has the database open.
  static func tidy() {
    for path in paths.withLock({ $0 }) where hasLog(path) {
      // The last connection to close takes the files away, under SQLite's own locks.
      guard let connection = try? Connection(.file(path), mode: .readWrite) else { continue }
      try? connection.execute("PRAGMA user_version")
    }
  }

  private static func hasLog(_ path: String) -> Bool {
    ["-wal", "-shm"].contains { access(path + $0, F_OK) == 0 }
  }
}
