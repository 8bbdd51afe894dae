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

  /// Where the numbers of a zone's changes go on in a history that follows one of which only `last` is known.
  ///
  /// What was lost may have had any numbers above that, and requests of then may still arrive: a change tag that
  /// is given again would have them change another state than they were made for.
  public static func sequence(after last: UInt64, in epoch: UInt64) -> UInt64 {
    ((last >> blockBits) &+ 1 &+ (epoch & lifeBits)) << blockBits
  }

  /// No history has as many changes as these bits count.
  private static let blockBits: UInt64 = 32
  /// What tells histories apart that go on from the same backup.
  private static let lifeBits: UInt64 = (1 << 16) - 1

  /// Whether both are histories of one zone, of which one goes on from a backup of the other.
  public static func areRelated(_ one: UInt64, _ other: UInt64) -> Bool {
    one & ~restoredBits == other & ~restoredBits
  }
}
