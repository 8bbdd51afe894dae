import RecordWire

/// The operation at a path, looked up once: whoever answers many requests keeps it.
///
/// ```swift
/// let lookup = NamedOperation("records/lookup")
/// let body = try service.answerAtOnce(lookup, call, body: request)
/// ```
public final class NamedOperation: Sendable {
  /// Where it is: `records/lookup`.
  public let path: String
  /// Whether the protocol has such an operation.
  public let isOfProtocol: Bool
  /// Nil for one that is not served.
  let served: ServedOperation?

  /// Looks the operation at `path` up.
  public init(_ path: String) {
    self.path = path
    served = ServedOperation.at(path)
    isOfProtocol = served != nil || UnservedOperation.knows(path)
  }

  /// What is served; throws what a request to anything else is answered.
  func required() throws(RequestFailure) -> ServedOperation {
    guard let served else { throw UnservedOperation.failure(path) }
    return served
  }
}
