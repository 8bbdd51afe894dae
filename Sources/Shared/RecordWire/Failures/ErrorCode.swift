/// The code of an error as the wire spells it.
///
/// Servers may send codes that the table does not have; a client keeps them as they are.
public struct ErrorCode: RawRepresentable, Hashable, Sendable {
  /// The wire's word.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// No permission for the endpoint, record, zone or database.
  public static let accessDenied = ErrorCode(rawValue: "ACCESS_DENIED")
  /// Another member of an atomic batch failed.
  public static let atomicError = ErrorCode(rawValue: "ATOMIC_ERROR")
  /// The credentials were refused.
  public static let authenticationFailed = ErrorCode(rawValue: "AUTHENTICATION_FAILED")
  /// There were no credentials; the answer says where to get some.
  public static let authenticationRequired = ErrorCode(rawValue: "AUTHENTICATION_REQUIRED")
  /// The request is malformed, or its content breaks the schema.
  public static let badRequest = ErrorCode(rawValue: "BAD_REQUEST")
  /// The record's change tag is no longer the current one.
  public static let conflict = ErrorCode(rawValue: "CONFLICT")
  /// What was to be created is there already.
  public static let exists = ErrorCode(rawValue: "EXISTS")
  /// The server failed.
  public static let internalError = ErrorCode(rawValue: "INTERNAL_ERROR")
  /// The record or resource is not there.
  public static let notFound = ErrorCode(rawValue: "NOT_FOUND")
  /// The quota of the app or of the user is used up.
  public static let quotaExceeded = ErrorCode(rawValue: "QUOTA_EXCEEDED")
  /// Too many requests; the answer says when to come again.
  public static let throttled = ErrorCode(rawValue: "THROTTLED")
  /// The server is busy; the answer says when to come again.
  public static let tryAgainLater = ErrorCode(rawValue: "TRY_AGAIN_LATER")
  /// A validating reference would point at nothing.
  public static let validatingReferenceError = ErrorCode(rawValue: "VALIDATING_REFERENCE_ERROR")
  /// The zone is not there.
  public static let zoneNotFound = ErrorCode(rawValue: "ZONE_NOT_FOUND")
  /// The sync token is too old: its reader has to begin anew.
  public static let changeTokenExpired = ErrorCode(rawValue: "CHANGE_TOKEN_EXPIRED")
}

/// What is known of one code.
public struct ErrorCodeRow: Hashable, Sendable {
  /// The code.
  public let code: ErrorCode
  /// The HTTP status of an answer that is this error as a whole.
  public let status: Int
  /// The reason when nothing better is known.
  public let reason: String
  /// Whether the same request may succeed later.
  public let isTransient: Bool
}

extension ErrorCode {
  /// The fourteen codes of the protocol, and the one that a feed cannot do without.
  ///
  /// A server sends no other: clients of this protocol decode into closed enumerations.
  public static let rows: [ErrorCodeRow] = [
    row(.accessDenied, 403, "permission denied"),
    row(.atomicError, 400, "another operation of the atomic batch failed"),
    row(.authenticationFailed, 401, "Authentication failed"),
    row(.authenticationRequired, 421, "request needs authorization"),
    row(.badRequest, 400, "BadRequestException: Unexpected input"),
    row(.conflict, 409, "client oplock error updating record"),
    row(.exists, 409, "record to insert already exists"),
    row(.internalError, 500, "internal error"),
    row(.notFound, 404, "record not found"),
    row(.quotaExceeded, 413, "quota exceeded"),
    row(.throttled, 429, "too many requests", isTransient: true),
    row(.tryAgainLater, 503, "try again later", isTransient: true),
    row(
      .validatingReferenceError, 412,
      "Record delete would violate validating reference, rejecting update"),
    row(.zoneNotFound, 404, "zone not found"),
    row(.changeTokenExpired, 400, "client knowledge differs from server knowledge"),
  ]

  /// What the table says of the code; nil for a code that it does not have.
  public var row: ErrorCodeRow? { Self.rowsByCode[self] }

  /// The HTTP status of an answer that is this error as a whole; that of a failed server for a code
  /// that the table does not have.
  public var status: Int { row?.status ?? 500 }

  private static let rowsByCode = Dictionary(rows.map { ($0.code, $0) }) { first, _ in first }

  private static func row(
    _ code: ErrorCode, _ status: Int, _ reason: String, isTransient: Bool = false
  ) -> ErrorCodeRow {
    ErrorCodeRow(code: code, status: status, reason: reason, isTransient: isTransient)
  }
}
