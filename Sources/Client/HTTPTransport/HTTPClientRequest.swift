/// What a client sends, and how much it takes in return.
public struct HTTPClientRequest: Hashable, Sendable {
  /// What is asked of the resource.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// Gives it.
    case get = "GET"
    /// Gives its headers only.
    case head = "HEAD"
    /// Works on the body.
    case post = "POST"
    /// Puts the body in its place.
    case put = "PUT"
    /// Changes parts of it.
    case patch = "PATCH"
    /// Takes it away.
    case delete = "DELETE"
    /// Says what may be asked.
    case options = "OPTIONS"
  }

  /// What is asked.
  public var method: Method
  /// An absolute URL, `http` or `https`, percent-encoded.
  public var url: String
  /// Headers, in the order in which they are sent; those of the body's length are the client's own.
  public var headers: HTTPClientHeaders
  /// The body; empty for none.
  public var body: [UInt8]
  /// A file whose bytes are the body, in place of `body`: read in parts while they are sent; nil for none.
  public var bodyFile: String?
  /// The file that the body of a success is written to as it comes, in place of the answer's own; nil for the answer.
  ///
  /// It is made, or emptied, first.
  public var responseFile: String?
  /// How long nothing at all may move before the request is given up, in whole seconds; nil for as long as
  /// `timeout` allows.
  public var stallTimeout: Duration?
  /// How long all of it may take, from the call on.
  public var timeout = Duration.seconds(60)
  /// The most bytes of an answer's body, after it was expanded.
  public var responseBytesMax = 256 << 20
  /// Whether the answer may come compressed; it is expanded on the way.
  public var acceptsGzip = true
  /// Whether answers that point elsewhere are followed, at most `redirectsMax` times; from `https` they never lead
  /// to `http`.
  public var followsRedirects = false

  /// How many redirects are followed.
  public static let redirectsMax = 8

  /// Describes a request; limits may be set afterwards.
  public init(
    _ method: Method = .get, _ url: String, headers: HTTPClientHeaders = HTTPClientHeaders(),
    body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What a server answered, whatever its status.
public struct HTTPClientResponse: Hashable, Sendable {
  /// The status: 200, 404.
  public var status: Int
  /// The headers as they came; `Content-Encoding` and `Content-Length` tell of the body before it was expanded.
  public var headers: HTTPClientHeaders
  /// The body, expanded.
  public var body: [UInt8]

  /// Describes an answer.
  public init(status: Int, headers: HTTPClientHeaders = HTTPClientHeaders(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
