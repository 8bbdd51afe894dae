/// Times as the wire has them: whole milliseconds since 1970.
///
/// The store keeps seconds since 2001 as a floating-point number. The rule is one multiplication by
/// 1000, rounded half to even, and one addition of whole numbers, so that every program that follows it
/// finds the same.
enum CanonicalDate {
  /// Milliseconds from 1970 to 2001.
  static let offset: Int64 = 978_307_200_000

  /// The milliseconds of a time; nil for one that is not finite or beyond 64 bits.
  static func milliseconds(_ seconds: Double) -> Int64? {
    guard let rounded = Int64(exactly: (seconds * 1000).rounded(.toNearestOrEven)) else {
      return nil
    }
    let (sum, overflow) = rounded.addingReportingOverflow(offset)
    return overflow ? nil : sum
  }

  /// A time whose milliseconds are `milliseconds`, or the nearest there is; nil where that is beyond
  /// 64 bits itself.
  ///
  /// Within some 70,000 years every millisecond is kept; further away neighbours become one, and what
  /// they became stays as it is.
  static func seconds(_ milliseconds: Int64) -> Double? {
    let (distance, overflow) = milliseconds.subtractingReportingOverflow(offset)
    if overflow { return nil }
    let seconds = Double(distance) / 1000
    // Half a millisecond of rounding may lead beyond the end.
    return Self.milliseconds(seconds) == nil ? nil : seconds
  }
}
