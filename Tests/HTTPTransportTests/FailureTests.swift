import HTTPServer
import HTTPTransport
import Testing

/// Every way in which no answer comes: named, with the URL and what to do.
@Suite struct FailureTests {
  private func client() throws -> HTTPClient {
    var configuration = HTTPClientConfiguration()
    configuration.usesProxyOfEnvironment = false
    return try HTTPClient(configuration)
  }

  @Test func `a refused connection says where, without secrets, and what to check`() async throws {
    let error = await failure(
      try client(), HTTPClientRequest(.get, "http://127.0.0.1:1/a/b?ckAPIToken=secret#c"))
    #expect(error?.code == .cannotConnect)
    #expect(error?.url == "http://127.0.0.1:1/a/b")
    #expect(error?.fix == "check host and port, and that the server runs")
    #expect(error?.description.contains("secret") == false)
  }

  @Test func `a host that nobody knows is named`() async throws {
    let error = await failure(
      try client(), HTTPClientRequest(.get, "http://no-such-host.invalid/"))
    #expect(error?.code == .unknownHost)
    #expect(
      error?.description
        == "http://no-such-host.invalid/: no host of that name is known; check the host's name, "
        + "and that this machine is online")
  }

  @Test(arguments: [
    "", "/no/host", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://a b/",
    "http://a/\r\nX: y", "http://a\0b/", "http://user:word@127.0.0.1/",
  ])
  func `what is no URL is refused`(url: String) async throws {
    let error = await failure(try client(), HTTPClientRequest(.get, url))
    #expect(error?.code == .badURL, "\(error.debugDescription)")
    #expect(error?.description.contains("word") != true)
  }

  @Test(arguments: [
    ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\0b"), ("", "a"), ("a b", "c"), ("a:", "b"),
    ("a\r\nb", "c"), ("Content-Length", "5"), ("transfer-encoding", "chunked"),
  ])
  func `a header that would be another one is refused`(name: String, value: String) async throws {
    var request = HTTPClientRequest(.get, "http://127.0.0.1:1/")
    request.headers.add(name, value)
    let error = await failure(try client(), request)
    #expect(error?.code == .badHeader)
  }

  @Test func `an answer that does not come in time is given up, and the next one comes`()
    async throws
  {
    try await withServer { client, base, _ in
      var request = HTTPClientRequest(.get, "\(base)/never")
      request.timeout = .milliseconds(50)
      let error = await failure(client, request)
      #expect(error?.code == .timedOut)
      #expect(error?.url == "\(base)/never")
      let next = try await client.send(HTTPClientRequest(.get, "\(base)/bytes?1"))
      #expect(next.status == 200)
    }
  }

  @Test(arguments: ["bytes?1001", "text", "chunks?400"])
  func `an answer that is too large ends where the limit is`(path: String) async throws {
    try await withServer { client, base, _ in
      var request = HTTPClientRequest(.get, "\(base)/\(path)")
      request.responseBytesMax = 1_000
      let error = await failure(client, request)
      #expect(error?.code == .responseTooLarge)
      #expect(error?.message == "the answer has more than 1000 bytes")
      request.url = "\(base)/bytes?1000"
      let whole = try await client.send(request)
      #expect(whole.body.count == 1_000)
      request.responseBytesMax = -1
      #expect(await failure(client, request)?.code == .responseTooLarge)
    }
  }

  @Test func `a cancelled task hears at once, before and after the request was sent`() async throws
  {
    try await withServer { client, base, server in
      var request = HTTPClientRequest(.get, "\(base)/never")
      // Longer than a busy machine takes to come to the cancellation.
      request.timeout = .seconds(600)
      let never = request
      let task = Task { await failure(client, never) }
      while server.counters.requests == 0 { await Task.yield() }
      task.cancel()
      #expect(await task.value?.code == .cancelled)
      let early = Task {
        while !Task.isCancelled { await Task.yield() }
        return await failure(client, never)
      }
      early.cancel()
      #expect(await early.value?.code == .cancelled)
      let next = try await client.send(HTTPClientRequest(.get, "\(base)/bytes?1"))
      #expect(next.status == 200)
    }
  }

  @Test func `half an answer is none`() async throws {
    try await withServer { client, base, _ in
      let error = await failure(client, HTTPClientRequest(.get, "\(base)/broken"))
      #expect(error?.code == .connectionLost)
    }
  }

  @Test(arguments: [
    ("", HTTPClientError.Code.connectionLost),
    ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", .connectionLost),
    ("SSH-2.0-OpenSSH\r\n", .malformedResponse),
    ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nno gzip", .malformedResponse),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .connectionLost),
  ])
  func `what is no whole HTTP answer is refused`(
    reply: String, code: HTTPClientError.Code
  ) async throws {
    let server = try RawServer(reply: reply)
    defer { withExtendedLifetime(server) {} }
    let error = await failure(
      try client(), HTTPClientRequest(.get, "http://127.0.0.1:\(server.port)/"))
    #expect(error?.code == code, "\(error.debugDescription)")
  }

  @Test func `interim answers, odd headers and long claims are taken in their stride`() async throws
  {
    let server = try RawServer(
      reply: "HTTP/1.1 100 Continue\r\nX: interim\r\n\r\n"
        + "HTTP/1.1 299\r\nX:\tone \r\n two\r\nNo-Value:\r\nContent-Length: 2\r\n\r\nok")
    defer { withExtendedLifetime(server) {} }
    let answer = try await client().send(
      HTTPClientRequest(.get, "http://127.0.0.1:\(server.port)/"))
    #expect(answer.status == 299)
    #expect(answer.headers.values(of: "x") == ["one two"])
    #expect(answer.headers["no-value"] == "")
    #expect(answer.body == Array("ok".utf8))
    let liar = try RawServer(
      reply: "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nshort")
    defer { withExtendedLifetime(liar) {} }
    let error = await failure(
      try client(), HTTPClientRequest(.get, "http://127.0.0.1:\(liar.port)/"))
    #expect(error?.code == .connectionLost)
  }

  @Test func `a server without TLS is told from one whose certificate is not trusted`() async throws
  {
    try await withServer { client, base, _ in
      let secure = base.replacing("http://", with: "https://")
      let error = await failure(client, HTTPClientRequest(.get, "\(secure)/bytes?1"))
      #expect(error?.code == .tlsFailed)
    }
  }

  @Test func `a server that takes the connection and says nothing is given up`() async throws {
    let server = try RawServer(reply: nil)
    defer { withExtendedLifetime(server) {} }
    var request = HTTPClientRequest(
      .post, "http://127.0.0.1:\(server.port)/", body: pattern(1 << 20))
    request.timeout = .milliseconds(100)
    let error = await failure(try client(), request)
    #expect(error?.code == .timedOut)
  }
}
