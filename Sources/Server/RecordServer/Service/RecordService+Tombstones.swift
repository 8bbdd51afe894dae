extension RecordService {
  /// Takes away the tombstones that were made before `moment`, in milliseconds since 1970, each zone's in
  /// a transaction of its own, and forgets zones that were deleted before; tells of how many zones.
  ///
  /// Who has not read a feed since then has to begin anew: their token is below the zone's floor.
  public func dropTombstones(madeBefore moment: Int64) async throws -> Int {
    let zones = try await storage.read { try $0.tombstones(madeBefore: moment) }
    for (zone, sequence) in zones.sorted(by: { $0.key.name < $1.key.name }) {
      try await storage.write { transaction in
        // It may have been deleted since it was looked at.
        guard let row = try transaction.zone(zone), !row.isDeleted else { return }
        try transaction.dropTombstones(of: zone, upTo: sequence)
      }
    }
    return try await zones.count + forgetZones(deletedBefore: moment)
  }

  private func forgetZones(deletedBefore moment: Int64) async throws -> Int {
    var total = 0
    while !Task.isCancelled {
      let count = try await storage.write {
        try $0.forgetZones(deletedBefore: moment, limit: ServiceLimits.choreRecordsMax)
      }
      total += count
      if count < ServiceLimits.choreRecordsMax { break }
    }
    return total
  }
}
