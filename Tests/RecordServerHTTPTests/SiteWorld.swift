import AssetFiles
import Foundation
import HTTPServer
import HTTPTransport
import RecordServer
import ServerAccess
import Synchronization

@testable import RecordServerHTTP

/// A whole site on a free port: memory storages, a file of accounts in a folder of its own, and a clock
/// that stands still until a test moves it.
final class SiteWorld: Sendable {
  static let container = "iCloud.test"

  let folder: ScratchFolder
  let accounts: AccountFile
  let site: RecordSite
  let server: HTTPServer
  let client: HTTPClient
  let url: String
  let log: LogLines
  let clock: TestClock
  let apiToken: String
  let webToken: String
  let managementToken: String

  init(
    origins: AllowedOrigins = .any, callback: SignInCallback = .postMessage,
    requests: RateLimits = RateLimits([:]), refusals: RateLimits = RateLimits([:]),
    limits: ServiceLimits = ServiceLimits(), userStreamsMax: Int? = nil,
    logFormat: LogFormat = .json
  ) throws {
    folder = try ScratchFolder()
    let clock = TestClock()
    let log = LogLines()
    (self.clock, self.log) = (clock, log)
    accounts = try AccountFile(
      at: folder.file("accounts.sqlite"), passwordCost: PasswordCost(logN: 4))
    let place = ContainerPlace(container: Self.container, environment: "development")
    let now = clock.milliseconds
    _ = try accounts.addUser(
      NewUser(name: "ann", givenName: "Ann", email: "ann@example.org", password: "correct horse"),
      now: now)
    apiToken = try accounts.addAPIToken(
      NewAPIToken(name: "Notes <web>", place: place, origins: origins, callback: callback), now: now
    ).text
    webToken = try accounts.addWebToken(userNamed: "ann", in: place, life: 3_600_000, now: now).text
    managementToken = try accounts.addManagementToken(
      name: "ci", container: Self.container, scope: .write, now: now
    ).text

    let numbers = Mutex<UInt64>(0)
    let sources = SiteSources(
      milliseconds: { clock.milliseconds }, microseconds: { clock.milliseconds * 1000 },
      random: {
        numbers.withLock { number in
          number += 1
          return number
        }
      })
    let late = Mutex<HTTPHandler?>(nil)
    let box = HandlerBox(late)
    server = try HTTPServer.start(
      HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 0)]),
      handler: HTTPHandler(
        bodyLimit: { head in box.handler?.bodyLimit?(head) ?? 0 },
        reply: { box.handler?.reply($0) ?? .now(HTTPResponse(status: .notFound)) }))
    url = "http://\(server.addresses[0])"
    let seal = try Seal(key: accounts.derivedKey(for: "assets")).unwrapped()
    let host = ContainerHost(
      Self.container,
      development: .init(
        MemoryStorage(epoch: 7), files: try AssetFolder(at: folder.file("development.assets"))),
      production: .init(
        MemoryStorage(epoch: 8), files: try AssetFolder(at: folder.file("production.assets"))),
      assets: AssetSetting(
        container: Self.container, seal: seal, places: AssetPlaces(baseURL: url)), limits: limits)
    var configuration = SiteConfiguration(publicURL: url)
    configuration.userStreamsMax = userStreamsMax ?? configuration.userStreamsMax
    site = RecordSite(
      ContainerDirectory([host]),
      access: SiteAccess(
        Authentication(accounts), signIn: try SignIn(accounts), requests: requests,
        refusals: refusals),
      configuration, sources: sources,
      log: ServerLog(
        .debug, logFormat, milliseconds: { clock.milliseconds }, write: { log.append($0) }))
    box.set(site.handler)
    client = try HTTPClient()
  }

  /// Ends the server.
  func end() async { await server.drain(within: .seconds(5)) }

  /// Sends a request to an operation of development, as Ann unless told otherwise.
  func ask(
    _ operation: String, _ body: String, _ database: String = "private", query: String? = nil,
    headers: HTTPClientHeaders = HTTPClientHeaders(), method: HTTPClientRequest.Method = .post
  ) async throws -> HTTPClientResponse {
    let query = query ?? "ckAPIToken=\(apiToken)&ckWebAuthToken=\(webToken)"
    return try await send(
      method, "/database/1/\(Self.container)/development/\(database)/\(operation)?\(query)", body,
      headers)
  }

  /// Sends any request.
  func send(
    _ method: HTTPClientRequest.Method, _ path: String, _ body: String = "",
    _ headers: HTTPClientHeaders = HTTPClientHeaders()
  ) async throws -> HTTPClientResponse {
    let target = path.hasPrefix("http") ? path : url + path
    return try await client.send(
      HTTPClientRequest(method, target, headers: headers, body: Array(body.utf8)))
  }
}

/// The handler of a server that had to be started before the handler could be made.
final class HandlerBox: Sendable {
  private let content: Mutex<HTTPHandler?>

  init(_ content: consuming Mutex<HTTPHandler?>) { self.content = content }

  var handler: HTTPHandler? { content.withLock { $0 } }
  func set(_ handler: HTTPHandler) { content.withLock { $0 = handler } }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
  private let time = Atomic<Int64>(1_800_000_000_000)

  var milliseconds: Int64 { time.load(ordering: .relaxed) }
  func advance(seconds: Int64) { time.add(seconds * 1000, ordering: .relaxed) }
}

/// What a site has logged.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  func append(_ bytes: [UInt8]) {
    lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
  }

  var all: [String] { lines.withLock { $0 } }
}

/// A folder that goes with this object.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "contrail-site-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

extension Optional {
  /// The value, or an error for a test to fail with.
  func unwrapped() throws -> Wrapped {
    guard let self else { throw NothingThere() }
    return self
  }

  struct NothingThere: Error {}
}

extension HTTPClientResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The strings under a key of the body.
  func values(of key: String) -> [String] {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
    let places = parts.indices.dropLast(2).filter { parts[$0] == key && parts[$0 + 1] == ":" }
    return places.map { parts[$0 + 2] }
  }
}
