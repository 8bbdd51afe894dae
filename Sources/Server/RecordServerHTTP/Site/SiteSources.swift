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
    text(high, low, digits: "0123456789ABCDEF")
  }

  static func lowerCase(_ high: UInt64, _ low: UInt64) -> String {
    text(high, low, digits: "0123456789abcdef")
  }

  private static let length = 36
  /// A bit for each place of a hyphen: 8, 13, 18 and 23.
  private static let hyphens: UInt64 = 1 << 8 | 1 << 13 | 1 << 18 | 1 << 23

  private static func text(_ high: UInt64, _ low: UInt64, digits: StaticString) -> String {
    String(unsafeUninitializedCapacity: length) { buffer in
      // There are 16 digits, and four bits are less than 16.
      let digits = UnsafeBufferPointer(start: digits.utf8Start, count: 16)
      // From the end, since the last digit stands in the lowest bits.
      var (place, word) = (length - 1, low)
      for position in (0..<32).reversed() {
        if position == 15 { word = high }
        if hyphens >> UInt64(place) & 1 != 0 {
          buffer[place] = UInt8(ascii: "-")
          place -= 1
        }
        buffer[place] = digits[Int(word & 15)]
        place -= 1
        word >>= 4
      }
      return length
    }
  }
}
