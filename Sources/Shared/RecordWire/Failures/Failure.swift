/// Why a whole request failed: the body of an answer whose HTTP status is no success.
public struct RequestFailure: Error, Hashable, Sendable {
  /// The code.
  public var code: ErrorCode
  /// What happened, in words.
  public var reason: String
  /// In how many seconds to come again; nil means not at all.
  public var retryAfter: Int64?
  /// The name of the request, for the server's log.
  public var uuid: String?
  /// Where a user signs in.
  public var redirectURL: String?

  /// Describes a failure; without a reason it is the one of the table.
  public init(
    _ code: ErrorCode, reason: String? = nil, retryAfter: Int64? = nil, uuid: String? = nil,
    redirectURL: String? = nil
  ) {
    self.code = code
    self.reason = reason ?? code.row?.reason ?? ""
    self.retryAfter = retryAfter
    self.uuid = uuid
    self.redirectURL = redirectURL
  }

  /// The HTTP status of the answer.
  public var status: Int { code.status }
}

extension RequestFailure: CustomStringConvertible {
  /// Code and reason.
  public var description: String { "\(code.rawValue): \(reason)" }
}

/// Why one item of a request failed: it stands in the answer where the result would.
public struct ItemFailure: Error, Hashable, Sendable {
  /// Which item it was.
  public enum Subject: Hashable, Sendable {
    /// A record, by its name.
    case record(String)
    /// A zone.
    case zone(ZoneIdentity)
    /// A subscription, by its identifier.
    case subscription(String)
    /// The answer does not say: its place tells.
    case unnamed
  }

  /// Which item it was.
  public var subject: Subject
  /// What happened to it.
  public var failure: RequestFailure

  /// Says of an item what happened to it.
  public init(_ subject: Subject, _ failure: RequestFailure) {
    self.subject = subject
    self.failure = failure
  }

  /// Says of a record what happened to it; without a reason it is the one of the table.
  public init(recordName: String, _ code: ErrorCode, reason: String? = nil) {
    self.init(.record(recordName), RequestFailure(code, reason: reason))
  }
}
