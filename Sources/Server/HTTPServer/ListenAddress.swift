/// Where a server listens.
public enum ListenAddress: Hashable, Sendable {
  /// A numeric IPv4 or IPv6 address and a port; port 0 stands for any free one.
  case tcp(host: String, port: UInt16)
  /// A Unix socket; a socket that is there already is replaced when nobody listens on it.
  case unix(path: String)
}

extension ListenAddress: CustomStringConvertible {
  /// The address as it stands in a URL, or the path.
  public var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): path
    }
  }
}
