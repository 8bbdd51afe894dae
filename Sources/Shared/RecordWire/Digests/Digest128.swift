/// A digest of 128 bits, or a sum of several, in two halves that are each reckoned modulo 2^64.
public struct Digest128: Hashable, Sendable {
  /// The half that is written first.
  public var high: UInt64
  /// The half that is written last.
  public var low: UInt64

  /// The sum of no digests.
  public static let zero = Digest128(high: 0, low: 0)

  /// Makes a digest of its halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// How many digits the text has.
  static let digitCount = 32

  /// Reads what `text` gives; nil for any other text.
  public init?(text: String) {
    let digits = Array(text.utf8)
    guard digits.count == Self.digitCount else { return nil }
    var halves: [UInt64] = [0, 0]
    for (index, digit) in digits.enumerated() {
      guard let value = Self.value(of: digit) else { return nil }
      halves[index / 16] = halves[index / 16] << 4 | value
    }
    self.init(high: halves[0], low: halves[1])
  }

  /// The digest as 32 hexadecimal digits in lower case.
  public var text: String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.digitCount)
    for half in [high, low] {
      for shift in stride(from: UInt64(60), through: 0, by: -4) {
        bytes.append(digits[Int(half >> shift & 15)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func value(of digit: UInt8) -> UInt64? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a")) + 10
    default: nil
    }
  }
}

extension Digest128: CustomStringConvertible {
  /// The digits.
  public var description: String { text }
}
