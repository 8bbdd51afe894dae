import Glibc
@testable import HTTPServer
import Testing

@Suite struct BodyBudgetTests {
  @Test func `large messages leave the last eighth to small ones`() {
    let budget = BodyBudget(bytesMax: 800_000)
    #expect(budget.change(from: 0, to: 700_000))
    #expect(!budget.change(from: 0, to: 70_000))
    #expect(budget.change(from: 0, to: 60_000))
    #expect(!budget.change(from: 0, to: 60_000))
    #expect(budget.bytesHeld == 760_000)
    #expect(budget.change(from: 700_000, to: 0))
    #expect(budget.change(from: 60_000, to: 100_000))
    #expect(budget.bytesHeld == 100_000)
  }
}

extension SocketTests {
  /// What many connections hold together is bounded, though each keeps to its own limits.
  @Suite struct BudgetTests {
    private static let mebibyte = 1024 * 1024

    private static func small(_ configuration: inout HTTPServerConfiguration) {
      configuration.messageBytesHeldMax = 4 * mebibyte
    }

    /// A client that has sent so many bytes of a body that is one longer.
    private static func incomplete(_ address: ListenAddress, _ count: Int) throws -> Client {
      let client = try Client(address)
      try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count + 1)\r\n\r\n")
      try client.send([UInt8](repeating: 0, count: count))
      return client
    }

    @Test func `bodies beyond what all may hold are refused, and small ones still taken`()
      async throws
    {
      try await withServer(Self.small) { server, address in
        let clients = try (0..<3).map { _ in try Self.incomplete(address, Self.mebibyte) }
        #expect(await eventually { server.counters.messageBytesHeld == 3 * Self.mebibyte })
        let refused = try Self.incomplete(address, Self.mebibyte)
        let reply = try refused.receive()
        #expect(reply.status == 503)
        #expect(reply.headers["retry-after"] == "1")
        #expect(reply.headers["connection"] == "close")
        #expect(server.counters.overloads == 1)
        let small = try Client(address)
        try small.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n")
        try small.send("something")
        #expect(try small.receive().text == "POST / 9")
        // Room comes back with the bodies' ends.
        for client in clients {
          try client.send([0])
          #expect(try client.receive().text == "POST / \(Self.mebibyte + 1)")
        }
        #expect(await eventually { server.counters.messageBytesHeld == 0 })
        let again = try Self.incomplete(address, Self.mebibyte)
        try again.send([0])
        #expect(try again.receive().status == 200)
      }
    }

    @Test func `a client that leaves in the middle of a body gives its room back`() async throws {
      try await withServer(Self.small) { server, address in
        var clients = try (0..<3).map { _ in try Self.incomplete(address, Self.mebibyte) }
        #expect(await eventually { server.counters.messageBytesHeld == 3 * Self.mebibyte })
        #expect(clients.count == 3)
        clients = []
        #expect(await eventually { server.counters.messageBytesHeld == 0 })
      }
    }

    @Test func `clients that do not read are cut off when all hold too much`() async throws {
      try await withServer(Self.small) { server, address in
        var clients: [Client] = []
        for _ in 0..<8 {
          let client = try Client(address, receiveBuffer: 4096)
          try client.send("GET /large?\(8 * Self.mebibyte) HTTP/1.1\r\nHost: a\r\n\r\n")
          clients.append(client)
        }
        #expect(await eventually { server.counters.overloads == 8 })
        #expect(server.counters.messageBytesHeld <= 4 * Self.mebibyte)
        #expect(try Client(address).get("/a").text == "GET /a 0")
        clients = []
        #expect(await eventually { server.counters.messageBytesHeld == 0 })
      }
    }

    @Test func `what a handler was given counts until it has answered`() async throws {
      let notes = Notes()
      let handler = HTTPHandler { request in
        notes.add("begun")
        while notes.all.count < 2 { try? await Task.sleep(for: .milliseconds(5)) }
        return HTTPResponse(body: Array("\(request.body.count)".utf8))
      }
      try await withServer(Self.small, handler: handler) { server, address in
        let client = try Client(address)
        try client.send(
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.mebibyte)\r\n\r\n")
        try client.send([UInt8](repeating: 0, count: Self.mebibyte))
        #expect(await eventually { notes.all.count == 1 })
        #expect(await eventually { server.counters.messageBytesHeld == Self.mebibyte })
        notes.add("go on")
        #expect(try client.receive().text == "\(Self.mebibyte)")
        #expect(await eventually { server.counters.messageBytesHeld == 0 })
      }
    }
  }
}
