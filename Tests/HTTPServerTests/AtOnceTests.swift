import HTTPServer
import Testing

/// Requests that are answered without a task.
@Suite struct AtOnceTests {
  private static let handler = HTTPHandler(reply: { request in
    request.path == "/later"
      ? .later { HTTPResponse(body: Array("later".utf8)) }
      : .now(HTTPResponse(body: Array(request.path.utf8)))
  })

  @Test func `more requests than a turn answers are all answered, in their order`() async throws {
    try await withServer(handler: Self.handler) { _, address in
      let client = try Client(address)
      let paths = (0..<50).map { $0 % 7 == 3 ? "/later" : "/\($0)" }
      try client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
      let answers = try paths.map { _ in try client.receive().text }
      #expect(answers == paths.map { $0 == "/later" ? "later" : $0 })
    }
  }

  @Test func `a client that ends its side with its request gets its answer and the end`()
    async throws
  {
    try await withServer(handler: Self.handler) { server, address in
      for _ in 0..<20 {
        let client = try Client(address)
        try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        client.endOutput()
        #expect(try client.receive().text == "/a")
        #expect(try client.receiveRest().isEmpty)
      }
      #expect(await eventually { server.counters.connectionsOpen == 0 })
    }
  }

  @Test func `a client that ends its side when it was answered is let go`() async throws {
    try await withServer(handler: Self.handler) { server, address in
      let client = try Client(address)
      #expect(try client.get("/a").text == "/a")
      client.endOutput()
      #expect(try client.receiveRest().isEmpty)
      #expect(await eventually { server.counters.connectionsOpen == 0 })
    }
  }
}
