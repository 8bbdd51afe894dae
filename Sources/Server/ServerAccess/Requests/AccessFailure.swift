/// Why a request is not let in.
///
/// What is wrong with a credential is never told: an unknown one, one that has ended and one that was
/// tampered with get the same answer.
public enum AccessFailure: Error, Hashable, Sendable {
  /// A user has to sign in, at the page of the API token with this public name.
  case authenticationRequired(apiTokenID: String)
  /// The credentials are missing or wrong.
  case authenticationFailed
  /// The credentials are right, and not for this.
  case accessDenied(AccessDenial)
  /// Who the caller is could not be looked up; the operator's log gets the error.
  case unavailable(AccountError)

  /// The protocol's code.
  public var serverErrorCode: String {
    switch self {
    case .authenticationRequired: "AUTHENTICATION_REQUIRED"
    case .authenticationFailed: "AUTHENTICATION_FAILED"
    case .accessDenied: "ACCESS_DENIED"
    case .unavailable: "TRY_AGAIN_LATER"
    }
  }

  /// The protocol's words, which hold nothing secret.
  public var reason: String {
    switch self {
    case .authenticationRequired: "request needs authorization"
    case .authenticationFailed: "Authentication failed"
    case .accessDenied(let denial): denial.rawValue
    case .unavailable: "users and tokens cannot be looked up now"
    }
  }
}

/// What right credentials are not good for.
public enum AccessDenial: String, Hashable, Sendable, CaseIterable {
  /// Keys are for the public database.
  case keyOutsidePublic = "server-to-server keys are good for the public database only"
  /// The API token does not list the page's origin.
  case origin = "the API token does not allow this origin"
  /// The management token is for another container.
  case otherContainer = "the management token is for another container"
  /// The management token may only read.
  case readOnly = "the management token may only read"
}
