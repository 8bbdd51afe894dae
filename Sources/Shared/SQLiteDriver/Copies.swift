import CSQLite

extension Connection {
  /// The database as the bytes of the file that it is or would be.
  public func serialize() throws(SQLiteError) -> [UInt8] {
    let handle = try database.opened()
    var count: sqlite3_int64 = 0
    let image = sqlite3_serialize(handle, "main", &count, 0)
    defer { sqlite3_free(image) }
    guard let image else {
      // An empty database has no image, and that is no failure.
      if count == 0 { return [] }
      throw failure(SQLITE_NOMEM, sql: nil)
    }
    return [UInt8](UnsafeRawBufferPointer(start: image, count: Int(clamping: count)))
  }

  /// Replaces the database by the one that `image` holds, in memory.
  ///
  /// What is no database shows at the first statement. Statements from before fail with `misuse`.
  public func deserialize(_ image: [UInt8]) throws(SQLiteError) {
    let handle = try database.opened()
    forgetStatements()
    let capacity = max(image.count, 512)
    guard let copy = sqlite3_malloc64(UInt64(capacity)) else {
      throw SQLiteError(code: .noMemory, message: "no memory for \(capacity) bytes")
    }
    let buffer = UnsafeMutableRawBufferPointer(start: copy, count: capacity)
    buffer.copyBytes(from: image)
    // Memory has no write-ahead log: the file's format says so in these two bytes.
    // https://www.sqlite.org/c3ref/deserialize.html
    if image.count >= DatabaseFile.headerBytes && image[18] == 2 && image[19] == 2 {
      buffer[18] = 1
      buffer[19] = 1
    }
    // SQLite frees the copy, also when it refuses it.
    let flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE
    let code = sqlite3_deserialize(
      handle, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(image.count),
      Int64(capacity), UInt32(flags))
    if code != SQLITE_OK { throw failure(code, sql: nil) }
  }

  /// Makes `destination` a copy of this database, while others may go on reading and writing it.
  ///
  /// What `destination` held before is gone, or, when the copy fails, still there.
  public func backup(to destination: Connection) throws(SQLiteError) {
    let source = try database.opened()
    let target = try destination.database.opened()
    // Its errors are the destination's: https://www.sqlite.org/c3ref/backup_finish.html
    guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
      throw destination.failure(sqlite3_extended_errcode(target), sql: nil)
    }
    // All pages in one step are one moment of the source, and need no second try.
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    if code != SQLITE_DONE { throw destination.failure(end == SQLITE_OK ? code : end, sql: nil) }
    if end != SQLITE_OK { throw destination.failure(end, sql: nil) }
  }
}
