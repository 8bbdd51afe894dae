/// Asks for the digests of zones: the request of `zones/digest`.
public struct ZoneDigestRequest: Hashable, Sendable {
  /// A zone, and how much is wanted of it.
  public struct Item: Hashable, Sendable {
    /// The zone.
    public var zone: ZoneIdentity
    /// Whether the digest of each bucket is wanted too.
    public var wantsBuckets: Bool
    /// Which records do not count, since they are made for later versions.
    public var versionFilter: VersionFilter?
    /// The buckets whose records are wanted one by one; nil for none.
    public var recordsOf: [Int]?
    /// Where the list of records goes on: what the answer before gave as `recordsNext`.
    public var recordsAfter: Int?

    /// Names a zone.
    public init(
      _ zone: ZoneIdentity, wantsBuckets: Bool = false, versionFilter: VersionFilter? = nil,
      recordsOf: [Int]? = nil, recordsAfter: Int? = nil
    ) {
      self.zone = zone
      self.wantsBuckets = wantsBuckets
      self.versionFilter = versionFilter
      self.recordsOf = recordsOf
      self.recordsAfter = recordsAfter
    }
  }

  /// The zones, in the order of the answer.
  public var zones: [Item]

  /// Makes a request.
  public init(zones: [Item]) { self.zones = zones }
}

/// The digests of zones: the answer to `zones/digest`.
public struct ZoneDigestResponse: Hashable, Sendable {
  /// One zone's digest, or why there is none.
  public enum Entry: Hashable, Sendable {
    /// The digest.
    case state(ZoneDigestState)
    /// Why there is none.
    case failure(ItemFailure)
  }

  /// One entry for each zone of the request, in its order.
  public var zones: [Entry]

  /// Makes an answer.
  public init(zones: [Entry]) { self.zones = zones }
}

/// What a zone holds at one moment, as a digest.
public struct ZoneDigestState: Hashable, Sendable {
  /// The zone.
  public var zone: ZoneIdentity
  /// The moment, as the token of somebody who has read everything up to it.
  public var syncToken: String
  /// How many live records there are.
  public var count: Int64
  /// The sum of their digests; see `DigestSum`.
  public var digest: Digest128
  /// The sum of each bucket, where they were asked for; see `RecordDigest.bucket`.
  public var buckets: [Digest128]?
  /// The live records of the buckets that were asked for, in no order that means anything.
  public var records: [DigestedRecord]?
  /// Where the list of records goes on; nil where that was all.
  public var recordsNext: Int?

  /// Describes a zone.
  public init(
    zone: ZoneIdentity, syncToken: String, count: Int64, digest: Digest128,
    buckets: [Digest128]? = nil, records: [DigestedRecord]? = nil, recordsNext: Int? = nil
  ) {
    self.zone = zone
    self.syncToken = syncToken
    self.count = count
    self.digest = digest
    self.buckets = buckets
    self.records = records
    self.recordsNext = recordsNext
  }
}

/// A live record in short: enough to see whether somebody else has the same.
public struct DigestedRecord: Hashable, Sendable {
  /// The record's name.
  public var recordName: String
  /// The tag of its state.
  public var changeTag: ChangeTag
  /// Its digest; see `RecordDigest`.
  public var digest: Digest128

  /// Describes a record.
  public init(recordName: String, changeTag: ChangeTag, digest: Digest128) {
    self.recordName = recordName
    self.changeTag = changeTag
    self.digest = digest
  }
}
