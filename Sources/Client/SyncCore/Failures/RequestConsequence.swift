public import RecordWire

/// What has to be done about a request that failed as a whole.
public enum RequestConsequence: Hashable, Sendable {
  /// The same again, later: not before so many seconds, where the server says so.
  case retry(afterSeconds: Int64?)
  /// The same in smaller parts.
  case split
  /// The zone is not there.
  case zoneGone
  /// The token is of no use any more: everything has to be read again.
  case tokenExpired
  /// Credentials are needed, or refused; there may be a page where to get some.
  case signIn(redirectURL: String?)
  /// The account's or the program's quota is used up.
  case quota
  /// The server does not know the request.
  case isUnknown
  /// The server refuses, and would again.
  case refused(RequestFailure)
}

extension RequestConsequence {
  /// What a failure means.
  public init(_ failure: RequestFailure) {
    self =
      switch failure.code {
      case .throttled, .tryAgainLater, .internalError: .retry(afterSeconds: failure.retryAfter)
      case .zoneNotFound: .zoneGone
      case .changeTokenExpired: .tokenExpired
      case .authenticationFailed, .authenticationRequired:
        .signIn(redirectURL: failure.redirectURL)
      case .quotaExceeded: .quota
      case .notFound: .isUnknown
      case .badRequest, .accessDenied, .atomicError, .conflict, .exists: .refused(failure)
      default: .retry(afterSeconds: failure.retryAfter)
      }
  }
}
