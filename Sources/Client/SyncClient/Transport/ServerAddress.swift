/// Where a record server is, as its URL says: `https://records.example.com`.
public struct ServerAddress: Hashable, Sendable {
  /// Why a text is no address that is used.
  public enum Problem: Error, Hashable, Sendable {
    /// It does not begin as an address of a server does.
    case notAnAddress
    /// It has a user, a query, or characters that no URL has, or no host.
    case surplus
    /// It is plain HTTP to another machine: anyone on the way could read the tokens.
    case plainHTTP
  }

  /// The URL without a slash at its end.
  public let base: String
  /// Whether it is this machine.
  public let isLoopback: Bool

  /// Reads a server's URL; over plain HTTP a token may leave this machine only when that is wanted.
  public init(reading url: String, allowsPlainHTTP: Bool) throws(Problem) {
    let lowered = url.lowercased()
    guard let scheme = ["https://", "http://"].first(where: { lowered.hasPrefix($0) }) else {
      throw .notAnAddress
    }
    let rest = url.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !authority.isEmpty, !authority.contains("@"), !url.contains("?"), !url.contains("#"),
      url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else { throw .surplus }
    isLoopback = Self.isLoopback(authority)
    if scheme == "http://", !isLoopback, !allowsPlainHTTP { throw .plainHTTP }
    var base = url[...]
    while base.hasSuffix("/") { base.removeLast() }
    self.base = String(base)
  }

  private static func isLoopback(_ authority: Substring) -> Bool {
    if authority.hasPrefix("[") { return authority.prefix { $0 != "]" } == "[::1" }
    let host = authority.prefix { $0 != ":" }.lowercased()
    if host == "localhost" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }
}

extension ServerAddress.Problem {
  /// The problem as a sentence about an address, without a full stop.
  public func words(_ url: String) -> String {
    switch self {
    case .notAnAddress: "\"\(url)\" is no URL of a server"
    case .surplus:
      "the server's URL has a user, a query, or characters that no URL has, or no host"
    case .plainHTTP: "\(url) is plain HTTP: anyone on the way could read the token"
    }
  }
}
