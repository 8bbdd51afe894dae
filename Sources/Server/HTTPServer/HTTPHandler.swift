/// What answers requests.
public struct HTTPHandler: Sendable {
  /// Answers a request, or says how that is to be done.
  ///
  /// It is called on the thread of the connection's loop: other connections of the loop wait meanwhile, so that what
  /// takes long or blocks belongs elsewhere.
  public var reply: @Sendable (HTTPRequest) -> HTTPReply
  /// The bytes that a body may have, decided from the head; nil stands for the limit of the configuration.
  public var bodyLimit: (@Sendable (HTTPRequestHead) -> Int)?

  /// Answers at once what can be, and the rest in tasks.
  public init(
    bodyLimit: (@Sendable (HTTPRequestHead) -> Int)? = nil,
    reply: @escaping @Sendable (HTTPRequest) -> HTTPReply
  ) {
    self.reply = reply
    self.bodyLimit = bodyLimit
  }

  /// Answers every request in a task.
  public init(
    bodyLimit: (@Sendable (HTTPRequestHead) -> Int)? = nil,
    respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.init(bodyLimit: bodyLimit, reply: { request in .later { await respond(request) } })
  }

  /// The response to a request, however it comes about.
  public func respond(_ request: HTTPRequest) async -> HTTPResponse {
    switch reply(request) {
    case .now(let response): response
    case .later(let respond): await respond()
    }
  }
}

/// How a request is answered.
public enum HTTPReply: Sendable {
  /// With a response that is there already.
  case now(HTTPResponse)
  /// With a response that comes about in a task on the loop of the connection, which is cancelled when the connection
  /// breaks.
  case later(@Sendable () async -> HTTPResponse)
}
