/// An asset in memory, and how many records have it.
struct MemoryAsset {
  var row: AssetRow
  var uses = 0
}

/// An asset and a database that holds it.
struct AssetHold: Hashable {
  let address: AssetAddress
  let database: DatabaseKey
}

/// Since when a database holds an asset, and how many of its records have it.
struct MemoryHold {
  var keptAt: Int64
  var uses = 0
}

extension MemoryTransaction {
  func keepAsset(_ asset: AssetRow, for database: DatabaseKey) throws {
    try checkWriting()
    let hold = AssetHold(address: asset.file.address, database: database)
    var held = state.assetHolds[hold] ?? MemoryHold(keptAt: asset.keptAt)
    held.keptAt = max(held.keptAt, asset.keptAt)
    setHold(hold, held)
    let address = asset.file.address
    var kept = state.assets[address] ?? MemoryAsset(row: asset)
    kept.row.keptAt = max(kept.row.keptAt, asset.keptAt)
    setAsset(address, kept)
  }

  func asset(_ address: AssetAddress) throws -> AssetRow? { state.assets[address]?.row }

  func assetBytes(heldFor database: DatabaseKey) throws -> Int64 {
    state.assetHolds.keys.reduce(0) { sum, hold in
      guard hold.database == database else { return sum }
      return sum + (state.assets[hold.address]?.row.file.size ?? 0)
    }
  }

  func releaseAssets(keptBefore moment: Int64, limit: Int) throws -> Int {
    try checkWriting()
    let unused = state.assetHolds.filter { $0.value.uses == 0 && $0.value.keptAt < moment }
    let released = unused.sorted { $0.value.keptAt < $1.value.keptAt }.prefix(max(0, limit))
    for (hold, _) in released { setHold(hold, nil) }
    return released.count
  }

  func forgetAssets(keptBefore moment: Int64, limit: Int) throws -> [AssetAddress] {
    try checkWriting()
    let unused = state.assets.values.filter { $0.uses == 0 && $0.row.keptAt < moment }
    // In an order, so that every storage forgets the same ones first.
    let oldest = unused.map(\.row).sorted {
      ($0.keptAt, $0.file.address.hexadecimal) < ($1.keptAt, $1.file.address.hexadecimal)
    }
    let forgotten = oldest.prefix(max(0, limit)).map(\.file.address)
    for address in forgotten { setAsset(address, nil) }
    let gone = Set(forgotten)
    for hold in state.assetHolds.keys where gone.contains(hold.address) { setHold(hold, nil) }
    return forgotten
  }

  /// Notes which assets a record has from now on.
  func setAssets(of name: ExactName, in key: ZoneKey, to new: [AssetAddress]) throws {
    let old = state.zones[key]?.assets[name] ?? []
    if old.isEmpty && new.isEmpty { return }
    for address in new where state.assets[address] == nil { throw StorageFailure.noAsset(address) }
    for address in Set(new).subtracting(old) { count(address, 1, key.database) }
    for address in Set(old).subtracting(new) { count(address, -1, key.database) }
    state.zones[key]?.assets[name] = new.isEmpty ? nil : new
    remember { $0.zones[key]?.assets[name] = old.isEmpty ? nil : old }
  }

  /// Notes that the records of a zone are about to go; the zone itself goes with whoever calls.
  func dropAssets(ofZone key: ZoneKey) {
    for addresses in (state.zones[key]?.assets ?? [:]).values {
      for address in Set(addresses) { count(address, -1, key.database) }
    }
  }

  private func count(_ address: AssetAddress, _ difference: Int, _ database: DatabaseKey) {
    guard var asset = state.assets[address] else { return }
    asset.uses += difference
    setAsset(address, asset)
    let hold = AssetHold(address: address, database: database)
    var held = state.assetHolds[hold] ?? MemoryHold(keptAt: asset.row.keptAt)
    held.uses += difference
    setHold(hold, held)
  }

  private func setHold(_ hold: AssetHold, _ held: MemoryHold?) {
    let old = state.assetHolds[hold]
    state.assetHolds[hold] = held
    remember { $0.assetHolds[hold] = old }
  }

  private func setAsset(_ address: AssetAddress, _ asset: MemoryAsset?) {
    let old = state.assets[address]
    state.assets[address] = asset
    remember { $0.assets[address] = old }
  }
}
