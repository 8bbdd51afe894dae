/// Why there is no answer: what happened, with which URL, and what to do.
public struct HTTPClientError: Error, Hashable, Sendable {
  /// The kinds of failures.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The URL is none that can be asked.
    case badURL
    /// A header cannot be sent.
    case badHeader
    /// No such host is known.
    case unknownHost
    /// Nobody answers at the address.
    case cannotConnect
    /// The server's certificate is not trusted, or is another's.
    case untrustedCertificate
    /// TLS failed for another reason.
    case tlsFailed
    /// The file of trusted certificates cannot be used.
    case badCAFile
    /// It took too long.
    case timedOut
    /// The connection broke before the answer was whole.
    case connectionLost
    /// What came is no HTTP.
    case malformedResponse
    /// The body is larger than the request allows.
    case responseTooLarge
    /// A file for a body cannot be read or written.
    case fileFailed
    /// Redirects lead in a circle, or to where they may not.
    case tooManyRedirects
    /// The task was cancelled.
    case cancelled
    /// The system or libcurl has no memory, thread or descriptor left, or failed in an unknown way.
    case clientFailed
  }

  /// The kind of failure.
  public var code: Code
  /// The URL, without query, user and password: tokens stand there.
  public var url: String
  /// What happened.
  public var message: String
  /// What to do.
  public var fix: String

  /// Describes a failure; without a fix it is the one of the table.
  public init(_ code: Code, url: String, _ message: String, fix: String? = nil) {
    self.code = code
    self.url = Self.shown(url)
    self.message = message
    self.fix = fix ?? Self.fixes[code] ?? ""
  }

  private static let fixes: [Code: String] = [
    .badURL: "give an absolute URL that begins with http:// or https://",
    .badHeader: "give a name of letters, digits and dashes, and a value in one line",
    .unknownHost: "check the host's name, and that this machine is online",
    .cannotConnect: "check host and port, and that the server runs",
    .untrustedCertificate:
      "name the file of the authority that signed it, or use the name that the certificate has",
    .tlsFailed: "check that the port speaks TLS 1.2 or newer",
    .badCAFile: "give a readable file of certificates in PEM",
    .timedOut: "try again, or allow more time",
    .connectionLost: "try again: it is not known whether the server did what was asked",
    .malformedResponse: "check that an HTTP server is at this address",
    .responseTooLarge: "ask for less, or allow more",
    .fileFailed: "check that the file is there, and the disk has room",
    .tooManyRedirects: "ask the place that the server names",
    .cancelled: "ask again",
    .clientFailed: "try again; raise the limits of memory, threads and open files",
  ]

  /// The URL as far as it is no secret, and no longer than a line.
  private static func shown(_ url: String) -> String {
    var rest = url.prefix { $0 != "?" && $0 != "#" }
    if let scheme = rest.firstRange(of: "://") {
      let authority = rest[scheme.upperBound...].prefix { $0 != "/" }
      if let at = authority.lastIndex(of: "@") {
        rest = rest[..<scheme.upperBound] + rest[authority.index(after: at)...]
      }
    }
    return String(rest.prefix(shownMax))
  }

  private static let shownMax = 200
}

extension HTTPClientError: CustomStringConvertible {
  /// URL, message and fix in one line.
  public var description: String { "\(url): \(message); \(fix)" }
}
