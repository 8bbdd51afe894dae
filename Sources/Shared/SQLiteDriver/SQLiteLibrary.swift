import CSQLite

/// Settings of SQLite that hold for the whole process.
public enum SQLiteLibrary {
  /// Stops SQLite from counting the memory that it has, under a lock and for every allocation.
  ///
  /// For a program that has SQLite to itself, before it opens its first database; later it does nothing.
  /// See https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus
  public static func keepNoMemoryStatistics() { _ = contrail_sqlite3_drop_memory_statistics() }
}
