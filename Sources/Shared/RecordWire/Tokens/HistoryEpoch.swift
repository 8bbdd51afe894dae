/// The number that tells one history of a zone, or of a storage, from any other.
///
/// Its higher bits say of which zone; the lower ones change when a server is put back to a backup, so that
/// tokens of what was lost are told from those of what happens since.
public enum HistoryEpoch {
  /// The bits that change when a history goes on from a backup.
  public static let restoredBits: UInt64 = (1 << 24) - 1

  /// The epoch of the history that goes on from a backup of one; `salt` is random.
  public static func renewed(_ epoch: UInt64, salt: UInt64) -> UInt64 { epoch ^ change(salt) }

  /// The bits of an epoch that a random number changes: never none.
  public static func change(_ salt: UInt64) -> UInt64 { max(1, salt & restoredBits) }

  /// Whether both are histories of one zone, of which one goes on from a backup of the other.
  public static func areRelated(_ one: UInt64, _ other: UInt64) -> Bool {
    one & ~restoredBits == other & ~restoredBits
  }
}
