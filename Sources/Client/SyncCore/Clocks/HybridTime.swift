/// A moment that all devices order alike: milliseconds since 1970, and a counter for what happens
/// within one of them, or while the device's own clock is behind what it has already seen.
///
/// See Kulkarni et al., "Logical Physical Clocks", 2014: a moment is later than every moment that its
/// maker knew of, so that an edit made in knowledge of another one wins over it, however wrong either
/// device's clock was.
public struct HybridTime: RawRepresentable, Hashable, Comparable, Sendable {
  /// How many of the low bits count.
  static let counterBits: UInt64 = 16

  /// The milliseconds in the high 48 bits, the counter in the low 16.
  public let rawValue: UInt64

  /// Takes the bits as they are; any are a moment.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The first moment of a millisecond since 1970; those before count as none, and those that 48 bits
  /// cannot hold as the last.
  public init(milliseconds: Int64) {
    let last = UInt64.max >> Self.counterBits
    rawValue = min(UInt64(clamping: milliseconds), last) << Self.counterBits
  }

  /// The last moment that a clock goes on from, which is the year 5000.
  ///
  /// Clocks may be wrong by years; but after the last moment of all no edit could be later than another.
  public static let lastObserved = HybridTime(milliseconds: 95_617_584_000_000)
  /// The last moment that is believed of a device: a day later, for what is edited right after the last one.
  public static let lastBelieved = HybridTime(milliseconds: lastObserved.milliseconds + 86_400_000)

  /// Before all others: of what was there before anybody edited it.
  public static let origin = HybridTime(rawValue: 0)
  /// After all others.
  public static let latest = HybridTime(rawValue: .max)

  /// The milliseconds since 1970.
  public var milliseconds: Int64 { Int64(rawValue >> Self.counterBits) }

  /// The next moment; the last one has none.
  public var next: HybridTime { self == .latest ? self : HybridTime(rawValue: rawValue + 1) }

  /// Orders moments.
  public static func < (left: HybridTime, right: HybridTime) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A device's clock: it never goes back, and is never behind what the device has seen of others.
public struct HybridClock: Hashable, Sendable {
  /// The latest moment that was given or seen.
  public private(set) var last: HybridTime

  /// A clock that goes on behind `last`.
  public init(last: HybridTime = .origin) { self.last = last <= .lastBelieved ? last : .origin }

  /// The moment of an edit that was made at `milliseconds` by the device's own clock.
  public mutating func tick(at milliseconds: Int64) -> HybridTime {
    let own = HybridTime(milliseconds: milliseconds)
    last = own <= .lastObserved ? max(own, last.next) : last.next
    return last
  }

  /// Takes note of another device's moment: what happens here from now on is later.
  public mutating func observe(_ time: HybridTime) {
    if time <= .lastObserved { last = max(last, time) }
  }
}
