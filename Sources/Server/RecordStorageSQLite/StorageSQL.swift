/// The tables of a storage, and how its file is recognised.
enum StorageSQL {
  /// "CnRs" as a number, by which the file is recognised.
  ///
  /// See https://www.sqlite.org/pragma.html#pragma_application_id
  static let applicationID: Int64 = 0x436e_5273
  /// The first format of the tables, which every file begins with; nothing of it may change any more.
  static let firstTables = recordTables + assetTables
  static let firstFormat: Int64 = 1

  /// What makes each format of the one before it.
  ///
  /// New files go the same way, so that they are like old ones that were brought here; a change to the
  /// tables is one more step.
  static let steps: [[String]] = [assetHolders + zoneRemains, feedWithoutTombstones]

  /// The newest format.
  static var formatVersion: Int64 { firstFormat + Int64(steps.count) }

  private static let recordTables = [
    "CREATE TABLE storage_fact (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID",
    // One row.
    "CREATE TABLE container_schema (version INTEGER NOT NULL, stored BLOB NOT NULL)",
    // The number of the last change to any zone of a database, and the bytes of its records' fields.
    """
    CREATE TABLE database (scope TEXT NOT NULL, owner TEXT NOT NULL, sequence INTEGER NOT NULL, \
    bytes INTEGER NOT NULL, PRIMARY KEY (scope, owner)) WITHOUT ROWID
    """,
    // Deleted zones stay, so that clients hear of it.
    """
    CREATE TABLE zone (number INTEGER PRIMARY KEY, scope TEXT NOT NULL, owner TEXT NOT NULL, \
    name TEXT NOT NULL, epoch INTEGER NOT NULL, sequence INTEGER NOT NULL, floor INTEGER NOT NULL, \
    database_sequence INTEGER NOT NULL, is_deleted INTEGER NOT NULL)
    """,
    "CREATE UNIQUE INDEX zone_name ON zone (scope, owner, name)",
    "CREATE INDEX zone_feed ON zone (scope, owner, database_sequence)",
    // The sums of a zone's digests, some buckets a row: see `DigestPart`.
    """
    CREATE TABLE zone_digest (zone INTEGER NOT NULL, part INTEGER NOT NULL, sums BLOB NOT NULL, \
    PRIMARY KEY (zone, part)) WITHOUT ROWID
    """,
    // Names are UUIDs more often than not: a table in the order of keys, with an index of names, is written
    // twice as fast as one in the order of names.
    """
    CREATE TABLE record (number INTEGER PRIMARY KEY, zone INTEGER NOT NULL, name TEXT NOT NULL, \
    type TEXT NOT NULL, sequence INTEGER NOT NULL, commit_sequence INTEGER NOT NULL, \
    created_time INTEGER NOT NULL, created_user TEXT, created_device TEXT, \
    modified_time INTEGER NOT NULL, modified_user TEXT, modified_device TEXT, \
    fields BLOB NOT NULL, parent TEXT, is_deleted INTEGER NOT NULL, \
    has_assets INTEGER NOT NULL DEFAULT 0)
    """,
    "CREATE UNIQUE INDEX record_name ON record (zone, name)",
    "CREATE UNIQUE INDEX record_feed ON record (zone, sequence)",
    "CREATE INDEX record_tombstone ON record (zone, sequence) WHERE is_deleted",
    // References whose targets' deletion has to know of them, by the target.
    """
    CREATE TABLE reference (target_scope TEXT NOT NULL, target_owner TEXT NOT NULL, \
    target_zone TEXT NOT NULL, target_name TEXT NOT NULL, source INTEGER NOT NULL, \
    action TEXT NOT NULL, PRIMARY KEY (target_scope, target_owner, target_zone, target_name, source, \
    action)) WITHOUT ROWID
    """,
    "CREATE INDEX reference_source ON reference (source)",
    // What entries belong to. Numbers are not used again, so that a list of entries that names a slot
    // which has ended names nothing.
    """
    CREATE TABLE index_slot (number INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, \
    field TEXT NOT NULL, kind TEXT NOT NULL, is_retired INTEGER NOT NULL DEFAULT 0)
    """,
    "CREATE UNIQUE INDEX index_slot_name ON index_slot (type, field, kind) WHERE NOT is_retired",
    "CREATE INDEX index_slot_retired ON index_slot (number) WHERE is_retired",
    // The one index of all fields, in the order of values and then of names.
    """
    CREATE TABLE index_entry (slot INTEGER NOT NULL, zone INTEGER NOT NULL, value BLOB NOT NULL, \
    name TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (slot, zone, value, name)) WITHOUT ROWID
    """,
    // The entries that a record has, so that a write touches only those that change.
    "CREATE TABLE index_list (record INTEGER PRIMARY KEY, entries BLOB NOT NULL)",
    """
    CREATE TABLE index_pending (type TEXT NOT NULL, field TEXT NOT NULL, indexes INTEGER NOT NULL, \
    has_values INTEGER NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (type, field, indexes)) \
    WITHOUT ROWID
    """,
  ]
}
