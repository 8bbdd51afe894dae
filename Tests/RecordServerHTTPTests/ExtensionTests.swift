import HTTPServer
import HTTPTransport
import RecordServer
import Testing

@testable import RecordServerHTTP

/// What the server has beyond the protocol, over real sockets.
@Suite struct ExtensionTests {
  private func ask(
    _ world: SiteWorld, _ name: String, _ body: String = "", as user: Bool = false,
    method: HTTPClientRequest.Method = .post
  ) async throws -> HTTPClientResponse {
    let query =
      "ckAPIToken=\(world.apiToken)" + (user ? "&ckWebAuthToken=\(world.webToken)" : "")
    return try await world.send(
      method, "/contrail/1/\(SiteWorld.container)/development/\(name)?\(query)", body)
  }

  @Test func `capabilities tell what there is and how much of it, and every name is a row`()
    async throws
  {
    let world = try SiteWorld()
    let answer = try await ask(world, "capabilities", method: .get)
    #expect(
      answer.text == """
        {"server":"recordd","extensions":["batch","changeStream","changeWait","gzip","pageBytes",\
        "pushTokens","schemaCheck","tombstones","versionFilter","zoneDigest"],"requestBytesMax":16777216,\
        "operationsMax":200,"batchOperationsMax":1000,"pageRecordsMax":200,"bulkPageRecordsMax":10000,\
        "pageBytesMax":16777216,"assetBytesMax":52428800}
        """)
    #expect(
      BeyondRow.rows.map { "\($0.name) \($0.isOfDatabase)" } == [
        "capabilities false", "changes/stream true", "changes/wait true", "schema/check false",
        "zones/digest true",
      ])
    await world.end()
  }

  @Test func `a schema is checked without a user, and a zone's digest needs one`() async throws {
    let world = try SiteWorld()
    let check = #"{"types":[{"recordType":"Note","fields":[]}]}"#
    #expect(try await ask(world, "schema/check", check).values(of: "recordType") == ["Note"])
    _ = try await world.ask(
      "zones/modify",
      #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#)
    let zones = #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#
    let digest = try await ask(world, "private/zones/digest", zones, as: true)
    #expect(digest.status == 200)
    #expect(digest.values(of: "digest") == [String(repeating: "0", count: 32)])
    #expect(digest.headers["X-Apple-CloudKit-Web-Auth-Token"] == world.webToken)
    #expect(try await ask(world, "private/zones/digest", zones).status == 421)
    await world.end()
  }

  @Test(arguments: [
    ("zones/digest", 404), ("private/schema/check", 404), ("private/capabilities", 404),
    ("nothing", 404), ("public/zones/digest", 400),
  ])
  func `an extension answers at its own path alone`(name: String, status: Int) async throws {
    let world = try SiteWorld()
    #expect(
      try await ask(world, name, #"{"zones":[]}"#, as: true).status == status)
    await world.end()
  }

  @Test func `an extension that is asked with a body does not answer GET`() async throws {
    let world = try SiteWorld()
    let answer = try await ask(world, "schema/check", method: .get)
    #expect(answer.status == 405)
    #expect(answer.headers["Allow"] == "POST")
    await world.end()
  }

  @Test
  func `whoever waits for a change is answered when it comes, or at once where there was one`()
    async throws
  {
    let world = try SiteWorld()
    func make(_ zone: String) async throws {
      _ = try await world.ask(
        "zones/modify",
        #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(zone)"}}}]}"#)
    }
    try await make("A")
    let first = try await ask(world, "private/changes/wait", "{}", as: true)
    #expect(first.values(of: "zoneName") == ["A"])
    let token = try first.values(of: "syncToken").last.unwrapped()
    async let waited = ask(
      world, "private/changes/wait", #"{"syncToken":"\#(token)"}"#, as: true)
    let hub = try world.site.containers[SiteWorld.container].unwrapped().changes(.development)
    while hub.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
    try await make("B")
    #expect(try await waited.values(of: "zoneName") == ["B"])
    #expect(try await ask(world, "private/changes/wait", "{}").status == 421)
    #expect(try await ask(world, "public/changes/wait", "{}", as: true).status == 400)
    await world.end()
  }

  @Test func `a user has so many change streams, and a place again once one has ended`()
    async throws
  {
    let world = try SiteWorld(userStreamsMax: 2)
    let target =
      "/contrail/1/\(SiteWorld.container)/development/private/changes/stream"
      + "?ckAPIToken=\(world.apiToken)&ckWebAuthToken=\(world.webToken)"
    // A response that is never sent holds its place as one that is.
    func open() async throws -> HTTPResponse {
      var parser = RequestParser(limits: HTTPLimits())
      var offset = 0
      let bytes = Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
      guard case .head(let head) = parser.next(bytes.span, at: &offset) else {
        throw Int?.NothingThere()
      }
      return await world.site.handler.respond(
        HTTPRequest(
          head: head, body: [], remoteAddress: .ipv4(0x7F00_0001, port: 1), id: 1, isSecure: false))
    }
    var streams = [try await open(), try await open()]
    #expect(streams.map(\.status.rawValue) == [200, 200])
    let refused = try await open()
    #expect(refused.status.rawValue == 429)
    #expect(SiteAnswer(refused).body.contains("\"THROTTLED\""))
    #expect(SiteAnswer(refused).body.contains("a user has at most 2 change streams"))
    streams.removeLast()
    streams.append(try await open())
    #expect(streams.map(\.status.rawValue) == [200, 200])
    await world.end()
  }
}
