extension OutputBytes {
  /// Appends digits, from the last to the first, two at a step.
  @inline(__always)
  mutating func append(decimal value: UInt64) {
    let length = Self.digitCount(value)
    let target = reserve(length)
    var rest = value
    var index = length
    while rest >= 100 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      Self.store(pair: pair, target + index - 2)
      rest = quotient
      index -= 2
    }
    if rest >= 10 {
      Self.store(pair: rest, target)
    } else {
      target[0] = .zero + UInt8(truncatingIfNeeded: rest)
    }
    advance(length)
  }

  @inline(__always)
  private static func store(pair: UInt64, _ target: UnsafeMutablePointer<UInt8>) {
    let tens = (pair &* 103) >> 10
    target[0] = .zero &+ UInt8(truncatingIfNeeded: tens)
    target[1] = .zero &+ UInt8(truncatingIfNeeded: pair &- tens &* 10)
  }

  /// The number of decimal digits, 1 to 20.
  @inline(__always)
  private static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var power: UInt64 = 10
    while count < 19, value >= power {
      count += 1
      power &*= 10
    }
    // The power after the nineteenth digit still fits, the one after that does not.
    return count == 19 && value >= power ? 20 : count
  }
}
