public import RecordWire

/// What a commit changes in the digest of its zone, by buckets.
public struct DigestChange: Hashable, Sendable {
  /// What each bucket grows by; a sum of what leaves it counts backwards, modulo 2^64.
  public private(set) var byBucket: [Int: DigestSum] = [:]

  /// Sums up what records bring and what those bring away that they replace.
  public init(_ writes: [RecordWrite]) {
    for write in writes {
      if let digest = write.row.digest { byBucket[digest.bucket, default: DigestSum()].add(digest) }
      if let old = write.replacedDigest {
        byBucket[old.bucket, default: DigestSum()].remove(old)
      }
    }
  }
}

extension RecordRow {
  /// The record's digest; nil for a tombstone, which digests do not count.
  public var digest: RecordDigest? {
    if isDeleted { return nil }
    // Stored fields are in canonical form but for their assets. Fields that cannot be read count as
    // they stand, so that somebody may still replace them.
    if hasAssets, let digest = try? RecordDigest.of(name: name, type: type, fields: fields) {
      return digest
    }
    return .of(name: name, type: type, canonical: fields)
  }
}
