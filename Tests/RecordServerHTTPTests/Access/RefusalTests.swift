import HTTPTransport
import ServerAccess
import Testing

@testable import RecordServerHTTP

/// Addresses from which too much was refused.
@Suite struct RefusalTests {
  private let limits = RateLimits([.address: RateLimit(oneInSeconds: 10, burst: 2)])

  @Test func `who was refused too often waits before anything is looked up`() async throws {
    let world = try SiteWorld(refusals: limits)
    let wrong = "ckAPIToken=\(String(repeating: "0", count: 64))"
    for _ in 0..<2 {
      #expect(try await world.ask("zones/list", "", query: wrong).status == 401)
    }
    for query in [wrong, nil] {
      let late = try await world.ask("zones/list", "", query: query)
      #expect(late.status == 429)
      #expect(late.headers["Retry-After"] == "10")
      #expect(late.values(of: "serverErrorCode") == ["THROTTLED"])
    }
    let managed = try await world.send(
      .get, "/management/1/iCloud.test/schema/audit", "",
      ["Authorization": "Bearer \(world.managementToken)"])
    #expect(managed.status == 429)
    world.clock.advance(seconds: 10)
    #expect(try await world.ask("zones/list", "").status == 200)
    await world.end()
  }

  @Test func `who is let in is not counted, nor who has yet to sign in`() async throws {
    let world = try SiteWorld(refusals: limits)
    for _ in 0..<5 {
      #expect(try await world.ask("zones/list", "").status == 200)
      let anonymous = "ckAPIToken=\(world.apiToken)"
      #expect(try await world.ask("zones/list", "", query: anonymous).status == 421)
    }
    await world.end()
  }
}
