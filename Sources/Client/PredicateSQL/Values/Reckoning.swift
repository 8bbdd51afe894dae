package import DataModel
import Foundation

extension QueryExpression.Arithmetic {
  /// Two numbers put together as Swift does; nil where Swift would fail: a whole number too large, a
  /// whole or decimal number divided by zero, something that is no number.
  package func apply(_ left: FieldValue, _ right: FieldValue) -> FieldValue? {
    switch (left, right) {
    case (.integer(let a), .integer(let b)):
      let (value, failed) = whole(a, b)
      return failed ? nil : .integer(value)
    case (.double(let a), .double(let b)): return real(a, b).map { .double($0) }
    case (.integer(let a), .double(let b)): return real(Double(a), b).map { .double($0) }
    case (.double(let a), .integer(let b)): return real(a, Double(b)).map { .double($0) }
    case (.decimal(let a), .decimal(let b)): return decimal(a, b).map { .decimal($0) }
    default: return nil
    }
  }

  /// Two whole numbers put together, and whether Swift's own operator would trap.
  func whole<Number: FixedWidthInteger>(
    _ a: Number, _ b: Number
  ) -> (partialValue: Number, overflow: Bool) {
    switch self {
    case .add: a.addingReportingOverflow(b)
    case .subtract: a.subtractingReportingOverflow(b)
    case .multiply: a.multipliedReportingOverflow(by: b)
    case .divide: a.dividedReportingOverflow(by: b)
    case .remainder: a.remainderReportingOverflow(dividingBy: b)
    }
  }

  private func real(_ a: Double, _ b: Double) -> Double? {
    switch self {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    case .remainder: nil
    }
  }

  private func decimal(_ a: Decimal, _ b: Decimal) -> Decimal? {
    switch self {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: b.isZero ? nil : a / b
    case .remainder: nil
    }
  }
}

extension FieldValue {
  /// The number with the other sign; nil where there is none.
  package var negated: FieldValue? {
    switch self {
    case .integer(let value): value == .min ? nil : .integer(-value)
    case .double(let value): .double(-value)
    case .decimal(let value): .decimal(-value)
    default: nil
    }
  }

  /// A floating-point NaN, as the value of a number or a date.
  var isNaN: Bool {
    switch self {
    case .double(let value): value.isNaN
    case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}
