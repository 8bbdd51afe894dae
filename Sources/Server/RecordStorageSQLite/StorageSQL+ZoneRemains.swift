extension StorageSQL {
  /// What format 2 adds for zones: how many bytes the fields of their records take, when they were
  /// deleted, and what is left of those.
  static let zoneRemains = [
    "ALTER TABLE database ADD COLUMN floor INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE zone ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE zone ADD COLUMN deleted_at INTEGER NOT NULL DEFAULT 0",
    """
    UPDATE zone SET bytes = (SELECT ifnull(sum(length(r.fields)), 0) FROM record AS r \
    WHERE r.zone = zone.number)
    """,
    // Nobody has noted when: their time begins now.
    "UPDATE zone SET deleted_at = 1000 * CAST(strftime('%s', 'now') AS INTEGER) WHERE is_deleted",
    // NB: not by the number of the last change, which every commit would have to write here too.
    "CREATE INDEX zone_live ON zone (scope, owner, name) WHERE NOT is_deleted",
    "CREATE INDEX zone_deleted ON zone (deleted_at) WHERE is_deleted",
    // The numbers that zones had which were deleted, as long as records have them.
    "CREATE TABLE zone_remains (number INTEGER PRIMARY KEY)",
  ]
}
