/// Sends requests over connections that stay open, as many at a time as callers like.
///
/// ```swift
/// let client = try HTTPClient()
/// let answer = try await client.send(HTTPClientRequest(.get, "https://records.example.com/health"))
/// ```
///
/// One thread drives all transfers of a client. It ends when nobody holds the client and the last answer has come.
/// Certificates are always checked.
public final class HTTPClient: Sendable {
  private let loop: TransferLoop

  /// Starts a client's thread.
  public init(_ configuration: HTTPClientConfiguration = HTTPClientConfiguration())
    throws(HTTPClientError)
  {
    loop = try TransferLoop.start(configuration)
  }

  deinit { loop.end() }

  /// Sends a request and waits for the whole answer, which may have any status.
  ///
  /// A cancelled task gets the error `cancelled` at once; what was sent by then may have had its effect.
  public func send(
    _ request: HTTPClientRequest
  ) async throws(HTTPClientError) -> HTTPClientResponse {
    try RequestCheck.check(request)
    let transfer = Transfer(request)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        loop.start(transfer, continuation)
      }
    } onCancel: {
      loop.cancel(transfer)
    }
    return try result.get()
  }
}
