import RecordWire

/// A zone as a storage keeps it.
public struct ZoneRow: Hashable, Sendable {
  /// Which zone it is.
  public var key: ZoneKey
  /// Tells the zone from an earlier one of its name: tokens name it.
  public var epoch: UInt64
  /// The number of the last change to a record of the zone; 0 before the first.
  public var sequence: UInt64
  /// Tombstones up to this number are gone, so that a token below it has expired.
  public var floor: UInt64
  /// The number of the last change to the zone among all changes of its database.
  public var databaseSequence: UInt64
  /// Whether this is what is left of a deleted zone.
  public var isDeleted: Bool

  /// Describes a zone without records.
  public init(_ key: ZoneKey, epoch: UInt64, databaseSequence: UInt64) {
    self.key = key
    self.epoch = epoch
    self.databaseSequence = databaseSequence
    sequence = 0
    floor = 0
    isDeleted = false
  }

  /// Gives no number again that a zone of the same name has given.
  public mutating func follow(_ old: ZoneRow?) {
    guard let old, old.sequence > 0 else { return }
    sequence = HistoryEpoch.sequence(after: old.sequence, in: epoch)
  }

  /// Begins another history of the zone, which goes on from a backup.
  public mutating func renew(_ epoch: UInt64) {
    self.epoch = epoch
    sequence = HistoryEpoch.sequence(after: sequence, in: epoch)
  }
}
