extension JSONReader {
  /// Checks the number that begins at the cursor against the grammar, and moves behind it.
  ///
  /// Digits are summed as they come, with wrapping; where there are more than fit, the sum is thrown
  /// away and `truncated` takes the first ones again.
  @inline(__always)
  mutating func scanNumber() throws(JSONError) -> NumberLiteral {
    let first = cursor
    let isNegative = cursor.pointee == .minus
    if isNegative { cursor += 1 }
    var magnitude: UInt64 = 0
    let digits = cursor
    try scanDigits(&magnitude, "a digit after '-'")
    var digitCount = cursor - digits
    if digitCount > 1, digits.pointee == .zero { throw leadingZero(digits) }
    var exponent = 0
    var isInteger = true
    if cursor < end, cursor.pointee == .point {
      isInteger = false
      cursor += 1
      let fraction = cursor
      try scanDigits(&magnitude, "a digit after the decimal point")
      exponent = fraction - cursor
      digitCount += cursor - fraction
    }
    if cursor < end, cursor.pointee | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      exponent += try scanExponent()
    }
    let count = cursor - first
    if count > limits.numberBytesMax { throw numberTooLong(first, count) }
    let literal = NumberLiteral(
      start: first, count: count, isNegative: isNegative, isInteger: isInteger,
      magnitude: magnitude, exponent: exponent, isTruncated: false)
    return digitCount <= NumberLiteral.digitsMax ? literal : literal.truncated(digits)
  }

  /// Adds one digit or more to `magnitude`.
  @inline(__always)
  private mutating func scanDigits(
    _ magnitude: inout UInt64, _ expected: StaticString
  ) throws(JSONError) {
    let first = cursor
    while cursor < end {
      let digit = cursor.pointee &- .zero
      if digit > 9 { break }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      cursor += 1
    }
    if cursor == first { throw missingDigit(expected) }
  }

  /// Reads `e`, a sign and digits.
  ///
  /// Beyond `exponentMax` the value no longer matters: every number of that size is zero or out of
  /// range.
  @inline(never)
  private mutating func scanExponent() throws(JSONError) -> Int {
    let exponentMax = 1_000_000_000
    cursor += 1
    var isNegative = false
    if cursor < end, cursor.pointee == .minus || cursor.pointee == UInt8(ascii: "+") {
      isNegative = cursor.pointee == .minus
      cursor += 1
    }
    let first = cursor
    var value = 0
    while cursor < end {
      let digit = cursor.pointee &- .zero
      if digit > 9 { break }
      value = min(value * 10 + Int(digit), exponentMax)
      cursor += 1
    }
    if cursor == first { throw missingDigit("a digit of the exponent") }
    return isNegative ? -value : value
  }

  @inline(never)
  private mutating func missingDigit(_ expected: StaticString) -> JSONError {
    failure(
      cursor < end ? .invalidNumber : .unexpectedEnd, at: cursor, expected: "\(expected)",
      found: "")
  }

  @inline(never)
  private mutating func leadingZero(_ place: UnsafePointer<UInt8>) -> JSONError {
    failure(
      .invalidNumber, at: place, expected: "a number without needless zeros at its beginning",
      found: "'0' before a digit")
  }

  @inline(never)
  private mutating func numberTooLong(
    _ place: UnsafePointer<UInt8>, _ count: Int
  ) -> JSONError {
    failure(
      .numberTooLong, at: place, expected: "a number of at most \(limits.numberBytesMax) bytes",
      found: "\(count) bytes")
  }
}

extension NumberLiteral {
  /// The same number with its first `digitsMax` digits that count as the magnitude; `digits` is where
  /// its digits begin.
  @inline(never)
  func truncated(_ digits: UnsafePointer<UInt8>) -> NumberLiteral {
    var magnitude: UInt64 = 0
    var taken = 0
    var dropped = 0
    scan: for place in digits..<(start + count) {
      switch place.pointee {
      case .point: continue
      case .zero where taken == 0: continue
      case let byte where byte &- .zero <= 9:
        if taken < Self.digitsMax {
          magnitude = magnitude * 10 + UInt64(byte &- .zero)
          taken += 1
        } else {
          dropped += 1
        }
      default: break scan
      }
    }
    return NumberLiteral(
      start: start, count: count, isNegative: isNegative, isInteger: isInteger,
      magnitude: magnitude, exponent: exponent + dropped, isTruncated: dropped > 0)
  }

  /// The nearest double; nil when that is an infinity.
  @inline(__always)
  var double: Double? {
    // Clinger's fast path: both factors are exact in a double, so one rounding gives the nearest.
    if !isTruncated, magnitude <= 1 << 53, exponent >= -22, exponent <= 22 {
      let whole = Double(magnitude)
      let value =
        exponent < 0
        ? whole / Self.smallPowersOfTen[-exponent] : whole * Self.smallPowersOfTen[exponent]
      return isNegative ? -value : value
    }
    return hardDouble
  }

  @inline(never)
  private var hardDouble: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The powers of ten that a double holds exactly.
  private static let smallPowersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
