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

  /// The version filter that the changes were read by; see `VersionFilter`.
  public struct Filter: Hashable, Sendable {
    /// Records that are sent after the filter was raised, before the changes go on.
    public struct Band: Hashable, Sendable {
      /// The highest version that the reader has.
      public var above: Int64
      /// The number up to which records have been sent.
      public var position: UInt64

      /// Describes what is left to be sent.
      public init(above: Int64, position: UInt64) {
        self.above = above
        self.position = position
      }
    }

    /// A hash of the filter without its version.
    public var fingerprint: UInt64
    /// The highest version that is sent.
    public var max: Int64
    /// What is sent first; nil for all passes but the one after the filter was raised.
    public var band: Band?

    /// Describes a filter.
    public init(fingerprint: UInt64, max: Int64, band: Band? = nil) {
      self.fingerprint = fingerprint
      self.max = max
      self.band = band
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
  /// The version filter, if there was one.
  public var filter: Filter?

  /// Makes a token.
  public init(
    feed: Feed, epoch: UInt64, sequence: UInt64, firstPull: FirstPull? = nil,
    filter: Filter? = nil
  ) {
    self.feed = feed
    self.epoch = epoch
    self.sequence = sequence
    self.firstPull = firstPull
    self.filter = filter
  }
}

extension SyncToken {
  private static let noun = "sync continuation"

  /// Which parts a token has, one bit each.
  private enum Part {
    static let firstPull: UInt64 = 1
    static let filter: UInt64 = 2
    static let band: UInt64 = 4
  }

  private var parts: UInt64 {
    (firstPull == nil ? 0 : Part.firstPull) | (filter == nil ? 0 : Part.filter)
      | (filter?.band == nil ? 0 : Part.band)
  }

  /// Reads a token that `text` spelled; throws for texts that it never did.
  public init(text: String) throws(WireError) {
    var reader = try TokenBytes.Reader(text, noun: Self.noun, kinds: [.zone, .database])
    feed = reader.kind == .zone ? .zone : .database
    epoch = try reader.number()
    sequence = try reader.number()
    let parts = try reader.number()
    if parts & Part.firstPull != 0 {
      firstPull = FirstPull(beganAt: try reader.number(), position: try reader.part())
    }
    if parts & Part.filter != 0 {
      filter = Filter(
        fingerprint: try reader.number(), max: Int64(bitPattern: try reader.number()))
    }
    if parts & Part.band != 0 {
      filter?.band = Filter.Band(
        above: Int64(bitPattern: try reader.number()), position: try reader.number())
    }
    try reader.end()
    guard parts == self.parts else { throw TokenBytes.foreign(Self.noun) }
  }

  /// The token as URL-safe base64.
  public var text: String {
    var bytes = TokenBytes(kind: feed == .zone ? .zone : .database)
    bytes.append(epoch)
    bytes.append(sequence)
    bytes.append(parts)
    if let firstPull {
      bytes.append(firstPull.beganAt)
      bytes.append(firstPull.position)
    }
    if let filter {
      bytes.append(filter.fingerprint)
      bytes.append(UInt64(bitPattern: filter.max))
    }
    if let band = filter?.band {
      bytes.append(UInt64(bitPattern: band.above))
      bytes.append(band.position)
    }
    return bytes.text
  }
}
