import RecordWire

/// Lists the live records of some buckets of zones, within the limits of one request.
///
/// No storage has an index by bucket, which every write would pay for: it reads the zone in the order of
/// its changes, and says where it stopped.
struct BucketListing {
  /// How many records may still be read, for all zones of the request.
  private var readsLeft: Int
  /// How many may still be listed.
  private var entriesLeft: Int
  /// How many are read at a time.
  private static let stepRecords = 1_000

  init(_ limits: ServiceLimits) {
    readsLeft = limits.digestedRecordsReadMax
    entriesLeft = limits.digestedRecordsMax
  }

  /// The records whose last change comes after `position`, as many as there is room for, and where the
  /// next page begins; nil where that was all.
  mutating func page(
    of buckets: [Int], in zone: ZoneKey, after position: Int, by filter: FilteredReading?,
    _ transaction: any StorageTransaction
  ) throws -> (records: [DigestedRecord], next: Int?) {
    let wanted = Set(buckets)
    var records: [DigestedRecord] = []
    var position = UInt64(clamping: position)
    while readsLeft > 0 {
      let found = try transaction.changes(
        of: zone, after: position, upTo: .max, order: .oldestFirst,
        limit: PageLimit(records: min(Self.stepRecords, readsLeft)), withTombstones: false)
      for row in found.rows {
        if entriesLeft <= 0 { return (records, Int(clamping: position)) }
        readsLeft -= 1
        position = row.sequence
        guard wanted.contains(RecordDigest.bucket(of: row.name)), filter?.isAbove(row) != true,
          let digest = row.digest
        else { continue }
        entriesLeft -= 1
        records.append(
          DigestedRecord(
            recordName: row.name, changeTag: row.changeTag, digest: digest.value))
      }
      if found.next == nil || found.rows.isEmpty { return (records, nil) }
    }
    return (records, Int(clamping: position))
  }
}
