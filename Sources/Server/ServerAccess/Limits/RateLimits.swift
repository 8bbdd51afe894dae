/// How much of something is allowed: so many at once, and so many in the long run.
public struct RateLimit: Hashable, Sendable {
  /// How many may come at once after a pause.
  public var burst: Int
  /// How long each of them is counted for, in microseconds.
  public var microsecondsEach: Int64

  /// So many in a second, and `burst` at once; at least one of each.
  public init(perSecond: Int, burst: Int) {
    self.init(burst: burst, microsecondsEach: 1_000_000 / Int64(max(1, min(perSecond, 1_000_000))))
  }

  /// One in so many seconds, and `burst` at once.
  public init(oneInSeconds seconds: Int, burst: Int) {
    self.init(burst: burst, microsecondsEach: Int64(max(1, min(seconds, 86_400))) * 1_000_000)
  }

  private init(burst: Int, microsecondsEach: Int64) {
    self.burst = max(1, min(burst, 1_000_000))
    self.microsecondsEach = microsecondsEach
  }

  /// How long a bucket that was emptied takes to be full again, in microseconds.
  var window: Int64 { Int64(burst) * microsecondsEach }
}

/// The limits by what is counted; what has none is not limited.
public struct RateLimits: Hashable, Sendable {
  /// The limits.
  public var limits: [RateKey.Kind: RateLimit]
  /// How many buckets of each kind are kept at most.
  public var bucketsMax: Int

  /// Takes limits.
  public init(_ limits: [RateKey.Kind: RateLimit], bucketsMax: Int = 16_384) {
    self.limits = limits
    self.bucketsMax = max(2, bucketsMax)
  }

  /// For requests with the protocol's operations.
  public static let requests = RateLimits([
    .user: RateLimit(perSecond: 40, burst: 400),
    .apiToken: RateLimit(perSecond: 2000, burst: 10_000),
    .key: RateLimit(perSecond: 200, burst: 2000),
    .management: RateLimit(perSecond: 5, burst: 50),
    .address: RateLimit(perSecond: 400, burst: 4000),
  ])

  /// For requests whose credentials were refused, by the address that they come from.
  public static let refusals = RateLimits([
    .address: RateLimit(perSecond: 5, burst: 100)
  ])

  /// For attempts to sign in.
  public static let signIns = RateLimits([
    .name: RateLimit(oneInSeconds: 30, burst: 10),
    .address: RateLimit(oneInSeconds: 3, burst: 30),
  ])
}
