import RecordWire

/// `zones/digest`: what zones hold, so that clients can see whether they have the same.
enum DigestZones: ReadingOperation {
  static let path = "zones/digest"

  static func answer(
    _ request: ZoneDigestRequest, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> ZoneDigestResponse {
    // All of one transaction: each token is of the moment that its digest is of.
    var counting = FilteredDigest(recordsLeft: context.limits.filteredDigestRecordsMax)
    var listing = BucketListing(context.limits)
    return ZoneDigestResponse(
      zones: try request.zones.map { item in
        do {
          return .state(try state(item, reading.transaction, context.zones, &counting, &listing))
        } catch let failure as RequestFailure {
          return .failure(ItemFailure(.zone(item.zone), failure))
        }
      })
  }

  private static func state(
    _ item: ZoneDigestRequest.Item, _ transaction: any StorageTransaction,
    _ zones: ZoneResolution, _ counting: inout FilteredDigest, _ listing: inout BucketListing
  ) throws -> ZoneDigestState {
    let key = try zones.key(item.zone)
    guard key.isCustom, let zone = try transaction.liveZone(key) else {
      throw RequestFailure.noChangesOfDefaultZone
    }
    var token = zone.token
    let digest: ZoneDigest
    let filter = item.versionFilter.map(FilteredReading.init)
    if let filter {
      digest = try counting.digest(of: key, by: filter, in: transaction)
      token.filter = filter.mark(band: nil)
    } else {
      digest = try transaction.digest(of: key)
    }
    let whole = digest.whole
    let page = try item.recordsOf.map { buckets in
      try listing.page(
        of: buckets, in: key, after: item.recordsAfter ?? 0, by: filter, transaction)
    }
    return ZoneDigestState(
      zone: key.identity, syncToken: token.text, count: Int64(clamping: whole.count),
      digest: whole.value, buckets: item.wantsBuckets ? digest.buckets.map(\.value) : nil,
      records: page?.records, recordsNext: page?.next)
  }
}

/// Makes digests of the records that a version filter lets pass, which nothing keeps: it reads the zone.
struct FilteredDigest {
  /// How many records may still be read.
  var recordsLeft: Int
  /// How many are read at a time.
  private static let stepRecords = 1_000

  init(recordsLeft: Int) { self.recordsLeft = recordsLeft }

  mutating func digest(
    of zone: ZoneKey, by filter: FilteredReading, in transaction: any StorageTransaction
  ) throws -> ZoneDigest {
    var digest = ZoneDigest()
    var position: UInt64 = 0
    while true {
      let found = try transaction.changes(
        of: zone, after: position, upTo: .max, order: .oldestFirst,
        limit: PageLimit(records: Self.stepRecords), withTombstones: false)
      recordsLeft -= found.rows.count
      if recordsLeft < 0 {
        throw RequestFailure.badRequest(
          "the zone has too many records for a digest under a version filter")
      }
      for row in found.rows where !filter.isAbove(row) {
        if let record = row.digest { digest.add(record) }
      }
      guard found.next != nil, let last = found.rows.last else { return digest }
      position = last.sequence
    }
  }
}
