extension StorageSQL {
  /// What format 2 adds for assets: for which databases they are held, and how many bytes that makes.
  ///
  /// A database holds an asset from its upload until no record of it has the asset and no receipt can
  /// bring it back. Triggers count here too.
  static let assetHolders = [
    "ALTER TABLE asset_use ADD COLUMN scope TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE asset_use ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
    """
    UPDATE asset_use SET scope = z.scope, owner = z.owner FROM record AS r, zone AS z \
    WHERE r.number = asset_use.record AND z.number = r.zone
    """,
    """
    CREATE TABLE asset_holder (asset INTEGER NOT NULL, scope TEXT NOT NULL, owner TEXT NOT NULL, \
    size INTEGER NOT NULL, kept_at INTEGER NOT NULL, uses INTEGER NOT NULL DEFAULT 0, \
    PRIMARY KEY (asset, scope, owner)) WITHOUT ROWID
    """,
    "CREATE INDEX asset_holder_unused ON asset_holder (kept_at) WHERE uses = 0",
    """
    CREATE TABLE asset_account (scope TEXT NOT NULL, owner TEXT NOT NULL, bytes INTEGER NOT NULL, \
    PRIMARY KEY (scope, owner)) WITHOUT ROWID
    """,
    // NB: no upserts. What a statement says of conflicts goes for its triggers too.
    """
    CREATE TRIGGER asset_holder_begins AFTER INSERT ON asset_holder BEGIN \
    INSERT OR IGNORE INTO asset_account VALUES (new.scope, new.owner, 0); \
    UPDATE asset_account SET bytes = bytes + new.size \
    WHERE scope = new.scope AND owner = new.owner; END
    """,
    """
    CREATE TRIGGER asset_holder_ends AFTER DELETE ON asset_holder BEGIN \
    UPDATE asset_account SET bytes = bytes - old.size \
    WHERE scope = old.scope AND owner = old.owner; END
    """,
    """
    INSERT INTO asset_holder (asset, scope, owner, size, kept_at, uses) \
    SELECT a.number, u.scope, u.owner, a.size, a.kept_at, count(*) FROM asset_use AS u \
    JOIN asset AS a ON a.number = u.asset GROUP BY a.number, u.scope, u.owner
    """,
    """
    CREATE TRIGGER asset_use_holds AFTER INSERT ON asset_use BEGIN \
    INSERT OR IGNORE INTO asset_holder (asset, scope, owner, size, kept_at) \
    SELECT number, new.scope, new.owner, size, kept_at FROM asset WHERE number = new.asset; \
    UPDATE asset_holder SET uses = uses + 1 \
    WHERE asset = new.asset AND scope = new.scope AND owner = new.owner; END
    """,
    """
    CREATE TRIGGER asset_use_releases AFTER DELETE ON asset_use BEGIN \
    UPDATE asset_holder SET uses = uses - 1 \
    WHERE asset = old.asset AND scope = old.scope AND owner = old.owner; END
    """,
    """
    CREATE TRIGGER asset_leaves_holders AFTER DELETE ON asset BEGIN \
    DELETE FROM asset_holder WHERE asset = old.number; END
    """,
  ]
}
