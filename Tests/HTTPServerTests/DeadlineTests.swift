@testable import HTTPServer
import Testing

extension SocketTests {
  @Suite struct DeadlineTests {
    private static func hasten(_ configuration: inout HTTPServerConfiguration) {
      configuration.deadlines.head = .milliseconds(200 * Sanitizer.slowness)
      configuration.deadlines.body = .milliseconds(200 * Sanitizer.slowness)
      configuration.deadlines.idle = .milliseconds(200 * Sanitizer.slowness)
      configuration.deadlines.writeStall = .milliseconds(300 * Sanitizer.slowness)
      configuration.deadlines.linger = .milliseconds(100 * Sanitizer.slowness)
      configuration.deadlines.handshake = .milliseconds(200 * Sanitizer.slowness)
    }

    /// Sends one byte at a time until the server has had enough; returns the status it tells.
    private static func trickle(_ client: Client, _ text: String) async throws -> Int {
      for byte in text.utf8 {
        guard (try? client.send([byte])) != nil else { break }
        try await Task.sleep(for: .milliseconds(20 * Sanitizer.slowness))
      }
      return try client.receive().status
    }

    @Test func `a head that trickles is refused in time`() async throws {
      try await withServer(Self.hasten) { server, address in
        let start = ContinuousClock.now
        let client = try Client(address)
        let head = "GET / HTTP/1.1\r\nHost: a\r\nX: "
        #expect(try await Self.trickle(client, head) == 408)
        #expect(start.duration(to: .now) < .seconds(3 * Sanitizer.slowness))
        #expect(server.counters.timeouts >= 1)
      }
    }

    @Test func `a body that trickles is refused in time`() async throws {
      try await withServer(Self.hasten) { _, address in
        let client = try Client(address)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
        #expect(try await Self.trickle(client, "a body that is not complete") == 408)
      }
    }

    @Test func `a body that is slow but steady is taken`() async throws {
      try await withServer({
        Self.hasten(&$0)
        $0.deadlines.bodyBytesPerSecondMin = 1000
      }) { _, address in
        let client = try Client(address)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n")
        for _ in 0..<5 {
          try client.send([UInt8](repeating: 0, count: 1000))
          try await Task.sleep(for: .milliseconds(150 * Sanitizer.slowness))
        }
        #expect(try client.receive().text == "POST / 5000")
      }
    }

    @Test func `connections that say nothing are closed, before and after a request`() async throws
    {
      try await withServer(Self.hasten) { server, address in
        let silent = try Client(address)
        let idle = try Client(address)
        _ = try idle.get("/")
        #expect(try silent.receiveRest().isEmpty)
        #expect(try idle.receiveRest().isEmpty)
        #expect(await eventually { server.counters.connectionsOpen == 0 })
        #expect(server.counters.timeouts == 2)
      }
    }

    @Test func `a connection in use outlives the idle deadline`() async throws {
      try await withServer({ $0.deadlines.idle = .seconds(Sanitizer.slowness) }) { _, address in
        let client = try Client(address)
        for _ in 0..<5 {
          #expect(try client.get("/slow?200").text == "slow")
          try await Task.sleep(for: .milliseconds(100))
        }
      }
    }

    @Test func `a client that asks and never reads costs bounded memory, and is cut off`()
      async throws
    {
      try await withServer(Self.hasten) { server, address in
        let before = residentBytes()
        let client = try Client(address, receiveBuffer: 4096, seconds: 1)
        let requests = Array(
          String(repeating: "GET /large?20000 HTTP/1.1\r\nHost: a\r\n\r\n", count: 200_000).utf8)
        #expect(throws: ClientError.self) { try client.send(requests) }
        // 200 000 responses would be 4 GB. The kernel's buffers are no memory of the process.
        #expect(residentBytes() - before < (20 << 20) * Sanitizer.appetite)
        #expect(await eventually { server.counters.connectionsOpen == 0 })
        #expect(server.counters.responses[2] ?? 0 < 2000)
      }
    }

    @Test func `a handshake that stops is cut off`() async throws {
      let files = try Certificates.make("localhost")
      try await withServer({
        Self.hasten(&$0)
        $0.tls = files
      }) { server, address in
        let client = try Client(address)
        try client.send([0x16, 0x03, 0x01])
        #expect(throws: ClientError.self) { while true { _ = try client.receive(count: 1) } }
        #expect(await eventually { server.counters.connectionsOpen == 0 })
      }
    }

    @Test
    func `the wheel gives back each entry in its tick, and those beyond its reach on the way`() {
      var wheel = TimerWheel(now: 1000)
      #expect(wheel.delay(now: 1000) == nil)
      let near = wheel.tick(of: 1100)
      let past = wheel.tick(of: 5)
      let far = wheel.tick(of: 10_000_000)
      for (token, tick) in [(1 as UInt64, near), (2, past), (3, far)] {
        wheel.insert(token, at: tick)
      }
      #expect(wheel.delay(now: 1000) == 20)
      #expect(wheel.advance(to: 1010).isEmpty)
      #expect(wheel.advance(to: 1020).map(\.token) == [2])
      #expect(wheel.advance(to: 1099).isEmpty)
      #expect(wheel.advance(to: 1200).map(\.token) == [1])
      #expect(wheel.advance(to: 1_000_000).map(\.token) == [3])
      #expect(wheel.delay(now: 1_000_000) == nil)
    }
  }
}
