/// How much one request of a push has: what the server allows, less after it was too much.
public struct BatchSize: Hashable, Sendable {
  /// The operations of a request that the protocol allows.
  public static let protocolMax = 200
  /// The most operations of a request, whatever a server says that it takes.
  public static let operationsMax = 10_000
  /// About how many bytes of fields one request has.
  public static let bytesMax = 1 << 20
  /// How many bytes one request has at least, also over the slowest of networks.
  public static let bytesMin = 1 << 14

  /// The most operations that the server is known to take.
  public private(set) var limit: Int
  /// How many are sent now.
  public private(set) var current: Int
  /// About how many bytes of fields are sent now.
  public private(set) var currentBytes = bytesMax

  /// Begins with what the protocol allows.
  public init(limit: Int = protocolMax) {
    self.limit = min(max(1, limit), Self.operationsMax)
    current = self.limit
  }

  /// It was too much, for the server or for the time that a request may take; false where nothing is left
  /// to halve.
  ///
  /// `sent` is how many operations the request had, where that is known.
  public mutating func halve(sent: Int = .max) -> Bool {
    guard current > 1 || currentBytes > Self.bytesMin else { return false }
    current = max(1, min(current, sent) / 2)
    currentBytes = max(Self.bytesMin, currentBytes / 2)
    return true
  }

  /// It went well: a little more the next time, up to the limits.
  public mutating func grow() {
    current = min(limit, current + max(1, current / 4))
    currentBytes = min(Self.bytesMax, currentBytes + currentBytes / 4)
  }
}
