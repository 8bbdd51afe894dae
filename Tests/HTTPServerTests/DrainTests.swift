import Glibc
@testable import HTTPServer
import Synchronization
import Testing

extension SocketTests {
  @Suite struct DrainTests {
    @Test func `a request in flight is answered with the end, and new clients are not taken`()
      async throws
    {
      try await withServer { server, address in
        let client = try Client(address)
        try client.send("GET /slow?500 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await eventually { server.counters.requests == 1 })
        async let isWhole = server.drain(within: .seconds(5))
        #expect(await eventually { (try? Client(address)) == nil })
        let reply = try client.receive()
        #expect(reply.text == "slow")
        #expect(reply.headers["connection"] == "close")
        #expect(try client.receiveRest().isEmpty)
        #expect(await isWhole)
        #expect(throws: ClientError.cannotConnect(ECONNREFUSED)) { try Client(address) }
        // A second drain has nothing to do.
        #expect(await server.drain(within: .seconds(5)))
      }
    }

    @Test func `connections that are idle for long are closed at once`() async throws {
      try await withServer({ $0.deadlines.drainIdle = .milliseconds(50) }) { server, address in
        let client = try Client(address)
        _ = try client.get("/")
        try await Task.sleep(for: .milliseconds(100))
        async let isWhole = server.drain(within: .seconds(5))
        // The client blocks a thread of the pool: the drain has to begin before.
        try await Task.sleep(for: .milliseconds(50))
        #expect(try client.receiveRest().isEmpty)
        #expect(await isWhole)
      }
    }

    @Test func `a drain under load loses no request`() async throws {
      try await withServer({
        $0.loopCount = 2
        $0.deadlines.drainIdle = .seconds(2)
      }) { server, address in
        let answered = Notes()
        let lost = Notes()
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<16 {
            group.addTask {
              await onThread {
                // Until the server says that it was the last: every request before has its answer.
                do {
                  let client = try Client(address)
                  var isLast = false
                  while !isLast {
                    let reply = try client.get(number % 2 == 0 ? "/slow?2" : "/large?3000")
                    answered.add("")
                    isLast = reply.headers["connection"] == "close"
                  }
                } catch {
                  lost.add("\(error)")
                }
              }
            }
          }
          #expect(await eventually { server.counters.requests > 500 })
          #expect(await server.drain(within: .seconds(10)))
          await group.waitForAll()
        }
        #expect(lost.all.isEmpty)
        #expect(answered.all.count == server.counters.responses[2])
        #expect(server.counters.connectionsOpen == 0)
      }
    }

    @Test func `a stream without an end is ended in order`() async throws {
      try await withServer { server, address in
        let client = try Client(address)
        try client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.receiveHead()
        async let isWhole = server.drain(within: .seconds(5))
        // The client blocks a thread of the pool: the drain has to begin before.
        try await Task.sleep(for: .milliseconds(50))
        var events = 0
        while try client.receiveChunk() != nil { events += 1 }
        #expect(events > 0)
        #expect(try client.receiveRest().isEmpty)
        #expect(await isWhole)
      }
    }

    @Test func `a second drain waits for the first, and may hasten it`() async throws {
      try await withServer { server, address in
        let client = try Client(address)
        try client.send("GET /slow?3000 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await eventually { server.counters.requests == 1 })
        let start = ContinuousClock.now
        async let patient = server.drain(within: .seconds(10))
        async let hasty = server.drain(within: .milliseconds(200))
        let ends = await [patient, hasty]
        #expect(ends == [false, false])
        #expect(start.duration(to: .now) < .seconds(2))
      }
    }

    @Test func `drains that meet the loop's end return too`() async throws {
      for _ in 0..<200 {
        try await withServer { server, _ in
          await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { await server.drain(within: .seconds(5)) } }
            for await isWhole in group { #expect(isWhole) }
          }
        }
      }
    }

    @Test func `a writer that outlives its server is told`() async throws {
      let notes = Notes()
      let writers = Mutex<HTTPBodyWriter?>(nil)
      let handler = HTTPHandler { _ in
        HTTPResponse(
          stream: HTTPStream(whenDraining: .cancel) { writer in
            writers.withLock { $0 = writer }
            try await writer.write("a")
          })
      }
      try await withServer(handler: handler) { server, address in
        let reply = try Client(address).get("/")
        #expect(reply.text == "a")
        #expect(await server.drain(within: .seconds(5)))
        try await Task.sleep(for: .milliseconds(50))
        let writer = try #require(writers.withLock { $0 })
        do { try await writer.write("late") } catch { notes.add("\(error)") }
      }
      #expect(notes.all == ["clientIsGone"])
    }

    @Test func `what does not end by the deadline is cut off`() async throws {
      try await withServer { server, address in
        let client = try Client(address)
        try client.send("GET /slow?3000 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await eventually { server.counters.requests == 1 })
        let start = ContinuousClock.now
        #expect(await server.drain(within: .milliseconds(200)) == false)
        #expect(start.duration(to: .now) < .seconds(2))
        #expect(throws: ClientError.self) { try client.receive() }
        #expect(server.counters.connectionsOpen == 0)
      }
    }
  }
}
