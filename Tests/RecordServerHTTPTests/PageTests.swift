import HTTPServer
import HTTPTransport
import RecordServer
import Synchronization
import Testing

@testable import RecordServerHTTP

/// Probes, measures and streams.
@Suite struct PageTests {
  @Test func `a server that is about to end is healthy and not ready`() async throws {
    let world = try SiteWorld()
    #expect(try await world.send(.get, "/health").text == "ok\n")
    #expect(try await world.send(.get, "/ready").text == "ok\n")
    world.site.beginDraining()
    #expect(try await world.send(.get, "/health").status == 200)
    let ready = try await world.send(.get, "/ready")
    #expect(ready.status == 503)
    #expect(ready.text == "draining\n")
    await world.end()
  }

  @Test func `requests are counted by operation and code, never by what a client makes up`()
    async throws
  {
    let world = try SiteWorld()
    _ = try await world.ask("zones/list", "")
    _ = try await world.ask("zones/list", "", query: "")
    _ = try await world.ask("records/\"}evil", "{}")
    let page = try await world.send(.get, "/metrics").text
    let counts = page.split(separator: "\n").filter { $0.hasPrefix("contrail_requests_total{") }
    #expect(
      counts == [
        #"contrail_requests_total{operation="unknown",code="NOT_FOUND"} 1"#,
        #"contrail_requests_total{operation="zones/list",code="AUTHENTICATION_FAILED"} 1"#,
        #"contrail_requests_total{operation="zones/list",code="OK"} 1"#,
      ])
    #expect(page.contains("# TYPE contrail_request_seconds histogram"))
    #expect(page.contains(#"contrail_request_seconds_count{operation="zones/list"} 2"#))
    await world.end()
  }

  @Test func `measures can be asked for as often as one likes`() async throws {
    let world = try SiteWorld()
    world.site.measure { HTTPServerCounters() }
    // What one question costs in stack is little; so many would need more than there is.
    for _ in 0..<200_000 { world.site.state.counters.withLock { _ in } }
    let page = try await world.send(.get, "/metrics").text
    #expect(page.contains("contrail_http_connections_open 0"))
    await world.end()
  }

  @Test func `a stream tells of a change, and of nothing in another database`() async throws {
    let world = try SiteWorld()
    let hub = world.site.containers[SiteWorld.container]?.developmentChanges
    let user = try await world.ask("users/caller", "", "public").values(of: "userRecordName").first
      .unwrapped()
    let ann = try hub.unwrapped().join(.user(user))
    let bob = try hub.unwrapped().join(.user("_bob"))
    _ = try await world.ask(
      "zones/modify",
      #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#)
    #expect(await ann.next() == .changed)
    #expect(try hub.unwrapped().count == 2)
    hub?.remind()
    #expect(await bob.next() == .stillHere)
    await world.end()
  }

  @Test func `a change that waits is not lost to a reminder`() async {
    let waiter = ChangeWaiter()
    waiter.tell(.changed)
    waiter.tell(.stillHere)
    #expect(await waiter.next() == .changed)
  }

  @Test func `who is cancelled gets no more hints`() async {
    let waiter = ChangeWaiter()
    let task = Task { await waiter.next() }
    task.cancel()
    #expect(await task.value == nil)
    waiter.tell(.changed)
    #expect(await waiter.next() == nil)
  }
}

/// Texts of the log and times.
@Suite struct RequestLogTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
    (4_102_444_800_001, "2100-01-01T00:00:00.001Z"),
  ])
  func `times are written as dates`(milliseconds: Int64, text: String) {
    #expect(LogTime.text(milliseconds) == text)
  }

  @Test func `a value cannot begin a line, or look like another value`() {
    let lines = LogLines()
    let log = ServerLog(.info, .text, milliseconds: { 0 }, write: { lines.append($0) })
    log.event(.info, "e", ["a": .text("x\ny=1"), "b": .number(2), "c": nil])
    log.event(.debug, "hidden")
    #expect(lines.all == ["1970-01-01T00:00:00.000Z info e a=\"x\\ny=1\" b=2\n"])
  }
}
