/// What a request says before its body.
///
/// It keeps the bytes as they came, in one array, and the places of its parts; texts are made when asked for.
public struct HTTPRequestHead: Sendable {
  /// The method.
  public let method: HTTPMethod
  /// The version.
  public let version: HTTPVersion
  /// The headers.
  public let headers: HTTPRequestHeaders
  /// How the body is delimited.
  package let framing: BodyFraming
  /// Whether the client waits for `100 Continue` before it sends the body.
  package let expectsContinue: Bool
  /// Whether the client asks for the connection to be closed, or cannot keep it open.
  package let closesConnection: Bool

  private let targetRange: Range<Int>
  private let pathRange: Range<Int>
  private let queryRange: Range<Int>?

  package init(
    method: HTTPMethod, version: HTTPVersion, headers: HTTPRequestHeaders, target: RequestTarget,
    framing: BodyFraming, expectsContinue: Bool, closesConnection: Bool
  ) {
    self.method = method
    self.version = version
    self.headers = headers
    self.framing = framing
    self.expectsContinue = expectsContinue
    self.closesConnection = closesConnection
    targetRange = target.whole
    pathRange = target.path
    queryRange = target.query
  }

  /// The target as it was sent.
  public var target: String { headers.text(in: targetRange) }

  /// The bytes of the target as they were sent, for signatures.
  public var targetBytes: ArraySlice<UInt8> { headers.bytes(in: targetRange) }

  /// The path, still percent-encoded, without scheme, host and query; `*` where OPTIONS asks about the server.
  public var path: String { String(decoding: pathBytes, as: UTF8.self) }

  /// The bytes of the path.
  public var pathBytes: ArraySlice<UInt8> {
    pathRange.isEmpty ? [ASCII.slash] : headers.bytes(in: pathRange)
  }

  /// What follows the first question mark, still percent-encoded; nil without one.
  public var query: String? { queryRange.map(headers.text) }

  /// The bytes of the query as they were sent; nil without one.
  public var queryBytes: ArraySlice<UInt8>? { queryRange.map(headers.bytes) }

  /// Whether the path begins with these bytes, without making a text of it.
  public func hasPath(under root: [UInt8]) -> Bool {
    let path = headers.bytes(in: pathRange)
    guard path.count >= root.count else { return false }
    return path.withUnsafeBytes { path in
      root.withUnsafeBytes { root in root.elementsEqual(path.prefix(root.count)) }
    }
  }
}

/// The versions that are spoken.
public enum HTTPVersion: Hashable, Sendable {
  /// HTTP/1.0, whose connections are closed after one response.
  case http10
  /// HTTP/1.1.
  case http11
}

/// How the end of a request's body is found.
package enum BodyFraming: Hashable, Sendable {
  /// There is no body.
  case none
  /// It has as many bytes.
  case length(Int)
  /// It comes in chunks.
  case chunked
}

/// The places of the target's parts among the bytes of the head.
package struct RequestTarget: Hashable, Sendable {
  var whole: Range<Int>
  var path: Range<Int>
  var query: Range<Int>?
}
