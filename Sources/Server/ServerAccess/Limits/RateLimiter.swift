import Synchronization

/// Counts requests in token buckets: each is allowed, or told when to come again.
///
/// A bucket is one number, the time at which it will be full again, so that a full one need not be kept.
/// When there are too many that are not full, those go that are nearest to it.
public final class RateLimiter: Sendable {
  /// Whether a request is let through.
  public enum Answer: Hashable, Sendable {
    /// It is, and is counted.
    case allowed
    /// It is not, and is not counted; another may come after so many seconds.
    case wait(seconds: Int)
  }

  /// The limits by the numbers of their kinds.
  private let limits: [RateLimit?]
  private let bucketsMax: Int
  /// The buckets in the same order.
  private let buckets: Mutex<[Buckets]>

  /// Counts against `limits`.
  public init(_ limits: RateLimits) {
    // NB: lists, since every request looks at four of them.
    let count = (RateKey.Kind.allCases.map(\.rawValue).max() ?? 0) + 1
    self.limits = (0..<count).map { RateKey.Kind(rawValue: $0).flatMap { limits.limits[$0] } }
    bucketsMax = limits.bucketsMax
    buckets = Mutex([Buckets](repeating: Buckets(), count: count))
  }

  /// Lets a request through if all of `keys` have something left; `now` is in milliseconds.
  public func admit(_ keys: [RateKey], now: Int64) -> Answer {
    let micros = Self.micros(now)
    return buckets.withLock { buckets in
      // NB: each is counted as it is looked at, since most requests are let through and a second look costs
      // as much as the first.
      for (index, key) in keys.enumerated() {
        guard let limit = limits[key.kind.rawValue],
          !buckets[key.kind.rawValue].take(key.value, limit, micros, max: bucketsMax)
        else { continue }
        giveBack(keys[..<index], micros, &buckets)
        return answer(keys, micros, buckets)
      }
      return .allowed
    }
  }

  /// Uncounts a request that was counted for these keys at the same moment.
  private func giveBack(
    _ keys: ArraySlice<RateKey>, _ micros: Int64, _ buckets: inout [Buckets]
  ) {
    for key in keys {
      guard let limit = limits[key.kind.rawValue] else { continue }
      buckets[key.kind.rawValue].giveBack(key.value, limit, micros)
    }
  }

  /// What `admit` would answer; counts nothing.
  public func look(_ keys: [RateKey], now: Int64) -> Answer {
    buckets.withLock { answer(keys, Self.micros(now), $0) }
  }

  private func answer(
    _ keys: [RateKey], _ micros: Int64, _ buckets: [Buckets]
  ) -> Answer {
    let wait = keys.reduce(Int64(0)) { wait, key in
      guard let limit = limits[key.kind.rawValue] else { return wait }
      return max(wait, buckets[key.kind.rawValue].wait(key.value, limit, micros))
    }
    // Rounded up: who comes when told to is let through.
    return wait == 0 ? .allowed : .wait(seconds: Int((wait - 1) / 1_000_000) + 1)
  }

  /// Far from the largest number, so that sums with a window do not trap.
  private static func micros(_ milliseconds: Int64) -> Int64 {
    let bound = Int64.max / 4
    let (product, isTooLarge) = milliseconds.multipliedReportingOverflow(by: 1000)
    if isTooLarge { return milliseconds < 0 ? -bound : bound }
    return min(max(product, -bound), bound)
  }

  /// How many buckets are kept.
  var count: Int { buckets.withLock { $0.reduce(0) { $0 + $1.count } } }
}

/// The buckets of one kind.
private struct Buckets {
  /// When each will be full again, in microseconds.
  private var fullAt: [String: Int64] = [:]

  var count: Int { fullAt.count }

  /// How long a request has to wait, in microseconds; 0 for not at all.
  func wait(_ key: String, _ limit: RateLimit, _ now: Int64) -> Int64 {
    // Nobody was refused yet, as a rule: then nothing has to be looked up.
    if fullAt.isEmpty { return max(0, limit.microsecondsEach - limit.window) }
    let start = Self.start(fullAt[key] ?? now, limit, now)
    return max(0, start + limit.microsecondsEach - limit.window - now)
  }

  /// Counts a request; false, and nothing is counted, where there is nothing left for it.
  mutating func take(_ key: String, _ limit: RateLimit, _ now: Int64, max: Int) -> Bool {
    if fullAt.count >= max && fullAt[key] == nil { makeRoom(now, max) }
    return Self.take(&fullAt[key, default: now], limit, now)
  }

  private static func take(_ fullAt: inout Int64, _ limit: RateLimit, _ now: Int64) -> Bool {
    let end = start(fullAt, limit, now) + limit.microsecondsEach
    guard end <= now + limit.window else { return false }
    fullAt = end
    return true
  }

  /// Uncounts a request that was counted at the same moment.
  mutating func giveBack(_ key: String, _ limit: RateLimit, _ now: Int64) {
    guard let end = fullAt[key] else { return }
    let before = end - limit.microsecondsEach
    fullAt[key] = before > now ? before : nil
  }

  /// When a bucket is full again as of `now`: not before, and never later than an empty one would be,
  /// even if the clock was set back.
  private static func start(_ fullAt: Int64, _ limit: RateLimit, _ now: Int64) -> Int64 {
    min(max(fullAt, now), now + limit.window)
  }

  /// Forgets those that are full, and half of the others if that is not enough.
  private mutating func makeRoom(_ now: Int64, _ max: Int) {
    fullAt = fullAt.filter { $0.value > now }
    guard fullAt.count > max / 2 else { return }
    // Who has asked for most stays counted.
    let kept = fullAt.sorted { $0.value > $1.value }.prefix(max / 2)
    fullAt = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
  }
}
