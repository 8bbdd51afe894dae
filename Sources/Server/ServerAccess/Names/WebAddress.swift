/// The parts of an absolute address that browsers use, read strictly.
struct WebAddress {
  var scheme: String
  /// The host as it stands there, lower case, IPv6 in its brackets.
  var host: String
  var port: String?
  /// Path and query; empty or beginning with `/` or `?`.
  var rest: String

  /// Reads `text`; nil for everything but http and https with a host, and for user names and fragments.
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), let colon = text.firstIndex(of: ":")
    else { return nil }
    scheme = text[..<colon].lowercased()
    let afterScheme = text[colon...]
    guard ["http", "https"].contains(scheme), afterScheme.hasPrefix("://") else { return nil }
    let tail = afterScheme.dropFirst(3)
    let end = tail.firstIndex { "/?#\\".contains($0) } ?? tail.endIndex
    rest = String(tail[end...])
    guard !rest.contains("#"), !rest.contains("\\"), !rest.contains("\"") else { return nil }
    guard let (host, port) = Self.authority(tail[..<end].lowercased()) else { return nil }
    self.host = host
    self.port = port
  }

  /// `host` or `host:port`.
  var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// Whether it leads to the machine that asks.
  var isLoopback: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

  private static func authority(_ text: String) -> (host: String, port: String?)? {
    let isBracketed = text.hasPrefix("[")
    let hostEnd =
      isBracketed
      ? text.firstIndex(of: "]").map { text.index(after: $0) }
      : text.firstIndex(of: ":") ?? text.endIndex
    guard let hostEnd else { return nil }
    let host = String(text[..<hostEnd])
    guard isBracketed ? isIPv6(host) : isName(host) else { return nil }
    if hostEnd == text.endIndex { return (host, nil) }
    let port = text[hostEnd...].dropFirst()
    guard text[hostEnd] == ":", let number = UInt16(port), number > 0, String(number) == port else {
      return nil
    }
    return (host, String(port))
  }

  private static func isName(_ host: String) -> Bool {
    !host.isEmpty
      && host.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "."), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  private static func isIPv6(_ host: String) -> Bool {
    host.utf8.count > 3
      && host.utf8.dropFirst().dropLast().allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: ":"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}
