/// What answers requests.
public struct HTTPHandler: Sendable {
  /// Answers a request, in a task on the loop of its connection.
  ///
  /// What takes long or blocks belongs elsewhere: other connections of the loop wait meanwhile. The task is cancelled
  /// when the connection breaks.
  public var respond: @Sendable (HTTPRequest) async -> HTTPResponse
  /// Answers at once, without a task; nil leaves the request to `respond`.
  public var respondAtOnce: (@Sendable (HTTPRequest) -> HTTPResponse?)?
  /// The bytes that a body may have, decided from the head; nil stands for the limit of the configuration.
  public var bodyLimit: (@Sendable (HTTPRequestHead) -> Int)?

  /// Puts a handler together.
  public init(
    bodyLimit: (@Sendable (HTTPRequestHead) -> Int)? = nil,
    respondAtOnce: (@Sendable (HTTPRequest) -> HTTPResponse?)? = nil,
    respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.respond = respond
    self.respondAtOnce = respondAtOnce
    self.bodyLimit = bodyLimit
  }
}
