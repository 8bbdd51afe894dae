import Foundation

extension PredicateExpressions.Arithmetic: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let operation: QueryExpression.Arithmetic =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      }
    return try arithmetic(operation, lhs, rhs, LHS.Output.self, in: scope)
  }
}

extension PredicateExpressions.IntDivision: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    try arithmetic(.divide, lhs, rhs, LHS.Output.self, in: scope)
  }
}

extension PredicateExpressions.IntRemainder: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    try arithmetic(.remainder, lhs, rhs, LHS.Output.self, in: scope)
  }
}

extension PredicateExpressions.FloatDivision: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    try arithmetic(.divide, lhs, rhs, LHS.Output.self, in: scope)
  }
}

extension PredicateExpressions.UnaryMinus: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let part = try scope.translate(wrapped)
    try checkPrecision(Wrapped.Output.self, in: "-\(part)")
    return .negative(part)
  }
}

private func arithmetic(
  _ operation: QueryExpression.Arithmetic, _ left: any PredicateExpression,
  _ right: any PredicateExpression, _ type: any Any.Type, in scope: QueryScope
) throws(QueryProblem) -> QueryExpression {
  let left = try scope.translate(left)
  let right = try scope.translate(right)
  try checkPrecision(type, in: "\(left) \(operation.rawValue) \(right)")
  return .arithmetic(operation, left, right)
}

/// Whole numbers are reckoned with 64 bits and a sign, others with double precision or as decimals: a number
/// of single precision would be rounded otherwise than Swift rounds it, and one that is stored as a negative
/// one has another sum and quotient.
private func checkPrecision(_ type: any Any.Type, in shown: String) throws(QueryProblem) {
  let isWhole = type is any FixedWidthInteger.Type && !(type is any StoredOutOfOrder.Type)
  if isWhole || type == Double.self || type == CGFloat.self || type == Decimal.self { return }
  throw QueryProblem(
    .unsupportedExpression, in: shown, "\(type) is not reckoned with as Swift does")
}

/// A range that is written out in a predicate.
protocol QueryRangeTranslatable {
  var parts: (lower: any PredicateExpression, upper: any PredicateExpression, isClosed: Bool) {
    get
  }
}

extension PredicateExpressions.Range: QueryRangeTranslatable {
  var parts: (lower: any PredicateExpression, upper: any PredicateExpression, isClosed: Bool) {
    (lower, upper, false)
  }
}

extension PredicateExpressions.ClosedRange: QueryRangeTranslatable {
  var parts: (lower: any PredicateExpression, upper: any PredicateExpression, isClosed: Bool) {
    (lower, upper, true)
  }
}

/// A range that a predicate captured.
protocol QueryCapturedRange {
  var captured: Any { get }
}

extension PredicateExpressions.Value: QueryCapturedRange {
  var captured: Any { value }
}

extension PredicateExpressions.RangeExpressionContains: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let element = try scope.translate(element)
    guard Element.Output.self is any QueryOrdered.Type else {
      throw QueryProblem(
        .unsupportedExpression, in: "\(element)",
        "the order of values of type \(Element.Output.self) is known to Swift only")
    }
    if let written = range as? any QueryRangeTranslatable {
      let parts = written.parts
      return .range(
        element, lower: try scope.translate(parts.lower), upper: try scope.translate(parts.upper),
        isClosed: parts.isClosed)
    }
    guard let bounds = ((range as? any QueryCapturedRange)?.captured as? any QueryBounds)?.bounds
    else {
      throw QueryProblem(
        .unsupportedExpression, in: shownType(of: range), "the range's bounds are not known")
    }
    var lower: QueryExpression?
    var upper: QueryExpression?
    if let bound = bounds.lower { lower = try literal(bound) }
    if let bound = bounds.upper { upper = try literal(bound) }
    return .range(element, lower: lower, upper: upper, isClosed: bounds.isClosed)
  }
}
