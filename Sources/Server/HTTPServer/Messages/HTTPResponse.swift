/// What a handler answers.
///
/// The server itself writes `Content-Length`, `Transfer-Encoding`, `Connection` and, where there is none, `Date`;
/// the first three are left out when a handler sets them.
public struct HTTPResponse: Sendable {
  /// What follows the head.
  public enum Body: Sendable {
    /// Bytes that are all there.
    case bytes([UInt8])
    /// Bytes that come about while they are sent.
    case stream(HTTPStream)
  }

  /// The status.
  public var status: HTTPStatus
  /// The headers, in the order in which they are sent.
  public var headers: HTTPResponseHeaders
  /// What follows the head.
  public var body: Body
  /// Whether the connection ends after this response.
  public var closesConnection = false

  /// Answers with bytes.
  public init(
    status: HTTPStatus = .ok, headers: HTTPResponseHeaders = HTTPResponseHeaders(),
    body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    self.body = .bytes(body)
  }

  /// Answers with bytes that come about while they are sent.
  public init(
    status: HTTPStatus = .ok, headers: HTTPResponseHeaders = HTTPResponseHeaders(),
    stream: HTTPStream
  ) {
    self.status = status
    self.headers = headers
    self.body = .stream(stream)
  }
}

/// A body that comes about while it is sent, such as server-sent events.
public struct HTTPStream: Sendable {
  /// What a drain of the server does to it.
  public enum WhenDraining: Hashable, Sendable {
    /// It goes on to its own end, or to the drain's deadline.
    case finish
    /// Its task is cancelled, so that a stream without an end of its own ends.
    case cancel
  }

  let whenDraining: WhenDraining
  let produce: @Sendable (HTTPBodyWriter) async throws -> Void

  /// Writes the body in a task on the connection's loop.
  ///
  /// The task is cancelled when the client is gone. A body that throws ends the connection without the mark of the
  /// end, so that the client does not take a part for the whole; cancellation for a drain ends it in order.
  public init(
    whenDraining: WhenDraining = .finish,
    produce: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
  ) {
    self.whenDraining = whenDraining
    self.produce = produce
  }
}
