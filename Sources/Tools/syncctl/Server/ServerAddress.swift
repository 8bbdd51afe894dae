import CommandKit

/// Where a record server is, as its URL says: `https://records.example.com`.
struct ServerAddress {
  /// The URL without a slash at its end.
  let base: String
  /// Whether it is this machine.
  let isLoopback: Bool

  /// Reads a server's URL; over plain HTTP a token may leave this machine only when that is wanted.
  init(_ url: String, allowsPlainHTTP: Bool) throws(UsageError) {
    let lowered = url.lowercased()
    guard let scheme = ["https://", "http://"].first(where: { lowered.hasPrefix($0) }) else {
      throw UsageError(
        "\"\(url)\" is no URL of a server", fix: "write it as https://host or https://host:port")
    }
    let rest = url.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !authority.isEmpty, !authority.contains("@"), !url.contains("?"), !url.contains("#"),
      url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else {
      throw UsageError(
        "the server's URL has a user, a query, or characters that no URL has, or no host",
        fix: "write it as https://host or https://host:port")
    }
    isLoopback = Self.isLoopback(authority)
    if scheme == "http://", !isLoopback, !allowsPlainHTTP {
      throw UsageError(
        "\(url) is plain HTTP: anyone on the way could read the token",
        fix: "use https://, or add --insecure-http where you trust the network")
    }
    var base = url[...]
    while base.hasSuffix("/") { base.removeLast() }
    self.base = String(base)
  }

  /// The server and the container of `https://host/container`.
  static func withContainer(
    _ url: String, allowsPlainHTTP: Bool
  ) throws(UsageError) -> (server: ServerAddress, container: String) {
    let whole = try ServerAddress(url, allowsPlainHTTP: allowsPlainHTTP).base
    let parts = whole.split(separator: "/", omittingEmptySubsequences: false)
    // Scheme, nothing, host and container.
    guard parts.count >= 4, let container = parts.last, !container.isEmpty else {
      throw UsageError(
        "\(url) names a server and no container", fix: "write it as https://host/container")
    }
    let server = parts.dropLast().joined(separator: "/")
    return (
      try ServerAddress(server, allowsPlainHTTP: allowsPlainHTTP), String(container)
    )
  }

  /// Whether the argument is a URL rather than a path.
  static func isURL(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start == "https://"
  }

  private static func isLoopback(_ authority: Substring) -> Bool {
    if authority.hasPrefix("[") { return authority.prefix { $0 != "]" } == "[::1" }
    let host = authority.prefix { $0 != ":" }.lowercased()
    if host == "localhost" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }
}
