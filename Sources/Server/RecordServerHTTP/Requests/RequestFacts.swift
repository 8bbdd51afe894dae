import HTTPServer
import ServerAccess

/// A request with what every part of the site wants to know of it.
struct RequestFacts: Sendable {
  let request: HTTPRequest
  /// The request's name.
  let id: String
  /// The parameters of its query.
  let query: QueryParameters
  /// The page that it comes from, as browsers say.
  let origin: String?
  /// The address that it comes from.
  let host: String

  init(_ request: HTTPRequest, id: String) {
    self.request = request
    self.id = id
    query = QueryParameters(request.head.queryBytes)
    origin = request.headers["Origin"]
    host = request.remoteAddress.host
  }

  /// What it brings along to say who it is from.
  var credentials: Credentials {
    Credentials(
      apiToken: query["ckAPIToken"], webToken: query["ckWebAuthToken"], signature: signature,
      origin: origin)
  }

  /// The token of those who manage schemas.
  var bearer: String? {
    guard let header = request.headers["Authorization"] else { return nil }
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }

  private var signature: RequestSignature? {
    let headers = request.headers
    guard let keyID = headers["X-Apple-CloudKit-Request-KeyID"] else { return nil }
    return RequestSignature(
      keyID: keyID, date: headers["X-Apple-CloudKit-Request-ISO8601Date"] ?? "",
      signature: headers["X-Apple-CloudKit-Request-SignatureV1"] ?? "", body: request.body,
      target: request.target)
  }
}
