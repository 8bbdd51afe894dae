import CommandKit
import SyncClient

extension ServerAddress {
  /// Reads a server's URL; over plain HTTP a token may leave this machine only when that is wanted.
  init(_ url: String, allowsPlainHTTP: Bool) throws(UsageError) {
    do throws(Problem) {
      try self.init(reading: url, allowsPlainHTTP: allowsPlainHTTP)
    } catch {
      throw UsageError(error.words(url), fix: error.fix)
    }
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
}

extension ServerAddress.Problem {
  /// What to do about it, on a command's line.
  fileprivate var fix: String {
    switch self {
    case .notAnAddress, .surplus: "write it as https://host or https://host:port"
    case .plainHTTP: "use https://, or add --insecure-http where you trust the network"
    }
  }
}
