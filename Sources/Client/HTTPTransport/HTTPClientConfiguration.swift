/// How a client behaves for all its requests; every limit has a name here.
public struct HTTPClientConfiguration: Hashable, Sendable {
  /// A file of certificates that are trusted in place of the system's; nil for the system's.
  ///
  /// There is no way to trust all of them.
  public var caFile: String?
  /// How long a connection may take to come about, TLS included.
  public var connectTimeout = Duration.seconds(15)
  /// Connections to one server at a time; more requests wait for one of them.
  public var connectionsPerHostMax = 16
  /// Connections at a time, idle ones included.
  public var connectionsMax = 64
  /// How long a connection may be idle and be used again after that: what is older, somebody on the way may
  /// have forgotten.
  public var idleConnectionMax = Duration.seconds(118)
  /// Whether `https_proxy`, `http_proxy` and `no_proxy` of the environment are obeyed.
  public var usesProxyOfEnvironment = true
  /// What the client calls itself.
  public var userAgent = "contrail"

  /// The usual behaviour.
  public init() {}
}
