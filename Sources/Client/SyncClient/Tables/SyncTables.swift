import SQLiteDriver
import SyncCore

/// The tables that sync keeps in the store's own file, so that what was applied and how far it came are
/// written together.
enum SyncTables {
  /// The version of the tables below, kept as a fact; a higher one is refused.
  static let version: Int64 = 1

  static let statements = [
    // Facts by name: see `SyncFact`.
    "CREATE TABLE contrail_sync (name TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID",
    // `token` is where the next pull begins; `made` whether the zone was ever found or made.
    """
    CREATE TABLE contrail_sync_zone (number INTEGER PRIMARY KEY, name TEXT NOT NULL, \
    owner TEXT, token TEXT, made INTEGER NOT NULL DEFAULT 0, refetch INTEGER)
    """,
    // One row for each record that this store has to do with. `owner` above 0 is the number of an
    // entity, and `key` an object; below 0 it is that of a relationship's property, and `key` and `far`
    // the pair; with 0 the record is no object here. `pass` is the refetch in which it was seen last.
    """
    CREATE TABLE contrail_sync_record (number INTEGER PRIMARY KEY, zone INTEGER NOT NULL, \
    name TEXT NOT NULL, type TEXT NOT NULL, owner INTEGER NOT NULL, key INTEGER NOT NULL, \
    far INTEGER NOT NULL, pass INTEGER NOT NULL DEFAULT 0)
    """,
    "CREATE UNIQUE INDEX contrail_sync_record_name ON contrail_sync_record (name, zone)",
    """
    CREATE UNIQUE INDEX contrail_sync_record_object ON contrail_sync_record (key, owner, far) \
    WHERE owner <> 0
    """,
    // Others: see `indexes`.
    // What the server confirmed last: fields in canonical form, those included that nobody here knows.
    """
    CREATE TABLE contrail_sync_base (record INTEGER PRIMARY KEY, tag TEXT, modified INTEGER NOT NULL, \
    fields BLOB NOT NULL)
    """,
    // What was done here and is not confirmed: to one record, or to `count` new ones whose numbers
    // follow each other. `state`: 0 pending, 1 parked, 2 failed.
    """
    CREATE TABLE contrail_sync_change (number INTEGER PRIMARY KEY, record INTEGER NOT NULL, \
    count INTEGER NOT NULL, kind INTEGER NOT NULL, edits BLOB, clock INTEGER NOT NULL, \
    unit INTEGER NOT NULL, last INTEGER NOT NULL, sent INTEGER NOT NULL DEFAULT 0, \
    state INTEGER NOT NULL DEFAULT 0, time INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, \
    retry INTEGER NOT NULL DEFAULT 0, code TEXT, reason TEXT, kept BLOB)
    """,
    // Others: see `indexes`.
    "CREATE INDEX contrail_sync_change_unit ON contrail_sync_change (state, unit, number)",
    // To-one references whose target is not here: it has not come yet, or is gone.
    """
    CREATE TABLE contrail_sync_waiting (record INTEGER NOT NULL, field TEXT NOT NULL, \
    target TEXT NOT NULL, PRIMARY KEY (record, field)) WITHOUT ROWID
    """,
    "CREATE INDEX contrail_sync_waiting_target ON contrail_sync_waiting (target)",
    // Bodies of requests that may have arrived.
    "CREATE TABLE contrail_sync_flight (number INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    // Sums of the digests of the bases, bucket by bucket.
    """
    CREATE TABLE contrail_sync_bucket (zone INTEGER NOT NULL, bucket INTEGER NOT NULL, \
    count INTEGER NOT NULL, high INTEGER NOT NULL, low INTEGER NOT NULL, \
    PRIMARY KEY (zone, bucket)) WITHOUT ROWID
    """,
    // Objects that were there before sync, entity by entity: from which key on they have no records yet.
    """
    CREATE TABLE contrail_sync_backfill (entity INTEGER PRIMARY KEY, next INTEGER NOT NULL, \
    last INTEGER NOT NULL)
    """,
    // What production lacks, as the server said it.
    """
    CREATE TABLE contrail_sync_lack (type TEXT NOT NULL, field TEXT NOT NULL, reason TEXT NOT NULL, \
    retry INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0, \
    PRIMARY KEY (type, field)) WITHOUT ROWID
    """,
    // What happened, the newest last.
    """
    CREATE TABLE contrail_sync_event (number INTEGER PRIMARY KEY, time INTEGER NOT NULL, \
    kind TEXT NOT NULL, subject TEXT, detail TEXT)
    """,
  ]

  /// Indexes that stores which were set up long ago lack, and those that nothing uses any more.
  ///
  /// Where an index holds some rows only, a query finds it by having the same condition in the same words.
  private static let indexes = [
    // The change of a record; how many there are, and when the oldest was made, is read from it alone.
    """
    CREATE INDEX IF NOT EXISTS contrail_sync_change_state ON contrail_sync_change \
    (state, record, count, time)
    """,
    "DROP INDEX IF EXISTS contrail_sync_change_record",
    // Few changes wait to be tried again, and few are deletions.
    """
    CREATE INDEX IF NOT EXISTS contrail_sync_change_retry ON contrail_sync_change \
    (state, unit, retry) WHERE retry > 0
    """,
    """
    CREATE INDEX IF NOT EXISTS contrail_sync_change_deletion ON contrail_sync_change (state) \
    WHERE kind = \(LocalChange.Kind.delete.rawValue)
    """,
    // The pairs of the object at their far end.
    """
    CREATE INDEX IF NOT EXISTS contrail_sync_record_far ON contrail_sync_record (far, owner) \
    WHERE owner < 0
    """,
  ]

  /// Gives the tables the indexes that belong to them; does nothing where they have them.
  static func renewIndexes(_ connection: Connection) throws(SQLiteError) {
    for statement in indexes { try connection.execute(statement) }
  }

  static func areThere(_ connection: Connection) throws(SQLiteError) -> Bool {
    let statement = try connection.statement(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'contrail_sync'")
    defer { statement.reset() }
    return try statement.step()
  }

  static func make(_ connection: Connection) throws(SQLiteError) {
    for statement in statements + FileTables.statements { try connection.execute(statement) }
    try renewIndexes(connection)
  }
}
