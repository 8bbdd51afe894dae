import HTTPServer
import HTTPTransport
import RecordWire
import Synchronization
import Testing

@testable import SyncClient

/// A server that gives whoever asks another token each time, and may forget all but the first.
private final class RotatingServer: Sendable {
  private struct State {
    var asked: [String] = []
    var count = 0
  }

  private let state = Mutex(State())
  private let forgets: Bool

  init(forgets: Bool) { self.forgets = forgets }

  /// The tokens that were used, in their order.
  var asked: [String] { state.withLock { $0.asked } }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let query = (request.query ?? "").split(separator: "&")
    let token = query.first { $0.hasPrefix("ckWebAuthToken=") }?.dropFirst(15) ?? ""
    let count = state.withLock { state in
      state.asked.append(String(token))
      state.count += 1
      return state.count
    }
    if forgets, token != "first" {
      return HTTPResponse(
        status: HTTPStatus(421), headers: ["Content-Type": "application/json"],
        body: Array(#"{"serverErrorCode": "AUTHENTICATION_REQUIRED"}"#.utf8))
    }
    return HTTPResponse(
      headers: [
        "Content-Type": "application/json", "X-Apple-CloudKit-Web-Auth-Token": "token+\(count)=",
      ], body: Array("{}".utf8))
  }
}

@Suite struct UserTokenTests {
  /// What the server is asked with, in three requests one after the other.
  private func tokens(forgets: Bool, first: String? = "first") async throws -> [String] {
    let rotating = RotatingServer(forgets: forgets)
    let server = try HTTPServer.start(
      HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 0)]),
      handler: HTTPHandler(bodyLimit: { _ in 1 << 20 }, respond: { rotating.answer($0) }))
    var settings = HTTPClientConfiguration()
    settings.usesProxyOfEnvironment = false
    let address = try #require(server.addresses.first)
    let transport = HTTPRecordTransport(
      RecordEndpoint(
        server: "http://\(address)", container: "c", environment: "development", apiToken: "api",
        userToken: first), client: try HTTPClient(settings))
    for _ in 0..<3 {
      let reply = try await transport.send(SyncCall("users/caller", in: .database(.private)))
      #expect(reply.status == 200)
    }
    await server.drain(within: .zero)
    return rotating.asked
  }

  @Test func `the token that an answer brings is used for the next request`() async throws {
    #expect(try await tokens(forgets: false) == ["first", "token%2B1%3D", "token%2B2%3D"])
  }

  @Test func `where it is refused, the one that was given is tried`() async throws {
    #expect(
      try await tokens(forgets: true)
        == ["first", "token%2B1%3D", "first", "token%2B3%3D", "first"])
  }

  @Test func `who is not signed in is not signed in by an answer`() async throws {
    #expect(try await tokens(forgets: false, first: nil) == ["", "", ""])
  }

  @Test func `what is no token is not taken`() {
    let token = UserToken("first")
    for text in ["", "two words", "line\r\n", String(repeating: "a", count: 8_193)] {
      token.take(text)
      #expect(token.current == "first")
    }
    #expect(!token.fallsBack(from: "first"))
  }
}
