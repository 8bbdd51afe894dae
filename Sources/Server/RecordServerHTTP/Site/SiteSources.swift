import Glibc

/// Where a site has time and randomness from; tests and simulations give their own.
public struct SiteSources: Sendable {
  /// Milliseconds since 1970.
  public var milliseconds: @Sendable () -> Int64
  /// Microseconds of a clock that nobody sets.
  public var microseconds: @Sendable () -> Int64
  /// 64 random bits that nobody can guess.
  public var random: @Sendable () -> UInt64

  /// Takes them from these functions.
  public init(
    milliseconds: @escaping @Sendable () -> Int64, microseconds: @escaping @Sendable () -> Int64,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.milliseconds = milliseconds
    self.microseconds = microseconds
    self.random = random
  }

  /// The system's.
  public static let system = SiteSources(
    milliseconds: { SystemTime.milliseconds }, microseconds: { SystemTime.microseconds },
    random: { UInt64.random(in: .min ... .max) })

  /// A name for a record that has none: a UUID of version 7, so that names made one after the other
  /// are neighbours in an index; see RFC 9562.
  func recordName() -> String {
    let time = UInt64(clamping: milliseconds())
    let high = time << 16 | 0x7000 | random() & 0x0fff
    let low = random() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    return UUIDText.upperCase(high, low)
  }
}

/// The clocks of the system.
private enum SystemTime {
  static var milliseconds: Int64 {
    let time = read(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  static var microseconds: Int64 {
    let time = read(CLOCK_MONOTONIC)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}

/// UUIDs as text.
enum UUIDText {
  static func upperCase(_ high: UInt64, _ low: UInt64) -> String {
    text(high, low, letters: UInt8(ascii: "A"))
  }

  static func lowerCase(_ high: UInt64, _ low: UInt64) -> String {
    text(high, low, letters: UInt8(ascii: "a"))
  }

  private static func text(_ high: UInt64, _ low: UInt64, letters: UInt8) -> String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      var place = 0
      for position in 0..<32 {
        if position == 8 || position == 12 || position == 16 || position == 20 {
          buffer[place] = UInt8(ascii: "-")
          place += 1
        }
        let word = position < 16 ? high : low
        let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (position % 16)) & 15)
        buffer[place] = nibble < 10 ? UInt8(ascii: "0") + nibble : letters + (nibble - 10)
        place += 1
      }
      return place
    }
  }
}
