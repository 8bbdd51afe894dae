public import HTTPTransport
import RecordWire

/// Where a container's records are, and who asks for them.
public struct RecordEndpoint: Sendable {
  /// The server's URL, without a slash at its end.
  public var server: String
  /// The container's name.
  public var container: String
  /// The container's environment.
  public var environment: String
  /// The token of the program.
  public var apiToken: String?
  /// The token of the user.
  public var userToken: String?

  /// Names a container and the tokens to ask with.
  public init(
    server: String, container: String, environment: String, apiToken: String? = nil,
    userToken: String? = nil
  ) {
    self.server = server
    self.container = container
    self.environment = environment
    self.apiToken = apiToken
    self.userToken = userToken
  }

  /// The URL of a request; tokens stand in its query, as the protocol wants it, and so it is never shown.
  func url(of call: SyncCall) -> String {
    if case .address(let url) = call.scope { return url }
    let place = "\(Self.encoded(container))/\(Self.encoded(environment))"
    let path =
      switch call.scope {
      case .database(let scope): "/database/1/\(place)/\(scope.rawValue)/\(call.path)"
      case .databaseExtension(let scope):
        "\(ExtensionEndpoint.root)/\(place)/\(scope.rawValue)/\(call.path)"
      case .environmentExtension, .server: "\(ExtensionEndpoint.root)/\(place)/\(call.path)"
      case .address(let url): url
      }
    let query = [("ckAPIToken", apiToken), ("ckWebAuthToken", userToken)].compactMap {
      name, token in
      token.map { "\(name)=\(Self.encoded($0))" }
    }
    return server + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Whether the server is on this machine, where packing answers costs more than carrying them.
  var isNear: Bool {
    let host = server.drop { $0 != ":" }.drop { $0 == ":" || $0 == "/" }
    return ["127.", "localhost", "[::1]"].contains { host.hasPrefix($0) }
  }

  /// Percent-encodes all but what is safe in any part of a URL (RFC 3986, section 2.3).
  private static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.append(Character(UnicodeScalar(byte)))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return result
  }
}

/// Carries requests to a record server over HTTP.
public final class HTTPRecordTransport: RecordTransport {
  private let endpoint: RecordEndpoint
  private let userToken: UserToken
  private let client: HTTPClient
  private let timeout: Duration

  /// Asks a container through `client`; a request may take `timeout` in all.
  public init(_ endpoint: RecordEndpoint, client: HTTPClient, timeout: Duration = .seconds(60)) {
    self.endpoint = endpoint
    userToken = UserToken(endpoint.userToken)
    self.client = client
    self.timeout = timeout
  }

  /// Asks the container of a configuration, over a client of its own.
  ///
  /// `certificates` is a file of those that are trusted in place of the system's, in PEM.
  public convenience init(
    _ configuration: SyncConfiguration, at address: ServerAddress, tokens: SyncTokens,
    trusting certificates: String? = nil, userAgent: String = "contrail"
  ) throws {
    var settings = HTTPClientConfiguration()
    settings.caFile = certificates
    settings.userAgent = userAgent
    settings.usesProxyOfEnvironment = !address.isLoopback
    self.init(
      RecordEndpoint(
        server: address.base, container: configuration.container,
        environment: configuration.environment, apiToken: tokens.api, userToken: tokens.user),
      client: try HTTPClient(settings))
  }

  /// How long nothing of a file may move, and how long all of it may take.
  static let fileStall = Duration.seconds(60)
  static let fileTimeout = Duration.seconds(6 * 3_600)

  /// Sends a request and waits for the answer.
  public func send(_ call: SyncCall) async throws(TransportFailure) -> SyncReply {
    if case .address(let url) = call.scope { return try await carry(fileRequest(call, url)).reply }
    let token = userToken.current
    var (reply, next) = try await carry(request(call, token))
    if Self.refusals.contains(reply.status), userToken.fallsBack(from: token) {
      (reply, next) = try await carry(request(call, userToken.current))
    }
    userToken.take(next)
    return reply
  }

  /// The statuses of those who are not known: 401, and 421 for those who have to sign in.
  private static let refusals: Set<Int> = [401, 421]

  /// The answer to a request, and the user's next token if it brings one.
  private func carry(
    _ request: HTTPClientRequest
  ) async throws(TransportFailure) -> (reply: SyncReply, token: String?) {
    do throws(HTTPClientError) {
      let response = try await client.send(request)
      let reply = SyncReply(
        status: response.status, body: response.body, retryAfter: response.retryAfter)
      return (reply, response.headers[UserToken.header])
    } catch {
      throw TransportFailure("\(error)")
    }
  }

  private func request(_ call: SyncCall, _ token: String?) -> HTTPClientRequest {
    var endpoint = endpoint
    endpoint.userToken = token
    var request = HTTPClientRequest(
      call.method == .get ? .get : .post, endpoint.url(of: call), body: call.body)
    request.headers["Accept"] = "application/json"
    if call.method == .post { request.headers["Content-Type"] = "application/json" }
    request.timeout = timeout
    request.acceptsGzip = !endpoint.isNear
    return request
  }

  /// A request to an address for a file: without credentials, and never less safe than the server.
  private func fileRequest(
    _ call: SyncCall, _ url: String
  ) throws(TransportFailure) -> HTTPClientRequest {
    guard url.isHTTPS || !endpoint.server.isHTTPS else {
      throw TransportFailure("the server sends files over plain HTTP, which is not followed")
    }
    var request = HTTPClientRequest(call.method == .get ? .get : .post, url, body: call.body)
    if call.method == .post { request.headers["Content-Type"] = "application/octet-stream" }
    (request.bodyFile, request.responseFile) = (call.bodyFile, call.replyFile)
    (request.timeout, request.stallTimeout) = (Self.fileTimeout, Self.fileStall)
    if let most = call.replyBytesMax { request.responseBytesMax = most }
    // The bytes are those of the file: nothing is to be expanded on the way.
    request.acceptsGzip = false
    request.followsRedirects = call.method == .get
    return request
  }
}

extension String {
  fileprivate var isHTTPS: Bool { prefix(8).lowercased() == "https://" }
}
