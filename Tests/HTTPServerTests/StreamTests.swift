@testable import HTTPServer
import Testing

extension SocketTests {
  @Suite struct StreamTests {
    @Test func `a stream whose client goes learns it`() async throws {
      let notes = Notes()
      let handler = HTTPHandler { _ in
        HTTPResponse(
          stream: HTTPStream { writer in
            try await writer.write("first")
            do {
              try await Task.sleep(for: .seconds(30))
            } catch {
              notes.add("cancelled")
            }
            do {
              try await writer.write("second")
            } catch {
              notes.add("\(error)")
              throw error
            }
          })
      }
      try await withServer(handler: handler) { server, address in
        do {
          let client = try Client(address)
          try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
          _ = try client.receiveHead()
          #expect(try client.receiveChunk() == Array("first".utf8))
          #expect(server.counters.streamsOpen == 1)
        }
        #expect(await eventually { notes.all == ["cancelled", "clientIsGone"] })
        #expect(await eventually { server.counters.streamsOpen == 0 })
        #expect(server.counters.connectionsOpen == 0)
      }
    }

    @Test func `a stream waits for a client that does not read`() async throws {
      let notes = Notes()
      let handler = HTTPHandler { _ in
        HTTPResponse(
          stream: HTTPStream { writer in
            for _ in 0..<2000 {
              try await writer.write([UInt8](repeating: 0x61, count: 100_000))
              notes.add("")
            }
          })
      }
      try await withServer(handler: handler) { _, address in
        let client = try Client(address, receiveBuffer: 4096)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.receiveHead()
        try await Task.sleep(for: .milliseconds(300))
        let taken = notes.all.count
        #expect(taken < 200, "100 KB each")
        try await Task.sleep(for: .milliseconds(100))
        #expect(notes.all.count == taken)
        // Once it reads, the stream goes on.
        _ = try client.receive(count: 10_000_000)
        #expect(await eventually { notes.all.count > 90 })
      }
    }

    @Test func `a stream that fails ends without the mark of the end`() async throws {
      try await withServer { _, address in
        let client = try Client(address)
        try client.send("GET /broken HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.receiveHead()
        #expect(try client.receiveChunk() == Array("half".utf8))
        #expect(throws: ClientError.self) { try client.receiveChunk() }
      }
    }

    @Test func `a writer that outlives its stream writes nothing`() async throws {
      let notes = Notes()
      let handler = HTTPHandler { request in
        guard request.path == "/stream" else { return await answer(request) }
        return HTTPResponse(
          stream: HTTPStream { writer in
            try await writer.write("a")
            Task.detached {
              try await Task.sleep(for: .milliseconds(50))
              do { try await writer.write("late") } catch { notes.add("\(error)") }
            }
          })
      }
      try await withServer(handler: handler) { _, address in
        let client = try Client(address)
        #expect(try client.get("/stream").text == "a")
        #expect(await eventually { notes.all == ["streamHasEnded"] })
        #expect(try client.get("/b").text == "GET /b 0")
      }
    }

    @Test func `HTTP 1.0 gets a stream that ends with the connection`() async throws {
      try await withServer { _, address in
        let client = try Client(address)
        try client.send("GET /chunks?3 HTTP/1.0\r\n\r\n")
        let reply = try client.receive()
        #expect(reply.headers["transfer-encoding"] == nil)
        #expect(reply.text == "<0><1><2>")
      }
    }
  }
}
