import CommandKit
import HTTPServer

/// Where the daemon listens, and with which certificate.
enum ListenSettings {
  /// The addresses; plain HTTP on others than loopback only where somebody says so.
  static func addresses(_ settings: Settings) throws(UsageError) -> [ListenAddress] {
    var addresses: [ListenAddress] = []
    for text in settings.list("listen") { addresses.append(try address(text)) }
    let isSecure = settings.text("tls-certificate") != nil
    if !isSecure && !settings.flag("insecure-http") {
      for address in addresses where !address.isLoopback {
        throw UsageError(
          "plain HTTP on \(address) would show everybody's tokens to the network",
          fix:
            "give --tls-certificate and --tls-key, or --insecure-http behind a proxy that does TLS"
        )
      }
    }
    return addresses
  }

  /// Certificate and key; nil for plain HTTP.
  static func tls(_ settings: Settings) throws(UsageError) -> TLSFiles? {
    switch (settings.text("tls-certificate"), settings.text("tls-key")) {
    case (nil, nil): return nil
    case (let chain?, let key?): return TLSFiles(certificateChain: chain, privateKey: key)
    default:
      throw UsageError(
        "TLS needs a certificate and its key", fix: "give --tls-certificate and --tls-key")
    }
  }

  private static func address(_ text: String) throws(UsageError) -> ListenAddress {
    if text.hasPrefix("unix:") { return .unix(path: String(text.dropFirst("unix:".count))) }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else {
      throw UsageError(
        "\"\(text)\" is no address to listen on",
        fix: "write HOST:PORT such as 127.0.0.1:8080, or unix:PATH")
    }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    return .tcp(host: host == "localhost" ? "127.0.0.1" : host, port: port)
  }
}

extension ListenAddress {
  /// Whether only programs of this machine can reach it.
  fileprivate var isLoopback: Bool {
    switch self {
    case .unix: true
    case .tcp(let host, _): host == "::1" || host.hasPrefix("127.")
    }
  }
}
