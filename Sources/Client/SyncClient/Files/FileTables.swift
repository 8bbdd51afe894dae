import SQLiteDriver

/// The tables with what sync remembers of files.
enum FileTables {
  static let statements = [
    // Values that are sent as files, by their digests, and what the server calls them: see `KnownFileRow`.
    """
    CREATE TABLE contrail_sync_file (record INTEGER NOT NULL, field TEXT NOT NULL, \
    digest BLOB NOT NULL, size INTEGER NOT NULL, checksum TEXT, receipt BLOB, \
    received INTEGER NOT NULL DEFAULT 0, name TEXT, PRIMARY KEY (record, field, digest)) \
    WITHOUT ROWID
    """,
    // Files that records have, and objects have not yet: see `AwaitedFileRow`.
    """
    CREATE TABLE contrail_sync_awaited (record INTEGER NOT NULL, field TEXT NOT NULL, plain TEXT, \
    checksum TEXT, size INTEGER, url TEXT, attempts INTEGER NOT NULL DEFAULT 0, \
    retry INTEGER NOT NULL DEFAULT 0, code TEXT, reason TEXT, PRIMARY KEY (record, field)) \
    WITHOUT ROWID
    """,
    earlierValues,
  ]

  // When objects were given what they have in place of files that have not come: see `EarlierValue`.
  private static let earlierValues = """
    CREATE TABLE IF NOT EXISTS contrail_sync_earlier (record INTEGER NOT NULL, field TEXT NOT NULL, \
    time INTEGER NOT NULL, device INTEGER NOT NULL, PRIMARY KEY (record, field)) WITHOUT ROWID
    """

  static func areThere(_ connection: Connection) throws(SQLiteError) -> Bool {
    let statement = try connection.statement(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'contrail_sync_awaited'")
    defer { statement.reset() }
    return try statement.step()
  }

  /// Makes them where they are not there yet: a store that was synced before there were files has none.
  static func makeIfNeeded(_ connection: Connection) throws(SQLiteError) {
    if try areThere(connection) { return try connection.execute(earlierValues) }
    for statement in statements { try connection.execute(statement) }
  }
}
