/// A place in the changes of a zone or a database, as text that clients do not look into.
public struct SyncToken: Hashable, Sendable {
  /// Whose changes they are.
  public enum Feed: Hashable, Sendable, CaseIterable {
    /// Records of one zone.
    case zone
    /// Zones of one database.
    case database
  }

  /// A first pull that has not come to its end: it reads live records only.
  public struct FirstPull: Hashable, Sendable {
    /// The sequence at which it began: what was deleted since then has to be told.
    public var beganAt: UInt64
    /// Where it goes on, in the server's own terms.
    public var position: [UInt8]

    /// Describes a first pull.
    public init(beganAt: UInt64, position: [UInt8]) {
      self.beganAt = beganAt
      self.position = position
    }
  }

  /// Whose changes they are.
  public var feed: Feed
  /// Which history: a server restored from a backup begins another one.
  public var epoch: UInt64
  /// The last change that the reader has.
  public var sequence: UInt64
  /// The first pull that is under way; nil after it, and in every later pass.
  public var firstPull: FirstPull?

  /// Makes a token.
  public init(feed: Feed, epoch: UInt64, sequence: UInt64, firstPull: FirstPull? = nil) {
    self.feed = feed
    self.epoch = epoch
    self.sequence = sequence
    self.firstPull = firstPull
  }
}

extension SyncToken {
  private static let noun = "sync continuation"

  /// Reads a token that `text` spelled; throws for texts that it never did.
  public init(text: String) throws(WireError) {
    var reader = try TokenBytes.Reader(text, noun: Self.noun, kinds: [.zone, .database])
    feed = reader.kind == .zone ? .zone : .database
    epoch = try reader.number()
    sequence = try reader.number()
    if try reader.number() != 0 {
      firstPull = FirstPull(beganAt: try reader.number(), position: try reader.part())
    }
    try reader.end()
  }

  /// The token as URL-safe base64.
  public var text: String {
    var bytes = TokenBytes(kind: feed == .zone ? .zone : .database)
    bytes.append(epoch)
    bytes.append(sequence)
    bytes.append(firstPull == nil ? 0 : 1)
    if let firstPull {
      bytes.append(firstPull.beganAt)
      bytes.append(firstPull.position)
    }
    return bytes.text
  }
}
