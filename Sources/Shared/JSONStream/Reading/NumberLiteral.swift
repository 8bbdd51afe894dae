/// A number of the text after its grammar was checked: its value is
/// `magnitude × 10^exponent`, exactly unless `isTruncated`.
struct NumberLiteral {
  let start: UnsafePointer<UInt8>
  let count: Int
  let isNegative: Bool
  /// Whether it has neither a fraction nor an exponent.
  let isInteger: Bool
  /// The digits as an integer: all of them up to `digitsMax`, else the first `digitsMax` that count.
  let magnitude: UInt64
  let exponent: Int
  /// Whether digits were dropped from `magnitude`.
  let isTruncated: Bool

  /// How many decimal digits always fit 64 bits.
  static var digitsMax: Int { 19 }

  var text: String {
    String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The value, when this is an integer that fits; `-0` is 0.
  @inline(__always)
  var int64: Int64? {
    guard isInteger, let whole = wholeMagnitude else { return nil }
    if !isNegative { return Int64(exactly: whole) }
    return whole == 1 << 63 ? .min : Int64(exactly: whole).map { 0 - $0 }
  }

  @inline(__always)
  var uint64: UInt64? {
    guard isInteger, let whole = wholeMagnitude, !isNegative || whole == 0 else { return nil }
    return whole
  }

  @inline(__always)
  private var wholeMagnitude: UInt64? { isTruncated ? longMagnitude : magnitude }

  /// The digits of an integer that has more than `digitsMax`, if they fit after all.
  @inline(never)
  private var longMagnitude: UInt64? {
    var value: UInt64 = 0
    for index in (isNegative ? 1 : 0)..<count {
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(UInt64(start[index] &- .zero))
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }
}

/// A number as its literal says it: an integer stays one, and nothing is rounded unasked.
public enum JSONNumber: Hashable, Sendable {
  /// An integer literal that fits 64 bits with a sign.
  case integer(Int64)
  /// An integer literal above `Int64.max` that fits 64 bits without a sign.
  case unsigned(UInt64)
  /// A literal with a fraction or an exponent, as the nearest double; also `-0`.
  case double(Double)
  /// The text of a literal that none of these holds: an integer of more than 64 bits, or a number
  /// beyond the range of doubles.
  case literal(String)

  init(_ number: NumberLiteral) {
    if number.isInteger {
      if number.isNegative && number.magnitude == 0 && !number.isTruncated {
        self = .double(-0.0)
      } else if let value = number.int64 {
        self = .integer(value)
      } else if let value = number.uint64 {
        self = .unsigned(value)
      } else {
        self = .literal(number.text)
      }
    } else {
      self = number.double.map { .double($0) } ?? .literal(number.text)
    }
  }
}
