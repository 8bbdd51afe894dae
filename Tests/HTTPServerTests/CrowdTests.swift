import Glibc
@testable import HTTPServer
import Testing

extension SocketTests {
  @Suite struct CrowdTests {
    @Test func `a thousand idle connections are held, cost little, and all still answer`()
      async throws
    {
      try await withServer { server, address in
        // What is allocated once is not counted.
        _ = try Client(address).get("/")
        let before = residentBytes()
        var clients: [Client] = []
        for _ in 0..<1000 {
          let client = try Client(address)
          _ = try client.get("/a")
          clients.append(client)
        }
        #expect(server.counters.connectionsOpen >= 1000)
        // Both sides are in this process.
        let each = (residentBytes() - before) / 1000
        #expect(
          each < 6000 * Sanitizer.appetite, "\(each) bytes for each connection and its client")
        for client in clients { #expect(try client.get("/b").text == "GET /b 0") }
        clients = []
        #expect(await eventually { server.counters.connectionsOpen == 0 })
      }
    }

    @Test func `one connection too many is told so`() async throws {
      try await withServer({ $0.connectionsMax = 2 }) { server, address in
        let first = try Client(address)
        let second = try Client(address)
        _ = try first.get("/")
        _ = try second.get("/")
        let third = try Client(address)
        let reply = try third.receive()
        #expect(reply.status == 503)
        #expect(reply.headers["retry-after"] == "1")
        #expect(server.counters.connectionsRefused == 1)
        #expect(try first.get("/a").status == 200)
      }
    }

    // The limit of descriptors is that of the whole process, so the next two have processes of their own.

    @Test func `descriptors are kept back for what is not a connection`() async {
      await #expect(processExitsWith: .success) {
        var limit = rlimit(rlim_cur: 200, rlim_max: 200)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try await withServer { server, address in
          var clients: [Client] = []
          var status = 200
          while status == 200, clients.count < 200 {
            let client = try Client(address)
            status = try client.get("/").status
            clients.append(client)
          }
          #expect(status == 503)
          // Both sides of each are in this process.
          #expect((50..<75).contains(clients.count))
          #expect(server.counters.connectionsRefused == 1)
          try await Task.sleep(for: .milliseconds(10))
          let reply = try clients[0].get("/slow?10")
          #expect(reply.text == "slow")
        }
      }
    }

    @Test func `a server without descriptors goes on once there are some`() async {
      await #expect(processExitsWith: .success) {
        try await withServer { server, address in
          let early = try Client(address)
          _ = try early.get("/")
          var limit = rlimit()
          getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          let before = limit.rlim_cur
          // The next client's own socket takes the last number.
          let next = dup(0)
          close(next)
          limit.rlim_cur = rlim_t(next) + 1
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          let waiting = try Client(address)
          // NB: not `Task.sleep`, for which libdispatch needs a descriptor.
          usleep(250_000)
          let status = try early.get("/a").status
          #expect(status == 200)
          #expect(server.counters.connectionsAccepted == 1)
          limit.rlim_cur = before
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          let reply = try waiting.get("/b")
          #expect(reply.text == "GET /b 0")
          #expect(server.counters.connectionsAccepted == 2)
        }
      }
    }

    @Test func `many clients at once get their own answers`() async throws {
      try await withServer({ $0.loopCount = 2 }) { server, address in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<32 {
            group.addTask {
              let client = try Client(address)
              for turn in 0..<50 {
                let target = "/\(number)/\(turn)"
                #expect(try client.get(target).text == "GET \(target) 0")
                await Task.yield()
              }
            }
          }
          try await group.waitForAll()
        }
        #expect(server.counters.requests == 1600)
      }
    }
  }
}
