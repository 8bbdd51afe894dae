import CommandKit
import FoundationEssentials
import HTTPTransport
import RecordWire
import SyncClient

/// Asks a record server about one container's schema.
struct ManagementClient {
  let server: ServerAddress
  let container: String
  private let token: String
  private let client: HTTPClient

  /// What a token is taken from unless the call has one.
  static let tokenVariable = "CONTRAIL_MANAGEMENT_TOKEN"

  /// The server and container that the call names.
  init(_ call: Invocation, command: String) throws {
    guard let url = call.value("server") else {
      throw UsageError("\(command) needs a server", fix: "add --server https://host")
    }
    guard let container = call.value("container") else {
      throw UsageError("\(command) needs a container", fix: "add --container NAME")
    }
    let server = try ServerAddress(url, allowsPlainHTTP: call.has("insecure-http"))
    try self.init(call, server: server, container: container, command: command)
  }

  /// The server and container that a store is synced with.
  init(_ call: Invocation, _ configuration: SyncConfiguration, command: String) throws {
    let server = try ServerAddress(
      configuration.server, allowsPlainHTTP: call.has("insecure-http"))
    try self.init(call, server: server, container: configuration.container, command: command)
  }

  /// The server and container of a URL.
  init(_ call: Invocation, url: String, command: String) throws {
    let (server, container) = try ServerAddress.withContainer(
      url, allowsPlainHTTP: call.has("insecure-http"))
    try self.init(call, server: server, container: container, command: command)
  }

  private init(
    _ call: Invocation, server: ServerAddress, container: String, command: String
  ) throws {
    self.server = server
    self.container = container
    token = try Self.token(call, command: command)
    var configuration = HTTPClientConfiguration()
    configuration.caFile = call.value("ca-file")
    configuration.userAgent = "syncctl/\(toolVersion)"
    configuration.usesProxyOfEnvironment = !server.isLoopback
    client = try HTTPClient(configuration)
  }

  private static func token(_ call: Invocation, command: String) throws(UsageError) -> String {
    let kept = ProcessInfo.processInfo.environment[tokenVariable]
    guard let token = call.value("token") ?? kept, !token.isEmpty else {
      throw UsageError(
        "\(command) needs a management token", fix: "set \(tokenVariable), or add --token TOKEN")
    }
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw UsageError(
        "the management token has blanks or other characters that no token has",
        fix: "copy it again, in one line")
    }
    return token
  }

  /// What an answer is, and whether the server calls it an error.
  struct Answer {
    let status: Int
    let body: [UInt8]
  }

  /// Asks for what has no body.
  func get<Response: WireResponse>(
    _ verb: ManagementVerb, query: String = "", as type: Response.Type
  ) throws -> Response {
    try read(try ask(verb, query: query, body: []), as: type)
  }

  /// Sends a body.
  func post<Response: WireResponse>(
    _ verb: ManagementVerb, _ request: some WireRequest, as type: Response.Type
  ) throws -> Response {
    try read(try ask(verb, query: "", body: try request.json()), as: type)
  }

  private func ask(_ verb: ManagementVerb, query: String, body: [UInt8]) throws -> Answer {
    guard let endpoint = ManagementEndpoint.rows.first(where: { $0.verb == verb }) else {
      throw ServerError("there is no operation \(verb.rawValue)", fix: "update the tool")
    }
    let url = server.base + endpoint.path(of: container) + (query.isEmpty ? "" : "?\(query)")
    var request = HTTPClientRequest(
      endpoint.method == .get ? .get : .post, url,
      headers: ["Authorization": "Bearer \(token)", "Accept": "application/json"], body: body)
    if endpoint.method == .post { request.headers["Content-Type"] = "application/json" }
    let answer = try waiting(for: client, request)
    return Answer(status: answer.status, body: answer.body)
  }

  /// Reads an answer; a refused plan is one too, every other error ends the command.
  private func read<Response: WireResponse>(
    _ answer: Answer, as type: Response.Type
  ) throws -> Response {
    guard answer.status == 200 || answer.status == 409 else {
      throw ServerError(answer, of: self)
    }
    do throws(WireError) {
      return try Response(json: answer.body)
    } catch {
      guard answer.status == 200 else { throw ServerError(answer, of: self) }
      throw ServerError(
        "\(server.base) answers in another way than a record server: \(error.message)",
        fix: "check --server; see what answers there: curl \(server.base)/health")
    }
  }
}

/// Waits for the answer: commands run one after the other, on the main thread.
private func waiting(
  for client: HTTPClient, _ request: HTTPClientRequest
) throws -> HTTPClientResponse {
  do {
    return try Blocking.run { await client.result(of: request) }.get()
  } catch {
    throw ServerError(error)
  }
}

extension HTTPClient {
  fileprivate func result(
    of request: HTTPClientRequest
  ) async -> Result<HTTPClientResponse, HTTPClientError> {
    do throws(HTTPClientError) {
      return .success(try await send(request))
    } catch {
      return .failure(error)
    }
  }
}
