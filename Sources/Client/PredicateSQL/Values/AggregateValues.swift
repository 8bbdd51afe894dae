package import DataModel
import Foundation

extension QueryExpression.Aggregate {
  /// Values put together; null ones are left out.
  ///
  /// Nil where they cannot be: they are of different kinds, or their sum is too large.
  package func apply(to values: [FieldValue]) -> FieldValue? {
    let values = values.filter { $0 != .null }
    switch self {
    case .minimum: return extreme(of: values) { $0.isLess(than: $1) }
    case .maximum: return extreme(of: values) { $1.isLess(than: $0) }
    case .sum: return values.isEmpty ? .integer(0) : sum(values)
    case .average:
      if values.isEmpty { return .null }
      switch sum(values.map(\.widened)) {
      case .double(let sum)?: return .double(sum / Double(values.count))
      case .decimal(let sum)?: return .decimal(sum / Decimal(values.count))
      default: return nil
      }
    }
  }

  /// NaN is neither less nor greater than anything, and left out.
  private func extreme(
    of values: [FieldValue], _ isBetter: (FieldValue, FieldValue) -> Bool?
  ) -> FieldValue? {
    var best: FieldValue?
    for value in values where !value.isNaN {
      guard let current = best else {
        best = value
        continue
      }
      guard let better = isBetter(value, current) else { return nil }
      if better { best = value }
    }
    return best ?? .null
  }

  private func sum(_ values: [FieldValue]) -> FieldValue? {
    guard var sum = values.first else { return nil }
    guard sum.kind == .integer || sum.kind == .double || sum.kind == .decimal else { return nil }
    for value in values.dropFirst() {
      guard let next = QueryExpression.Arithmetic.add.apply(sum, value) else { return nil }
      sum = next
    }
    return sum
  }
}

extension FieldValue {
  /// Whole numbers as floating-point ones, since an average is seldom whole.
  fileprivate var widened: FieldValue {
    if case .integer(let value) = self { return .double(Double(value)) }
    return self
  }
}
