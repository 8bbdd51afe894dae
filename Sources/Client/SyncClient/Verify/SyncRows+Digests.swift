import RecordWire
import SQLiteDriver

/// A record in short, as either side has it.
struct RecordMark: Hashable {
  var tag: ChangeTag?
  var digest: Digest128
}

extension SyncRows {
  /// Calls `body` with each confirmed record of a zone and its digest, made anew from its fields; those
  /// that the server has lost are confirmed no more.
  func forEachDigest(
    zone: Int64, _ body: (_ name: String, _ tag: ChangeTag?, RecordDigest) -> Void
  ) throws(SQLiteError) {
    let statement = try connection.statement(
      """
      SELECT r.name, r.type, b.tag, b.fields FROM contrail_sync_record AS r \
      JOIN contrail_sync_base AS b ON b.record = r.number \
      WHERE r.zone = ?1 AND b.tag IS NOT NULL
      """)
    defer { statement.reset() }
    statement.bind(1, zone)
    while try statement.step() {
      let name = statement.text(0)
      let digest = RecordDigest.of(
        name: name, type: statement.text(1),
        canonical: FieldBytes(checked: statement.bytes(3)))
      body(name, statement.isNull(2) ? nil : ChangeTag(statement.text(2)), digest)
    }
  }

  /// The sums of the digests of a zone's confirmed records, bucket by bucket, made anew.
  func digestSums(zone: Int64) throws(SQLiteError) -> [DigestSum] {
    var sums = [DigestSum](repeating: DigestSum(), count: RecordDigest.bucketCount)
    try forEachDigest(zone: zone) { _, _, digest in
      if sums.indices.contains(digest.bucket) { sums[digest.bucket].add(digest) }
    }
    return sums
  }

  /// The confirmed records of some buckets, by name.
  func marks(zone: Int64, buckets: Set<Int>) throws(SQLiteError) -> [NameKey: RecordMark] {
    var marks: [NameKey: RecordMark] = [:]
    try forEachDigest(zone: zone) { name, tag, digest in
      if buckets.contains(digest.bucket) {
        marks[NameKey(name)] = RecordMark(tag: tag, digest: digest.value)
      }
    }
    return marks
  }

  /// Whether the sums that are kept are `sums`.
  func keeps(_ sums: [DigestSum], zone: Int64) throws(SQLiteError) -> Bool {
    for (bucket, sum) in sums.enumerated() {
      if try digestSum(zone: zone, bucket: bucket) != sum { return false }
    }
    return true
  }

  /// Keeps `sums` in place of those that were wrong.
  func keep(_ sums: [DigestSum], zone: Int64) throws(SQLiteError) {
    try writeDigests()
    try run("DELETE FROM contrail_sync_bucket WHERE zone = ?1", zone)
    for (bucket, sum) in sums.enumerated() where sum != DigestSum() {
      try run(
        "INSERT INTO contrail_sync_bucket (zone, bucket, count, high, low) VALUES (?1, ?2, ?3, ?4, ?5)",
        zone, Int64(bucket), Int64(bitPattern: sum.count), Int64(bitPattern: sum.value.high),
        Int64(bitPattern: sum.value.low))
    }
  }
}
