import Testing

@testable import ServerAccess

@Suite struct `Rate limits` {
  private let one = [RateKey(.user, "one")]

  @Test func `so many are allowed at once, and then one for each that is given back`() {
    let limiter = RateLimiter(RateLimits([.user: RateLimit(perSecond: 2, burst: 3)]))
    let answers = (0..<4).map { _ in limiter.admit(one, now: now) }
    #expect(answers == [.allowed, .allowed, .allowed, .wait(seconds: 1)])
    #expect(limiter.admit(one, now: now + 499) == .wait(seconds: 1))
    #expect(limiter.admit(one, now: now + 500) == .allowed)
    #expect(limiter.admit(one, now: now + 500) == .wait(seconds: 1))
  }

  @Test func `whoever comes when told to is let through`() {
    let limiter = RateLimiter(RateLimits([.user: RateLimit(oneInSeconds: 30, burst: 2)]))
    _ = (0..<2).map { _ in limiter.admit(one, now: now) }
    #expect(limiter.look(one, now: now) == .wait(seconds: 30))
    #expect(limiter.admit(one, now: now + 100) == .wait(seconds: 30))
    #expect(limiter.admit(one, now: now + 30_000) == .allowed)
    // After a pause all is as before it.
    let answers = (0..<3).map { _ in limiter.admit(one, now: now + 1_000_000) }
    #expect(answers == [.allowed, .allowed, .wait(seconds: 30)])
  }

  @Test(arguments: [false, true])
  func `a request that one limit refuses counts against none`(isLastRefused: Bool) {
    let limits: [RateKey.Kind: RateLimit] = [
      .user: RateLimit(perSecond: 1, burst: 1), .address: RateLimit(perSecond: 1, burst: 2),
    ]
    let limiter = RateLimiter(RateLimits(limits))
    func keys(_ address: String) -> [RateKey] {
      isLastRefused ? [.address(address)] + one : one + [.address(address)]
    }
    #expect(limiter.admit(keys("192.0.2.1"), now: now) == .allowed)
    for number in 1...5 {
      #expect(limiter.admit(keys("192.0.2.\(number)"), now: now) == .wait(seconds: 1))
    }
    #expect(limiter.count == 2)
    #expect(limiter.admit([.address("192.0.2.1")], now: now) == .allowed)
    #expect(limiter.admit([.address("192.0.2.1")], now: now) == .wait(seconds: 1))
  }

  @Test func `what has no limit is always allowed, and takes no room`() {
    let limiter = RateLimiter(RateLimits([:]))
    for _ in 0..<1000 { #expect(limiter.admit(one, now: now) == .allowed) }
    #expect(limiter.count == 0)
  }

  @Test func `a clock that is set back costs a window at most, and strange times do not trap`() {
    let limiter = RateLimiter(RateLimits([.user: RateLimit(perSecond: 1, burst: 2)]))
    _ = (0..<2).map { _ in limiter.admit(one, now: now) }
    #expect(limiter.admit(one, now: 0) == .wait(seconds: 1))
    #expect(limiter.admit(one, now: 2000) == .wait(seconds: 1))
    for time in [Int64.min, .max, 0, -1] { _ = limiter.admit(one, now: time) }
  }

  @Test func `buckets are bounded, full ones go first, and the busiest stays`() {
    let limits = RateLimits([.user: RateLimit(perSecond: 1, burst: 50)], bucketsMax: 100)
    let limiter = RateLimiter(limits)
    let busy = [RateKey(.user, "busy")]
    for _ in 0..<50 { #expect(limiter.admit(busy, now: now) == .allowed) }
    for number in 0..<10_000 {
      #expect(limiter.admit([RateKey(.user, "\(number)")], now: now) == .allowed)
      #expect(limiter.count <= 100)
    }
    #expect(limiter.admit(busy, now: now) == .wait(seconds: 1))
    // A minute later all are full, and the next that does not fit sweeps them out.
    for number in 0..<101 {
      _ = limiter.admit([RateKey(.user, "new \(number)")], now: now + 60_000)
    }
    #expect(limiter.count <= 100)
    #expect(limiter.admit(busy, now: now + 60_000) == .allowed)
  }

  @Test func `addresses of one IPv6 network count together, and IPv4 in IPv6 as IPv4`() {
    #expect(RateKey.address("2001:db8::1") == .address("2001:db8:0:0:ffff::2"))
    #expect(RateKey.address("2001:db8::1") != .address("2001:db8:0:1::1"))
    #expect(RateKey.address("::ffff:192.0.2.1") == .address("192.0.2.1"))
    #expect(RateKey.address("192.0.2.1") != .address("192.0.2.2"))
    #expect(RateKey.address("no address: at all") == .address("no address: at all"))
  }

  @Test func `names count as the file compares them`() {
    #expect(RateKey.name("Ann") == .name("aNN"))
    #expect(RateKey.name("Änn") != .name("änn"))
    let long = String(repeating: "a", count: 1_000_000)
    #expect(RateKey.name(long).value.utf8.count <= 512)
  }

  @Test func `a caller counts by address, and by what it has shown`() {
    func keys(_ kind: CallerKind, user: String?) -> [RateKey] {
      Caller(
        kind: kind, recordName: nil, userID: user, roles: [], tokenID: "token", sessionID: nil
      ).rateKeys(address: .address("192.0.2.1"))
    }
    let address = RateKey.address("192.0.2.1")
    #expect(keys(.anonymous, user: nil) == [address, RateKey(.apiToken, "token")])
    #expect(
      keys(.user, user: "ann") == [address, RateKey(.user, "ann"), RateKey(.apiToken, "token")])
    #expect(keys(.key, user: nil) == [address, RateKey(.key, "token")])
  }
}
