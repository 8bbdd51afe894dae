import Glibc
@testable import HTTPServer
import Testing

extension SocketTests {
  @Suite struct ServingTests {
    @Test func `a connection serves one request after another`() async throws {
      try await withServer { server, address in
        let client = try Client(address)
        for number in 0..<3 {
          let reply = try client.get("/\(number)")
          #expect(reply.status == 200)
          #expect(reply.text == "GET /\(number) 0")
          #expect(reply.headers["connection"] == nil)
          #expect(reply.headers["date"]?.hasSuffix("GMT") == true)
        }
        #expect(server.counters.requests == 3)
        #expect(server.counters.connectionsAccepted == 1)
        #expect(server.counters.responses[2] == 3)
      }
    }

    @Test func `requests in one piece are answered in their order, also by slow handlers`()
      async throws
    {
      try await withServer { _, address in
        let client = try Client(address)
        let targets = ["/slow?80", "/a", "/slow?1", "/b"]
        try client.send(
          targets.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        #expect(
          try targets.map { _ in try client.receive().text } == [
            "slow", "GET /a 0", "slow", "GET /b 0",
          ])
      }
    }

    @Test func `a request in pieces of one byte is served`() async throws {
      try await withServer { _, address in
        let client = try Client(address)
        for byte in "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc".utf8 {
          try client.send([byte])
        }
        #expect(try client.receive().text == "abc")
      }
    }

    @Test func `a handler that answers at once needs no task`() async throws {
      let handler = HTTPHandler(reply: { request in
        request.path == "/now"
          ? .now(HTTPResponse(body: Array("now".utf8))) : .later { await answer(request) }
      })
      try await withServer(handler: handler) { _, address in
        let client = try Client(address)
        #expect(try client.get("/now").text == "now")
        #expect(try client.get("/later").text == "GET /later 0")
      }
    }

    @Test func `handlers run on the thread of their connection's loop`() async throws {
      let handler = HTTPHandler { _ in
        let before = pthread_self()
        await Task.yield()
        return HTTPResponse(body: Array("\(before) \(pthread_self())".utf8))
      }
      try await withServer(handler: handler) { _, address in
        let client = try Client(address)
        let threads = Set(
          try (0..<5).flatMap { _ in try client.get("/").text.split(separator: " ").map(String.init)
          })
        #expect(threads.count == 1)
        #expect(!threads.contains("\(pthread_self())"))
      }
    }

    @Test func `HEAD is answered with the length and no body`() async throws {
      try await withServer { _, address in
        let client = try Client(address)
        try client.send("HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\nGET /d HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try client.receive(withoutBody: true)
        #expect(head.headers["content-length"] == "11")
        #expect(try client.receive().text == "GET /d 0")
      }
    }

    @Test(arguments: [
      "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    ])
    func `a client that wants one response gets it and the end`(request: String) async throws {
      try await withServer { server, address in
        let client = try Client(address)
        try client.send(request)
        let reply = try client.receive()
        #expect(reply.headers["connection"] == "close")
        #expect(try client.receiveRest().isEmpty)
        #expect(await eventually { server.counters.connectionsOpen == 0 })
      }
    }

    @Test func `a client that ends its side early still gets its answers`() async throws {
      try await withServer { server, address in
        let client = try Client(address)
        try client.send(
          "GET /slow?50 HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
        client.endOutput()
        #expect(try client.receive().text == "slow")
        #expect(try client.receive().text == "GET /b 0")
        #expect(try client.receiveRest().isEmpty)
        #expect(await eventually { server.counters.connectionsOpen == 0 })
      }
    }

    @Test func `a malformed request is answered with its status and the end`() async throws {
      try await withServer { server, address in
        for (text, status) in [
          ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/3.0\r\n\r\n", 505),
          ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: br\r\n\r\n", 501),
          ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413),
        ] {
          let client = try Client(address)
          try client.send(text + String(repeating: "more", count: 50_000))
          let reply = try client.receive()
          #expect(reply.status == status)
          #expect(reply.headers["connection"] == "close")
          #expect(try client.receiveRest().isEmpty)
        }
        #expect(server.counters.responses[4] == 2)
        #expect(server.counters.responses[5] == 2)
      }
    }

    @Test func `a header with a line break from a handler becomes a 500 without it`() async throws {
      try await withServer { _, address in
        let client = try Client(address)
        let reply = try client.get("/inject")
        #expect(reply.status == 500)
        #expect(reply.headers["set-cookie"] == nil)
        #expect(try client.get("/a").status == 200)
      }
    }

    @Test func `a client that asks first is told to go on, or refused before it sends`()
      async throws
    {
      let handler = HTTPHandler(bodyLimit: { $0.path == "/asset" ? 5000 : 10 }, respond: answer)
      try await withServer(handler: handler) { _, address in
        let client = try Client(address)
        func ask(_ path: String, _ count: Int) throws -> Int {
          try client.send(
            "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\nExpect: 100-continue\r\n\r\n"
          )
          return try client.receive().status
        }
        #expect(try ask("/asset", 5000) == 100)
        try client.send([UInt8](repeating: 0, count: 5000))
        #expect(try client.receive().text == "POST /asset 5000")
        #expect(try ask("/small", 11) == 413)
      }
    }

    @Test func `large bodies come and go whole`() async throws {
      let handler = HTTPHandler(bodyLimit: { _ in 1 << 25 }, respond: answer)
      try await withServer(handler: handler) { server, address in
        let client = try Client(address)
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
        try client.send(body)
        #expect(try client.receive().body == body)
        #expect(server.counters.bytesIn > body.count)
        #expect(server.counters.bytesOut > body.count)
      }
    }

    @Test func `chunks are taken and given`() async throws {
      try await withServer { server, address in
        let client = try Client(address)
        try client.send(
          "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x\r\nde\r\n0\r\n\r\n"
        )
        #expect(try client.receive().text == "abcde")
        let reply = try client.get("/chunks?3")
        #expect(reply.headers["transfer-encoding"] == "chunked")
        #expect(reply.text == "<0><1><2>")
        #expect(try client.get("/after").text == "GET /after 0")
        #expect(await eventually { server.counters.streamsOpen == 0 })
      }
    }

    @Test func `all of an address's forms are listened on`() async throws {
      let path = "/tmp/contrail-http-\(getpid()).sock"
      try await withServer({
        $0.addresses = [
          .tcp(host: "127.0.0.1", port: 0), .tcp(host: "::1", port: 0), .unix(path: path),
        ]
        $0.loopCount = 2
      }) { server, _ in
        #expect(server.addresses.count == 3)
        for address in server.addresses {
          let reply = try Client(address).get("/a")
          #expect(reply.text == "GET /a 0")
        }
      }
      #expect(access(path, F_OK) != 0)
    }

    @Test func `addresses that cannot be had are told`() async throws {
      try await withServer { _, address in
        guard case .tcp(_, let port) = address else { return }
        func error(_ address: ListenAddress) -> HTTPServerError? {
          do throws(HTTPServerError) {
            _ = try HTTPServer.start(
              HTTPServerConfiguration(addresses: [address]), handler: HTTPHandler(respond: answer))
            return nil
          } catch {
            return error
          }
        }
        #expect(error(.tcp(host: "localhost", port: port))?.code == .badAddress)
        #expect(error(.unix(path: String(repeating: "x", count: 200)))?.code == .badAddress)
        #expect(error(.tcp(host: "203.0.113.1", port: port))?.code == .cannotListen)
        #expect(error(.unix(path: "/nowhere/socket"))?.message == "No such file or directory")
      }
    }
  }
}
