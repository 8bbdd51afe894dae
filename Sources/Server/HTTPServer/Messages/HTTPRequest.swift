/// A request with its whole body.
public struct HTTPRequest: Sendable {
  /// What came before the body.
  public let head: HTTPRequestHead
  /// The body, whole and expanded; empty where there is none.
  public let body: [UInt8]
  /// Who sent it.
  public let remoteAddress: RemoteAddress
  /// A number that no other request to this server has.
  public let id: UInt64
  /// Whether it came over TLS.
  public let isSecure: Bool

  /// Puts a request together, as the server does and as tests of handlers may.
  package init(
    head: HTTPRequestHead, body: [UInt8], remoteAddress: RemoteAddress, id: UInt64, isSecure: Bool
  ) {
    self.head = head
    self.body = body
    self.remoteAddress = remoteAddress
    self.id = id
    self.isSecure = isSecure
  }

  /// The method.
  public var method: HTTPMethod { head.method }
  /// The headers.
  public var headers: HTTPRequestHeaders { head.headers }
  /// The path, still percent-encoded.
  public var path: String { head.path }
  /// What follows the first question mark, still percent-encoded.
  public var query: String? { head.query }
  /// The target as it was sent.
  public var target: String { head.target }
}
