public import RecordWire

/// What has to be done when a place for a file, or the address of one, answers with a failure.
///
/// Such an address may be anybody's: nothing that it says is about our credentials or our zone.
public enum FileConsequence: Hashable, Sendable {
  /// The address is of no use any more: another one is asked for.
  case askAgain
  /// The same later: not before so many seconds, where the server says so.
  case retry(afterSeconds: Int64?)
  /// The file is larger than the server takes.
  case tooLarge
  /// Nothing more may be kept for the account.
  case quota
  /// It is refused, and would be again.
  case refuse
}

extension FileConsequence {
  /// The status for a body that is too large.
  private static let tooLargeStatus = 413
  /// Statuses of addresses that have expired, whoever says it how.
  private static let staleStatuses: Set<Int> = [401, 403, 404, 410]

  /// What a failure means that came under a status of HTTP.
  public init(_ failure: RequestFailure, status: Int) {
    switch failure.code {
    case .quotaExceeded: self = .quota
    case .throttled, .tryAgainLater, .internalError:
      self = .retry(afterSeconds: failure.retryAfter)
    case _ where status == Self.tooLargeStatus: self = .tooLarge
    case .notFound, .accessDenied, .authenticationFailed, .authenticationRequired: self = .askAgain
    case _ where Self.staleStatuses.contains(status): self = .askAgain
    case .badRequest: self = .refuse
    default: self = .retry(afterSeconds: failure.retryAfter)
    }
  }
}
