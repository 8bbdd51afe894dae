/// How much of a request is taken before it is refused.
public struct HTTPLimits: Hashable, Sendable {
  /// Bytes of a head, with the empty line that ends it; 431 beyond.
  public var headBytesMax = 32 * 1024
  /// Bytes of a target; 414 beyond.
  public var targetBytesMax = 8 * 1024
  /// Bytes of a method; 501 beyond.
  public var methodBytesMax = 32
  /// Headers of one request; 431 beyond.
  public var headersMax = 100
  /// Bytes of a body as it is sent, where no hook says otherwise; 413 beyond.
  public var bodyBytesMax = 2 * 1024 * 1024
  /// Bytes of a gzip body after expansion; 413 beyond.
  public var expandedBodyBytesMax = 16 * 1024 * 1024
  /// Bytes of all chunk extensions of one body; 400 beyond.
  public var chunkExtensionBytesMax = 1024
  /// Bytes of the trailers, which are dropped; 431 beyond.
  public var trailerBytesMax = 8 * 1024

  /// The limits that suit a server of small messages.
  public init() {}

  /// The longest head that any setting allows, so that places in it fit into 32 bits.
  static let headBytesCeiling = 1024 * 1024
}
