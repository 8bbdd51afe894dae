extension StorageSQL {
  /// What is kept of assets: which there are, which record has which, and how many records have each.
  ///
  /// Format 2 adds who holds them.
  ///
  /// Triggers count, so that no way of changing or deleting records can forget to.
  static let assetTables = [
    """
    CREATE TABLE asset (number INTEGER PRIMARY KEY, address BLOB NOT NULL UNIQUE, \
    size INTEGER NOT NULL, kept_at INTEGER NOT NULL, uses INTEGER NOT NULL DEFAULT 0)
    """,
    "CREATE INDEX asset_unused ON asset (kept_at, address) WHERE uses = 0",
    """
    CREATE TABLE asset_use (record INTEGER NOT NULL, asset INTEGER NOT NULL, \
    PRIMARY KEY (record, asset)) WITHOUT ROWID
    """,
    """
    CREATE TRIGGER asset_use_begins AFTER INSERT ON asset_use BEGIN \
    UPDATE asset SET uses = uses + 1 WHERE number = new.asset; END
    """,
    """
    CREATE TRIGGER asset_use_ends AFTER DELETE ON asset_use BEGIN \
    UPDATE asset SET uses = uses - 1 WHERE number = old.asset; END
    """,
    // A record that is written over gets its assets anew.
    """
    CREATE TRIGGER record_changes_assets AFTER UPDATE OF has_assets ON record WHEN old.has_assets BEGIN \
    DELETE FROM asset_use WHERE record = old.number; END
    """,
    """
    CREATE TRIGGER record_leaves_assets AFTER DELETE ON record WHEN old.has_assets BEGIN \
    DELETE FROM asset_use WHERE record = old.number; END
    """,
  ]
}
