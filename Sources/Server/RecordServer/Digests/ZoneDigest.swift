public import RecordWire

/// The digest of a zone as a storage keeps it: a sum for each bucket.
public struct ZoneDigest: Hashable, Sendable {
  /// One sum for each bucket.
  public private(set) var buckets: [DigestSum]

  /// The digest of a zone without records.
  public init() {
    buckets = [DigestSum](repeating: DigestSum(), count: RecordDigest.bucketCount)
  }

  /// The sum of all.
  public var whole: DigestSum { buckets.reduce(into: DigestSum()) { $0 += $1 } }

  /// Adds a record.
  public mutating func add(_ record: RecordDigest) {
    if buckets.indices.contains(record.bucket) { buckets[record.bucket].add(record) }
  }

  /// Takes in what a commit has changed.
  public mutating func apply(_ change: DigestChange) {
    for (bucket, sum) in change.byBucket where buckets.indices.contains(bucket) {
      buckets[bucket] += sum
    }
  }

  /// Takes the buckets of a part as they were kept.
  public mutating func set(_ part: DigestPart, at number: Int) {
    for (index, sum) in part.sums.enumerated() {
      let bucket = DigestPart.firstBucket(of: number) + index
      if buckets.indices.contains(bucket) { buckets[bucket] = sum }
    }
  }
}

/// Some neighbouring buckets as bytes, for storages that keep them in a row.
///
/// A row for each bucket would make large commits slow, and one for all of them small ones.
public struct DigestPart: Hashable, Sendable {
  /// How many buckets a part has.
  public static let bucketCount = 16
  /// How many parts a zone has.
  public static let partCount = RecordDigest.bucketCount / bucketCount
  private static let numberBytes = MemoryLayout<UInt64>.size
  private static let sumBytes = 3 * numberBytes

  /// The buckets' sums.
  public private(set) var sums: [DigestSum]

  /// Reads what `stored` gives; what is missing of it counts as no records.
  public init(stored: [UInt8]) {
    sums = (0..<Self.bucketCount).map { index in
      func number(_ place: Int) -> UInt64 {
        let start = index * Self.sumBytes + place * Self.numberBytes
        guard stored.count >= start + Self.numberBytes else { return 0 }
        return stored[start..<(start + Self.numberBytes)].reduce(0) { $0 << 8 | UInt64($1) }
      }
      return DigestSum(count: number(0), value: Digest128(high: number(1), low: number(2)))
    }
  }

  /// The sums as bytes, the highest of each number first.
  public var stored: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.bucketCount * Self.sumBytes)
    for sum in sums {
      for number in [sum.count, sum.value.high, sum.value.low] {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
      }
    }
    return bytes
  }

  /// Which part a bucket belongs to.
  public static func number(ofBucket bucket: Int) -> Int { bucket / bucketCount }

  static func firstBucket(of number: Int) -> Int {
    (0..<partCount).contains(number) ? number * bucketCount : RecordDigest.bucketCount
  }

  /// Takes in what a commit has changed in a bucket of this part.
  public mutating func add(_ sum: DigestSum, toBucket bucket: Int) {
    let index = bucket % Self.bucketCount
    if sums.indices.contains(index) { sums[index] += sum }
  }
}
