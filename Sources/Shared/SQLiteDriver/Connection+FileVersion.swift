import CSQLite

extension Connection {
  /// A number that changes whenever the database does, by this connection or by any other; others'
  /// commits show once a transaction has begun.
  ///
  /// Nil when it cannot be told.
  public var fileVersion: UInt32? {
    guard let handle else { return nil }
    var version: UInt32 = 0
    // https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }
}
