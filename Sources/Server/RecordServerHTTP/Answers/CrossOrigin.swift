import HTTPServer

/// What browsers are told about requests from pages of other origins.
///
/// The API token decides: it names the origins that may use it. No cookies are involved, so nothing
/// is allowed that a page without the token could not do by itself.
enum CrossOrigin {
  static let tokenHeader = "X-Apple-CloudKit-Web-Auth-Token"
  static let requestHeader = "X-Apple-Request-UUID"

  /// Lets the page of that origin read the response.
  static func allow(_ origin: String, _ response: inout HTTPResponse) {
    response.headers.append("Access-Control-Allow-Origin", origin)
    response.headers.append(
      "Access-Control-Expose-Headers", "\(tokenHeader), \(requestHeader), Retry-After")
    response.headers.append("Vary", "Origin")
  }

  /// The answer to a browser that asks before it sends.
  static func preflight(_ origin: String) -> HTTPResponse {
    var response = HTTPResponse(status: .noContent)
    allow(origin, &response)
    response.headers.append("Access-Control-Allow-Methods", "GET, POST")
    response.headers.append("Access-Control-Allow-Headers", "Content-Type, Authorization")
    response.headers.append("Access-Control-Max-Age", "600")
    return response
  }
}
