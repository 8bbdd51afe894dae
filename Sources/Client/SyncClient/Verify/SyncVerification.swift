public import SyncCore

/// What came of comparing a store with its server: what the server is known to have against what it has,
/// and that against the objects.
public struct SyncVerification: Hashable, Sendable {
  /// How the server's side was read.
  public enum Method: String, Hashable, Sendable {
    /// By digests: a few short requests.
    case digests
    /// By reading every record, since the server has no digests.
    case wholeZone
  }

  /// Something that is not as it should be.
  public struct Difference: Hashable, Sendable {
    /// What is different.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// The server has a record that is not known here.
      case missingHere
      /// The server lacks a record that it had confirmed.
      case missingThere
      /// The server has other fields than were confirmed.
      case different
      /// The object of a record is gone, and nobody deleted it.
      case objectMissing
      /// The object has other values than its record, and nobody edited it.
      case objectDiffers
      /// An object has no record, and nothing of it waits to be sent.
      case objectUnsent
    }

    /// What is different.
    public var kind: Kind
    /// The record's name; for an object without a record its entity and key.
    public var recordName: String
    /// The record's type; empty where it is not known.
    public var recordType: String
    /// The fields that differ, as far as they were compared.
    public var fields: [String] = []
    /// Whether it was put right, or will be by the next pass.
    public var isRepaired = false
  }

  /// How many differences are listed; all are counted.
  public static let differencesMax = 1_000

  /// Why it ended; only `complete` compared everything.
  public var outcome: SyncMachine.Outcome = .complete
  /// How the server's side was read.
  public var method = Method.digests
  /// The records that the server has confirmed, as this store knows.
  public var records = 0
  /// The live records that the server has.
  public var serverRecords = 0
  /// The objects and pairs that were compared with their records.
  public var objects = 0
  /// Records that were not compared with objects: a new record or a deletion that is pending, parked or
  /// failed.
  public var changing = 0
  /// Records that are no objects here: of an unknown type, or for later versions.
  public var held = 0
  /// Whether the sums of digests that this store keeps were right.
  public var sumsAgree = true
  /// The differences, `differencesMax` at most: of records first.
  public var differences: [Difference] = []
  /// How many there are.
  public var differenceCount = 0
  /// How many of them were put right.
  public var repaired = 0
  /// How many requests were sent.
  public var calls = 0

  /// Whether everything was compared and is equal.
  public var isEqual: Bool { outcome == .complete && differenceCount == 0 && sumsAgree }

  mutating func add(_ difference: Difference) {
    differenceCount += 1
    if difference.isRepaired { repaired += 1 }
    if differences.count < Self.differencesMax { differences.append(difference) }
  }
}
