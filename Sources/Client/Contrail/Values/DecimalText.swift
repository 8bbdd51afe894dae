import Foundation

/// The text of a decimal number, as its `description` has it, at a tenth of the price.
///
/// Foundation gives the digits of a number as text only, by dividing 128 bits by ten for each. They lie in twenty bytes:
/// the exponent, then half a byte of flags and half a byte with the number of words, two empty bytes, and eight words.
/// Whether that is so is asked of samples, once; where it is not, and of large numbers, the text is the description.
enum DecimalText {
  static func text(of number: Decimal) -> String {
    isKnown ? shortText(of: number) ?? number.description : number.description
  }

  /// Whether numbers lie in memory as is said above.
  static let isKnown =
    MemoryLayout<Decimal>.size == 20
    && shortText(of: Decimal(1) / 4) != nil
    && samples.allSatisfy { (shortText(of: $0) ?? $0.description) == $0.description }

  /// Numbers that have each part in their bytes, and each on its own.
  private static let samples: [Decimal] = [
    0, 1, -1, 10, 1200, Decimal(Int64.max), Decimal(Int64.min), Decimal(UInt64.max),
    Decimal(65_537),
    Decimal(1) / 4, Decimal(-3) / 8, Decimal(1) / 1_000_000, Decimal(123_456_789) / 1000,
    Decimal(sign: .minus, exponent: 12, significand: 7),
  ]

  /// What the second byte says.
  private enum Flag {
    static let isCompact: UInt8 = 1 << 2
    static let isNegative: UInt8 = 1 << 3
  }

  /// How far the point may be from the last digit.
  private static let exponentMax = 24

  /// The text of a number whose digits are in one register; nil for any other.
  private static func shortText(of number: Decimal) -> String? {
    withUnsafeBytes(of: number) { bytes -> String? in
      let (exponent, flags) = (Int(bytes.load(as: Int8.self)), bytes[1])
      let words = flags >> 4
      guard words > 0, words <= 4, flags & Flag.isCompact != 0, abs(exponent) <= exponentMax
      else { return nil }
      let digits = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
      return text(digits, exponent, isNegative: flags & Flag.isNegative != 0)
    }
  }

  /// `digits` times ten to the `exponent`.
  private static func text(_ digits: UInt64, _ exponent: Int, isNegative: Bool) -> String {
    let zero = UInt8(ascii: "0")
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytesMax) { buffer in
      // From the last digit to the first.
      var place = buffer.count
      func put(_ byte: UInt8) {
        place -= 1
        buffer[place] = byte
      }
      for _ in 0..<max(0, exponent) { put(zero) }
      // How many digits are still behind the point; -1 once there is one before it.
      var (rest, fraction) = (digits, max(0, -exponent))
      while rest > 0 || fraction >= 0 {
        put(zero + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
        if fraction == 1 { put(UInt8(ascii: ".")) }
        fraction = max(-1, fraction - 1)
      }
      if isNegative { put(UInt8(ascii: "-")) }
      return String(decoding: UnsafeBufferPointer(rebasing: buffer[place...]), as: UTF8.self)
    }
  }

  /// A sign, a point, and 20 digits with as many zeros behind them, or before them, as the exponent allows.
  private static let bytesMax = 2 + 20 + exponentMax + 1
}

extension Decimal {
  /// What is kept of a number.
  @usableFromInline var _keptText: String { DecimalText.text(of: self) }
}
