/// About how many bytes a page that is read shall have: less after one took too long.
public struct PageSize: Hashable, Sendable {
  /// What a page has where nothing stands in the way.
  public static let bytesMax = 1 << 20
  /// What it has at least, also over the slowest of networks.
  public static let bytesMin = 1 << 16

  /// What is asked for now.
  public private(set) var bytes = bytesMax

  /// Begins with the most.
  public init() {}

  /// No answer came in time.
  public mutating func halve() { bytes = max(Self.bytesMin, bytes / 2) }

  /// One came: more the next time, up to the limit.
  public mutating func grow() { bytes = min(Self.bytesMax, bytes * 2) }
}
