package import DataModel
import Foundation

extension FieldValue {
  /// Whether the value is equal to another in Swift's sense: nil equals nil, NaN nothing.
  package func equals(_ other: FieldValue) -> Bool {
    switch (self, other) {
    case (.double(let a), .double(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.integer(let a), .double(let b)): FieldValue.order(a, b) == 0
    case (.double(let a), .integer(let b)): FieldValue.order(b, a) == 0
    case (.list(let a), .list(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.equals($1) }
    case (.composite(let a), .composite(let b)):
      a.count == b.count && a.allSatisfy { key, value in b[key].map(value.equals) ?? false }
    default: self == other
    }
  }

  /// Whether the value is less than another, or nil where the two have no order: one is nil, or
  /// they are of different kinds.
  ///
  /// NaN is neither less nor greater than anything.
  package func isLess(than other: FieldValue) -> Bool? {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): a < b
    case (.double(let a), .double(let b)): a < b
    case (.integer(let a), .double(let b)): FieldValue.order(a, b) == -1
    case (.double(let a), .integer(let b)): FieldValue.order(b, a) == 1
    case (.decimal(let a), .decimal(let b)): a < b
    case (.string(let a), .string(let b)), (.uri(let a), .uri(let b)): a.precedes(b)
    case (.date(let a), .date(let b)): a < b
    case (.boolean(let a), .boolean(let b)): !a && b
    case (.uuid(let a), .uuid(let b)): a < b
    case (.data(let a), .data(let b)): a.lexicographicallyPrecedes(b)
    case (.objectID(let a), .objectID(let b)): (a.key, a.entity) < (b.key, b.entity)
    default: nil
    }
  }

  /// Whether the value compares so with another; false where they have no order.
  package func compares(
    _ comparison: QueryExpression.Comparison, _ other: FieldValue
  ) -> Bool {
    switch comparison {
    case .equal: equals(other)
    case .notEqual: !equals(other)
    case .less: isLess(than: other) ?? false
    case .greater: other.isLess(than: self) ?? false
    case .lessOrEqual: isLessOrEqual(to: other)
    case .greaterOrEqual: other.isLessOrEqual(to: self)
    }
  }

  /// NB: `<=` of floating-point numbers is false of NaN.
  ///
  /// Other types take it from `<`, so that a date that is NaN is less than or equal to every date,
  /// and greater or equal as well.
  private func isLessOrEqual(to other: FieldValue) -> Bool {
    guard let isGreater = other.isLess(than: self) else { return false }
    if kind == .date { return !isGreater }
    return !isGreater && !isNaN && !other.isNaN
  }

  /// -1, 0 or 1, without rounding the integer; nil against NaN.
  private static func order(_ integer: Int64, _ double: Double) -> Int? {
    if double.isNaN { return nil }
    if double >= 0x1p63 { return -1 }
    if double < -0x1p63 { return 1 }
    let whole = Int64(double.rounded(.down))
    if integer != whole { return integer < whole ? -1 : 1 }
    return double > double.rounded(.down) ? -1 : 0
  }
}
