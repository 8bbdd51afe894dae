import CLogWriter
import CSQLite

/// Settings of SQLite that hold for the whole process.
public enum SQLiteLibrary {
  /// Stops SQLite from counting the memory that it has, under a lock and for every allocation.
  ///
  /// For a program that has SQLite to itself, before it opens its first database; later it does nothing.
  /// See https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus
  public static func keepNoMemoryStatistics() { _ = contrail_sqlite3_drop_memory_statistics() }

  /// The file system layer that connections go through: SQLite's own, which writes each commit to the log in one call.
  ///
  /// Nil where it cannot be had: then it is SQLite's own. Made with the first connection, after settings like the
  /// one above, and never removed.
  static let layer: String? = contrail_log_writer_make("contrail", nil) == nil ? nil : "contrail"
}
