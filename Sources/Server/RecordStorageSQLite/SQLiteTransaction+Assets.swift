import RecordServer
import SQLiteDriver

extension SQLiteTransaction {
  func keepAsset(_ asset: AssetRow, for database: DatabaseKey) throws {
    try checkWriting()
    let statement = try connection.statement(
      """
      INSERT INTO asset (address, size, kept_at) VALUES (?1, ?2, ?3) \
      ON CONFLICT (address) DO UPDATE SET kept_at = max(kept_at, ?3)
      """)
    statement.bind(1, asset.file.address.digest)
    statement.bind(2, asset.file.size)
    statement.bind(3, asset.keptAt)
    try statement.run()
    try hold(asset, for: database)
  }

  private func hold(_ asset: AssetRow, for database: DatabaseKey) throws {
    let statement = try connection.statement(
      """
      INSERT INTO asset_holder (asset, scope, owner, size, kept_at) \
      SELECT number, ?2, ?3, size, ?4 FROM asset WHERE address = ?1 \
      ON CONFLICT (asset, scope, owner) DO UPDATE SET kept_at = max(kept_at, ?4)
      """)
    statement.bind(1, asset.file.address.digest)
    statement.bind(2, database.scope.rawValue)
    statement.bind(3, database.owner)
    statement.bind(4, asset.keptAt)
    try statement.run()
  }

  func assetBytes(heldFor database: DatabaseKey) throws -> Int64 {
    let statement = try connection.statement(
      "SELECT bytes FROM asset_account WHERE scope = ?1 AND owner = ?2")
    defer { statement.reset() }
    statement.bind(1, database.scope.rawValue)
    statement.bind(2, database.owner)
    return try statement.step() ? statement.integer(0) : 0
  }

  func releaseAssets(keptBefore moment: Int64, limit: Int) throws -> Int {
    try checkWriting()
    let statement = try connection.statement(
      """
      DELETE FROM asset_holder WHERE (asset, scope, owner) IN (SELECT asset, scope, owner \
      FROM asset_holder WHERE uses = 0 AND kept_at < ?1 ORDER BY kept_at LIMIT ?2) RETURNING 1
      """)
    defer { statement.reset() }
    statement.bind(1, moment)
    statement.bind(2, Int64(max(0, limit)))
    var count = 0
    while try statement.step() { count += 1 }
    return count
  }

  func asset(_ address: AssetAddress) throws -> AssetRow? {
    let statement = try connection.statement("SELECT size, kept_at FROM asset WHERE address = ?1")
    defer { statement.reset() }
    statement.bind(1, address.digest)
    guard try statement.step() else { return nil }
    return AssetRow(AssetFile(address, size: statement.integer(0)), keptAt: statement.integer(1))
  }

  func forgetAssets(keptBefore moment: Int64, limit: Int) throws -> [AssetAddress] {
    try checkWriting()
    let forgotten = try unusedAssets(keptBefore: moment, limit: limit)
    let statement = try connection.statement("DELETE FROM asset WHERE address = ?1 AND uses = 0")
    for address in forgotten {
      statement.bind(1, address.digest)
      try statement.run()
    }
    return forgotten
  }

  private func unusedAssets(keptBefore moment: Int64, limit: Int) throws -> [AssetAddress] {
    let statement = try connection.statement(
      """
      SELECT address FROM asset WHERE uses = 0 AND kept_at < ?1 ORDER BY kept_at, address LIMIT ?2
      """)
    defer { statement.reset() }
    statement.bind(1, moment)
    statement.bind(2, Int64(max(0, limit)))
    var found: [AssetAddress] = []
    while try statement.step() {
      if let address = AssetAddress(digest: statement.bytes(0)) { found.append(address) }
    }
    return found
  }

  /// Notes the assets of a record that has just been written: a trigger has taken away earlier ones.
  func addAssets(
    of record: Int64, in database: DatabaseKey, _ addresses: [AssetAddress]
  ) throws {
    for address in addresses {
      guard let asset = try number(of: address) else { throw StorageFailure.noAsset(address) }
      let statement = try connection.statement(
        "INSERT OR IGNORE INTO asset_use (record, asset, scope, owner) VALUES (?1, ?2, ?3, ?4)")
      statement.bind(1, record)
      statement.bind(2, asset)
      statement.bind(3, database.scope.rawValue)
      statement.bind(4, database.owner)
      try statement.run()
    }
  }

  private func number(of address: AssetAddress) throws -> Int64? {
    let statement = try connection.statement("SELECT number FROM asset WHERE address = ?1")
    defer { statement.reset() }
    statement.bind(1, address.digest)
    return try statement.step() ? statement.integer(0) : nil
  }
}
