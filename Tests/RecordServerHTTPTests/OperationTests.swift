import RecordWire
import HTTPTransport
import ServerAccess
import Testing

@testable import RecordServerHTTP

/// Requests to operations of the protocol, over real sockets.
@Suite struct OperationTests {
  @Test func `a record goes in and comes out, and the answer has the token to go on with`()
    async throws
  {
    let world = try SiteWorld()
    let saved = try await world.ask(
      "records/modify",
      #"{"operations":[{"operationType":"create","record":{"recordName":"a","recordType":"Note","#
        + #""fields":{"text":{"value":"hi"}}}}]}"#)
    #expect(saved.status == 200)
    #expect(saved.headers["Content-Type"] == "application/json; charset=UTF-8")
    #expect(saved.headers["X-Apple-CloudKit-Web-Auth-Token"] == world.webToken)
    #expect(saved.headers["X-Apple-Request-UUID"]?.utf8.count == 36)
    let found = try await world.ask("records/lookup", #"{"records":[{"recordName":"a"}]}"#)
    #expect(found.values(of: "value") == ["hi"])
    await world.end()
  }

  @Test func `without a user a private database answers where to sign in`() async throws {
    let world = try SiteWorld()
    let answer = try await world.ask(
      "zones/list", "", query: "ckAPIToken=\(world.apiToken)",
      headers: ["Origin": "https://notes.example.org"])
    #expect(answer.status == 421)
    #expect(answer.values(of: "serverErrorCode") == ["AUTHENTICATION_REQUIRED"])
    let id = try world.accounts.apiTokens().first.unwrapped().id
    #expect(
      answer.values(of: "redirectURL") == [
        "\(world.url)/signin?token=\(id)&origin=https%3A%2F%2Fnotes.example.org"
      ])
    #expect(answer.headers["X-Apple-Request-UUID"] == answer.values(of: "uuid").first)
    await world.end()
  }

  @Test(arguments: [
    "", "ckAPIToken=",
    "ckAPIToken=0000000000000000000000000000000000000000000000000000000000000000",
    "ckAPIToken=x%00y",
  ])
  func `whoever has no good API token gets one and the same answer`(query: String) async throws {
    let world = try SiteWorld()
    let answer = try await world.ask("zones/list", "", "public", query: query)
    #expect(answer.status == 401)
    #expect(answer.values(of: "serverErrorCode") == ["AUTHENTICATION_FAILED"])
    #expect(answer.values(of: "reason") == ["Authentication failed"])
    await world.end()
  }

  @Test func `a token of another container or environment is none here`() async throws {
    let world = try SiteWorld()
    let query = "?ckAPIToken=\(world.apiToken)&ckWebAuthToken=\(world.webToken)"
    for path in ["iCloud.test/production", "iCloud.other/development"] {
      let answer = try await world.send(
        .get, "/database/1/\(path)/private/zones/list" + query)
      #expect(answer.values(of: "serverErrorCode") == ["AUTHENTICATION_FAILED"])
    }
    await world.end()
  }

  @Test func `lists are asked for by either method, and others by POST alone`() async throws {
    let world = try SiteWorld()
    let got = try await world.ask("zones/list", "", method: .get)
    let posted = try await world.ask("zones/list", "{}")
    #expect(got.status == 200)
    #expect(got.body == posted.body)
    let refused = try await world.ask("records/lookup", "", method: .get)
    #expect(refused.status == 405)
    #expect(refused.headers["Allow"] == "POST")
    #expect(refused.values(of: "reason") == ["this path answers POST"])
    await world.end()
  }

  @Test func `where there is nothing, JSON says so`() async throws {
    let world = try SiteWorld()
    for path in [
      "/", "/database/1/iCloud.test/staging/private/zones/list", "/database/2/a/development/b/c/d",
      "/database/1/%zz/development/private/zones/list", "/a/b/c/d/e/f/g/h/i/j",
    ] {
      let answer = try await world.send(.get, path)
      #expect(answer.status == 404)
      #expect(answer.values(of: "serverErrorCode") == ["NOT_FOUND"])
    }
    let unknown = try await world.ask("records/eat", "{}")
    #expect(unknown.status == 404)
    await world.end()
  }

  @Test func `push tokens are answered at both of their paths that there are none`() async throws {
    let world = try SiteWorld()
    for module in ["device", "database"] {
      let answer = try await world.send(
        .post, "/\(module)/1/iCloud.test/development/tokens/create?ckAPIToken=\(world.apiToken)",
        "{}")
      #expect(answer.status == 400)
      #expect(answer.values(of: "reason") == ["this server does not offer push notifications"])
    }
    await world.end()
  }

  @Test func `who asks too often is told when to come again`() async throws {
    let world = try SiteWorld(
      requests: RateLimits([.user: RateLimit(perSecond: 1, burst: 2)]))
    var statuses: [Int] = []
    for _ in 0..<3 { statuses.append(try await world.ask("zones/list", "").status) }
    #expect(statuses == [200, 200, 429])
    let answer = try await world.ask("zones/list", "")
    #expect(answer.values(of: "serverErrorCode") == ["THROTTLED"])
    #expect(answer.headers["Retry-After"] == "1")
    #expect(answer.text.contains(#""retryAfter":1"#))
    world.clock.advance(seconds: 1)
    #expect(try await world.ask("zones/list", "").status == 200)
    await world.end()
  }

  @Test func `who is asked by users caller knows the name that the server has of them`()
    async throws
  {
    let world = try SiteWorld()
    let answer = try await world.ask("users/current", "", "public", method: .get)
    #expect(answer.values(of: "firstName") == ["Ann"])
    #expect(answer.values(of: "emailAddress") == ["ann@example.org"])
    #expect(answer.values(of: "userRecordName").first?.utf8.count == 33)
    await world.end()
  }

  @Test func `the log tells what happened, and no secret`() async throws {
    let world = try SiteWorld()
    _ = try await world.ask("zones/list", "")
    let upload = try await world.ask(
      "assets/upload", #"{"tokens":[{"recordType":"Note","fieldName":"file"}]}"#)
    let place = try upload.values(of: "url").first.unwrapped()
    _ = try await world.send(.post, place, "bytes")
    let lines = world.log.all
    #expect(lines.count == 3)
    let first = """
      {"time":"2027-01-15T08:00:00.000Z","level":"info","event":"request",\
      "id":"00000000-0000-0001-0000-000000000001","method":"POST",\
      "path":"/database/1/iCloud.test/development/private/zones/list",\
      "operation":"zones/list","status":200,"bytes":0,"microseconds":0,"from":"127.0.0.1"}

      """
    #expect(lines.first == first)
    let sealed = try place.split(separator: "/").last.unwrapped()
    let secrets = [world.apiToken, world.webToken, String(sealed)]
    for line in lines { #expect(!secrets.contains { line.contains($0) }) }
    await world.end()
  }

  @Test func `control characters are refused in names, tokens and paths`() async throws {
    let world = try SiteWorld()
    let named = try await world.ask(
      "records/modify",
      #"{"operations":[{"operationType":"create","record":{"recordName":"a\u0000b","recordType":"N"}}]}"#
    )
    #expect(named.status == 400)
    #expect(named.values(of: "serverErrorCode") == ["BAD_REQUEST"])
    let zone = try await world.ask(
      "zones/modify",
      #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"a\nb"}}}]}"#)
    #expect(zone.values(of: "serverErrorCode") == ["BAD_REQUEST"])
    let token = try await world.ask("changes/database", #"{"syncToken":"AAAA\u0000"}"#)
    #expect(token.values(of: "serverErrorCode") == ["BAD_REQUEST"])
    for part in ["%00", "%0A", "%1F", "%7F"] {
      #expect(Array("a\(part)b".utf8).withUnsafeBufferPointer { PercentCoding.decoded($0) } == nil)
      let path = try await world.send(
        .post, "/database/1/\(SiteWorld.container)/development/private/zones\(part)/list", "{}")
      #expect(path.status == 404)
      #expect(path.values(of: "serverErrorCode") == ["NOT_FOUND"])
    }
    await world.end()
  }

  @Test(arguments: [
    "text/plain", "application/json; charset=utf-8", "application/x-www-form-urlencoded", "", nil,
  ])
  func `content types, unknown parameters and unknown keys are of no account`(type: String?)
    async throws
  {
    let world = try SiteWorld()
    let query = "ckAPIToken=\(world.apiToken)&ckWebAuthToken=\(world.webToken)"
    var headers = HTTPClientHeaders()
    if let type { headers.add("Content-Type", type) }
    let answer = try await world.ask(
      "records/modify",
      #"{"operations":[{"operationType":"create","record":{"recordName":"a","recordType":"Note","#
        + #""fields":{"text":{"value":"hi","later":[1]}},"tomorrow":{}}}],"unknown":null}"#,
      query: query + "&ckjsVersion=2.6.1&clientId=x&remapEnums=true&=&a=%&b", headers: headers)
    #expect(answer.status == 200)
    #expect(answer.values(of: "recordName") == ["a"])
    #expect(answer.values(of: "serverErrorCode") == [])
    await world.end()
  }
}
