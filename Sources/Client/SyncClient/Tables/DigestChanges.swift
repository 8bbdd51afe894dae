import RecordWire
import SQLiteDriver

/// What a transaction has changed of the sums of the digests: a page or a batch changes each of them
/// several times, and they are written once.
final class DigestChanges {
  private struct Place: Hashable {
    var zone: Int64
    var bucket: Int
  }

  private var changes: [Place: DigestSum] = [:]

  func add(_ digest: RecordDigest, zone: Int64) {
    changes[Place(zone: zone, bucket: digest.bucket), default: DigestSum()].add(digest)
  }

  func remove(_ digest: RecordDigest, zone: Int64) {
    changes[Place(zone: zone, bucket: digest.bucket), default: DigestSum()].remove(digest)
  }

  /// What is to be added to a sum that is stored; all is modulo 2^64, so that it may be what was taken away.
  func change(zone: Int64, bucket: Int) -> DigestSum? {
    changes[Place(zone: zone, bucket: bucket)]
  }

  /// What is to be added to sums, in an order that is always the same; afterwards nothing is.
  func takeAll() -> [(zone: Int64, bucket: Int, sum: DigestSum)] {
    defer { changes = [:] }
    return changes.map { ($0.key.zone, $0.key.bucket, $0.value) }
      .sorted { ($0.zone, $0.bucket) < ($1.zone, $1.bucket) }
  }
}

extension SyncRows {
  func addDigest(
    _ fields: FieldBytes, of record: RecordRow, isRemoved: Bool
  ) throws(SQLiteError) {
    let digest = RecordDigest.of(name: record.name, type: record.type, canonical: fields)
    let changes = digests ?? DigestChanges()
    if isRemoved {
      changes.remove(digest, zone: record.zone)
    } else {
      changes.add(digest, zone: record.zone)
    }
    if digests == nil { try write(changes) }
  }

  /// Writes the sums that have changed since.
  func writeDigests() throws(SQLiteError) {
    if let digests { try write(digests) }
  }

  private func write(_ changes: DigestChanges) throws(SQLiteError) {
    for change in changes.takeAll() {
      var sum = try storedDigestSum(zone: change.zone, bucket: change.bucket)
      sum += change.sum
      let statement = try connection.statement(
        """
        INSERT INTO contrail_sync_bucket (zone, bucket, count, high, low) VALUES (?1, ?2, ?3, ?4, ?5) \
        ON CONFLICT (zone, bucket) DO UPDATE SET count = ?3, high = ?4, low = ?5
        """)
      statement.bind(1, change.zone)
      statement.bind(2, Int64(change.bucket))
      statement.bind(3, Int64(bitPattern: sum.count))
      statement.bind(4, Int64(bitPattern: sum.value.high))
      statement.bind(5, Int64(bitPattern: sum.value.low))
      try statement.run()
    }
  }

  /// The sum of the digests of one bucket's bases.
  func digestSum(zone: Int64, bucket: Int) throws(SQLiteError) -> DigestSum {
    var sum = try storedDigestSum(zone: zone, bucket: bucket)
    if let change = digests?.change(zone: zone, bucket: bucket) { sum += change }
    return sum
  }

  private func storedDigestSum(zone: Int64, bucket: Int) throws(SQLiteError) -> DigestSum {
    let statement = try connection.statement(
      "SELECT count, high, low FROM contrail_sync_bucket WHERE zone = ?1 AND bucket = ?2")
    defer { statement.reset() }
    statement.bind(1, zone)
    statement.bind(2, Int64(bucket))
    guard try statement.step() else { return DigestSum() }
    return DigestSum(
      count: UInt64(bitPattern: statement.integer(0)),
      value: Digest128(
        high: UInt64(bitPattern: statement.integer(1)),
        low: UInt64(bitPattern: statement.integer(2))))
  }
}
