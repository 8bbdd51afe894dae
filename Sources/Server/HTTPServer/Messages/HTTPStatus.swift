/// The status of a response.
public struct HTTPStatus: RawRepresentable, Hashable, Sendable {
  /// The three digits as a number.
  public let rawValue: Int

  /// Takes the number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Takes the number.
  public init(_ code: Int) { rawValue = code }

  /// Whether a handler may answer with it: 1xx is the server's own affair.
  var isFinal: Bool { (200...599).contains(rawValue) }

  /// Whether RFC 9110 forbids a body (sections 15.3.5 and 15.4.5).
  var forbidsBody: Bool { self == .noContent || self == .notModified }

  /// The words behind the number; empty for numbers without a name here.
  public var reason: String { Self.reasons[rawValue] ?? "" }

  private static let reasons: [Int: String] = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict",
    410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
    417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content",
    428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    507: "Insufficient Storage",
  ]
}

extension HTTPStatus {
  /// 200.
  public static let ok = HTTPStatus(200)
  /// 204.
  public static let noContent = HTTPStatus(204)
  /// 304.
  public static let notModified = HTTPStatus(304)
  /// 400.
  public static let badRequest = HTTPStatus(400)
  /// 401.
  public static let unauthorized = HTTPStatus(401)
  /// 403.
  public static let forbidden = HTTPStatus(403)
  /// 404.
  public static let notFound = HTTPStatus(404)
  /// 405.
  public static let methodNotAllowed = HTTPStatus(405)
  /// 408.
  public static let requestTimeout = HTTPStatus(408)
  /// 413.
  public static let contentTooLarge = HTTPStatus(413)
  /// 414.
  public static let uriTooLong = HTTPStatus(414)
  /// 415.
  public static let unsupportedMediaType = HTTPStatus(415)
  /// 417.
  public static let expectationFailed = HTTPStatus(417)
  /// 431.
  public static let headersTooLarge = HTTPStatus(431)
  /// 500.
  public static let internalServerError = HTTPStatus(500)
  /// 501.
  public static let notImplemented = HTTPStatus(501)
  /// 503.
  public static let serviceUnavailable = HTTPStatus(503)
  /// 505.
  public static let versionNotSupported = HTTPStatus(505)
}
