import HTTPServer
import HTTPTransport
import Testing

/// The client against our own server.
@Suite struct ClientTests {
  @Test(arguments: [0, 1, 32 << 10, (32 << 10) + 1, 1 << 20, 20 << 20])
  func `bodies of every size go there and come back`(count: Int) async throws {
    try await withServer { client, base, _ in
      let body = pattern(count)
      let answer = try await client.send(HTTPClientRequest(.post, "\(base)/echo", body: body))
      #expect(answer.status == 200)
      #expect(answer.body == body)
    }
  }

  @Test func `one connection serves one request after the other`() async throws {
    try await withServer { client, base, server in
      for _ in 0..<5 {
        _ = try await client.send(HTTPClientRequest(.post, "\(base)/echo", body: [1, 2, 3]))
        _ = try await client.send(HTTPClientRequest(.post, "\(base)/echo", body: pattern(100_000)))
        _ = try await client.send(HTTPClientRequest(.get, "\(base)/bytes?7"))
      }
      #expect(server.counters.connectionsAccepted == 1)
      #expect(server.counters.requests == 15)
    }
  }

  @Test func `a request says what it was told to, and nothing of its own beside`() async throws {
    try await withServer { client, base, _ in
      var request = HTTPClientRequest(
        .post, "\(base)/head?a=%20b",
        headers: ["X-Text": "one, two", "X-Empty": "", "Content-Type": "application/json"],
        body: [0x7b, 0x7d])
      let posted = try await client.send(request)
      #expect(
        String(decoding: posted.body, as: UTF8.self) == """
          POST /head?a=%20b
          User-Agent: contrail
          Accept: */*
          Accept-Encoding: gzip
          X-Text: one, two
          X-Empty: \("")
          Content-Type: application/json
          Content-Length: 2

          """)
      request = HTTPClientRequest(.get, "\(base)/head")
      request.acceptsGzip = false
      let got = try await client.send(request)
      #expect(
        String(decoding: got.body, as: UTF8.self) == """
          GET /head
          User-Agent: contrail
          Accept: */*

          """)
      #expect(got.headers["X-ONE"] == "first")
      #expect(got.headers.values(of: "x-one") == ["first", "second"])
      #expect(got.headers["X-Empty"] == "")
      #expect(got.headers["X-Other"] == nil)
    }
  }

  @Test(arguments: HTTPClientRequest.Method.allCases)
  func `each method is sent as it is`(method: HTTPClientRequest.Method) async throws {
    try await withServer { client, base, server in
      let answer = try await client.send(HTTPClientRequest(method, "\(base)/head"))
      #expect(answer.status == 200)
      let line = String(decoding: answer.body, as: UTF8.self).split(separator: "\n").first ?? ""
      #expect(line == (method == .head ? "" : "\(method.rawValue) /head"))
    }
  }

  @Test func `any status is an answer`() async throws {
    try await withServer { client, base, _ in
      let answer = try await client.send(HTTPClientRequest(.get, "\(base)/missing"))
      #expect(answer.status == 404)
      #expect(answer.body == Array("nothing here".utf8))
    }
  }

  @Test func `compressed and chunked answers come whole`() async throws {
    try await withServer { client, base, server in
      let before = server.counters.bytesOut
      let text = try await client.send(HTTPClientRequest(.get, "\(base)/text"))
      #expect(text.body == Array(String(repeating: "text ", count: 4_000).utf8))
      #expect(text.headers["Content-Encoding"] == "gzip")
      #expect(server.counters.bytesOut - before < 5_000)
      let chunks = try await client.send(HTTPClientRequest(.get, "\(base)/chunks?1000"))
      #expect(chunks.body == Array((0..<1_000).map { "<\($0)>" }.joined().utf8))
    }
  }

  @Test func `many requests at once share few connections, and each gets its own answer`()
    async throws
  {
    try await withServer { client, base, server in
      let sizes = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
        for size in 0..<500 {
          group.addTask {
            (
              size,
              try await client.send(HTTPClientRequest(.get, "\(base)/bytes?\(size)")).body.count
            )
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      #expect(sizes == Dictionary(uniqueKeysWithValues: (0..<500).map { ($0, $0) }))
      #expect(server.counters.connectionsAccepted <= 16)
    }
  }

  @Test func `redirects are followed only when asked, and not for ever`() async throws {
    try await withServer { client, base, _ in
      var request = HTTPClientRequest(.get, "\(base)/away")
      let answer = try await client.send(request)
      #expect(answer.status == 302)
      #expect(answer.headers["Location"] == "/echo")
      request.followsRedirects = true
      let followed = try await client.send(request)
      #expect(followed.status == 200)
      #expect(followed.headers["Location"] == nil)
      request.url = "\(base)/round"
      let error = await failure(client, request)
      #expect(error?.code == .tooManyRedirects)
    }
  }

  @Test func `TLS needs a certificate that a named file, or the system, vouches for`() async throws
  {
    let files = try makeCertificate()
    var trusting = HTTPClientConfiguration()
    trusting.caFile = files.certificateChain
    try await withServer({ $0.tls = files }, client: trusting) { client, base, server in
      let body = pattern(1_000_000)
      let answer = try await client.send(HTTPClientRequest(.post, "\(base)/echo", body: body))
      #expect(answer.body == body)
      let again = try await client.send(HTTPClientRequest(.get, "\(base)/bytes?3"))
      #expect(again.body == pattern(3))
      #expect(server.counters.connectionsAccepted == 1)
    }
    try await withServer({ $0.tls = files }) { client, base, _ in
      let error = await failure(client, HTTPClientRequest(.get, "\(base)/bytes?3"))
      #expect(error?.code == .untrustedCertificate)
    }
    // The certificate is for 127.0.0.1 and no other name.
    try await withServer({ $0.tls = files }, client: trusting) { client, base, _ in
      let other = base.replacing("127.0.0.1", with: "localhost")
      let error = await failure(client, HTTPClientRequest(.get, "\(other)/bytes?3"))
      #expect(error?.code == .untrustedCertificate)
    }
    trusting.caFile = "/nowhere/ca.pem"
    try await withServer({ $0.tls = files }, client: trusting) { client, base, _ in
      let error = await failure(client, HTTPClientRequest(.get, "\(base)/bytes?3"))
      #expect(error?.code == .badCAFile)
    }
  }

  @Test func `a client that goes away leaves its last answers to their callers`() async throws {
    try await withServer { _, base, _ in
      let answers = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<20 {
          group.addTask {
            var configuration = HTTPClientConfiguration()
            configuration.usesProxyOfEnvironment = false
            let request = HTTPClientRequest(.get, "\(base)/bytes?9")
            return try await HTTPClient(configuration).send(request).body.count
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers == Array(repeating: 9, count: 20))
    }
  }
}

/// The error of sending a request; nil when an answer came.
func failure(_ client: HTTPClient, _ request: HTTPClientRequest) async -> HTTPClientError? {
  do throws(HTTPClientError) {
    _ = try await client.send(request)
    return nil
  } catch {
    return error
  }
}
