public import RecordWire

/// One request to a record server, as far as sync knows it: where it goes is the transport's.
public struct SyncCall: Hashable, Sendable {
  /// What a request is about.
  public enum Scope: Hashable, Sendable {
    /// One of the container's databases.
    case database(DatabaseScope)
    /// The server's extensions of one of the container's databases.
    case databaseExtension(DatabaseScope)
    /// The server's extensions of the container's environment.
    case environmentExtension
    /// The server itself.
    case server
    /// A file, at an address that the server gave: it gets no credentials.
    case address(String)
  }

  /// The operation: `records/modify`.
  public var path: String
  /// What it is about.
  public var scope: Scope
  /// The method.
  public var method: WireEndpoint.Method
  /// The body; empty for none.
  public var body: [UInt8]
  /// A file whose bytes are the body, in place of `body`; nil for none.
  public var bodyFile: String?
  /// The file that the bytes of a success are written to, in place of the answer's body; nil for none.
  public var replyFile: String?
  /// The most bytes that an answer may have; nil for what the transport takes anyway.
  public var replyBytesMax: Int?

  /// Describes a request.
  public init(
    _ path: String, in scope: Scope, method: WireEndpoint.Method = .post, body: [UInt8] = []
  ) {
    self.path = path
    self.scope = scope
    self.method = method
    self.body = body
  }
}

/// What came back.
public struct SyncReply: Hashable, Sendable {
  /// The status of HTTP.
  public var status: Int
  /// The body.
  public var body: [UInt8]
  /// The seconds of the header `Retry-After`; nil without one.
  public var retryAfter: Int64?

  /// Describes an answer.
  public init(status: Int, body: [UInt8], retryAfter: Int64? = nil) {
    self.status = status
    self.body = body
    self.retryAfter = retryAfter
  }
}

/// Why no answer came: nobody knows whether the request arrived.
public struct TransportFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, in words.
  public var description: String

  /// Says what happened.
  public init(_ description: String) { self.description = description }
}

/// Carries requests to a record server: over HTTP, or within a simulation.
public protocol RecordTransport: Sendable {
  /// Sends a request and waits for the answer.
  func send(_ call: SyncCall) async throws(TransportFailure) -> SyncReply
}

extension RecordTransport {
  /// What comes of sending a request.
  func reply(to call: SyncCall) async -> Result<SyncReply, TransportFailure> {
    do throws(TransportFailure) {
      return .success(try await send(call))
    } catch {
      return .failure(error)
    }
  }
}

extension SyncReply {
  /// The longest body of a success that is looked at for a failure, in bytes.
  private static let failureBytesMax = 16_384
  /// What a proxy answers to a body that it does not let through; the protocol says it of quotas.
  private static let tooLargeStatus = 413

  /// Whether something between us and the server answers in its place, such as a proxy that has waited for
  /// too long: what was asked for may have been done.
  var isOfGateway: Bool {
    status >= 500 && (try? RequestFailure(json: body, limits: .response)) == nil
  }

  /// The failure that the answer tells; nil for a success.
  ///
  /// An answer that is no JSON, such as a proxy's page, is a failure of the status' kind. One that finds the request
  /// too large knows nothing of quotas: less may be sent at once.
  public var failure: RequestFailure? {
    let isSuccess = 200..<300 ~= status
    if isSuccess && body.count > Self.failureBytesMax { return nil }
    if let failure = try? RequestFailure(json: body, limits: .response) {
      var failure = failure
      failure.retryAfter = failure.retryAfter ?? retryAfter
      return failure
    }
    if isSuccess { return nil }
    let code =
      status == Self.tooLargeStatus
      ? .badRequest : ErrorCode.rows.first { $0.status == status }?.code
    return RequestFailure(
      code ?? (status >= 500 ? .tryAgainLater : .badRequest),
      reason: "the server answers with status \(status)", retryAfter: retryAfter)
  }
}
