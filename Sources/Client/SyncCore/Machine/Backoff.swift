/// How long to wait before the next attempt: twice as long each time, with a random part, so that many
/// devices do not come back at once.
public struct Backoff: Hashable, Sendable {
  /// The first wait, in milliseconds.
  public static let firstMilliseconds: Int64 = 1_000
  /// The longest wait, in milliseconds.
  public static let longestMilliseconds: Int64 = 300_000
  /// The longest that a server may make us wait, in milliseconds: a day, so that a slip of its does not
  /// stop a device for ever.
  public static let serverLongestMilliseconds: Int64 = 86_400_000

  /// How many attempts in a row have failed.
  public private(set) var attempts = 0

  /// Begins without failures.
  public init() {}

  /// Notes a failure; returns how many milliseconds to wait: at least what the server says.
  public mutating func fail(
    retryAfterSeconds: Int64?, using random: inout some RandomNumberGenerator
  ) -> Int64 {
    let doubled = Self.firstMilliseconds << Int64(min(attempts, 20))
    attempts += 1
    let bound = min(doubled, Self.longestMilliseconds)
    let own = Int64.random(in: bound / 2...bound, using: &random)
    return max(own, Self.milliseconds(askedFor: retryAfterSeconds))
  }

  /// How many milliseconds a server's wish makes us wait: no more than the longest that it may.
  public static func milliseconds(askedFor seconds: Int64?) -> Int64 {
    min(max(0, seconds ?? 0), serverLongestMilliseconds / 1_000) * 1_000
  }

  /// Notes a success.
  public mutating func succeed() { attempts = 0 }
}

/// A source of random numbers that a seed decides: SplitMix64, as Steele, Lea and Flood published it.
public struct SeededRandom: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// A source that gives the same numbers for the same seed.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }
}
