/// An index that is being filled.
public struct PendingIndex: Hashable, Sendable {
  /// The index.
  public var key: IndexKey
  /// Whether every value has its entry already, so that only records without one are missing.
  public var hasValues: Bool
  /// Up to which of all records it is filled, as the storage counts them.
  public var position: UInt64

  /// Describes an index that nothing was filled into yet.
  public init(_ key: IndexKey, hasValues: Bool = false, position: UInt64 = 0) {
    self.key = key
    self.hasValues = hasValues
    self.position = position
  }
}

/// A part of all records of a storage.
public struct RecordBatch: Sendable {
  /// The records with their zones.
  public var records: [FoundRecord]
  /// The position of the last one.
  public var position: UInt64
  /// Whether there are no more.
  public var isLast: Bool

  /// Describes a part.
  public init(_ records: [FoundRecord], position: UInt64, isLast: Bool) {
    self.records = records
    self.position = position
    self.isLast = isLast
  }
}

/// A record, and the zone that it was found in.
public struct FoundRecord: Hashable, Sendable {
  /// The zone.
  public var zone: ZoneKey
  /// The record.
  public var row: RecordRow

  /// Describes what was found.
  public init(_ zone: ZoneKey, _ row: RecordRow) {
    self.zone = zone
    self.row = row
  }
}
