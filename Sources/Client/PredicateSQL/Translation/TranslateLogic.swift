import DataModel
import Foundation

extension PredicateExpressions.Conjunction: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    .and(QueryExpression.and([try scope.translate(lhs), try scope.translate(rhs)]).conjuncts)
  }
}

extension PredicateExpressions.Disjunction: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let left = try scope.translate(lhs)
    let right = try scope.translate(rhs)
    if case .or(let parts) = left { return .or(parts + [right]) }
    return .or([left, right])
  }
}

extension PredicateExpressions.Negation: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    .not(try scope.translate(wrapped))
  }
}

extension PredicateExpressions.Conditional: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    .conditional(
      try scope.translate(test), try scope.translate(trueBranch), try scope.translate(falseBranch))
  }
}

extension PredicateExpressions.Equal: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    try compare(.equal, lhs, rhs, LHS.Output.self, in: scope)
  }
}

extension PredicateExpressions.NotEqual: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    try compare(.notEqual, lhs, rhs, LHS.Output.self, in: scope)
  }
}

extension PredicateExpressions.Comparison: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    // An enumeration may order its cases otherwise than their raw values are ordered.
    guard LHS.Output.self is any QueryOrdered.Type else {
      throw QueryProblem(
        .unsupportedExpression, in: "\(LHS.Output.self) \(op)",
        "the order of values of this type is known to Swift only")
    }
    let comparison: QueryExpression.Comparison =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      }
    return try compare(comparison, lhs, rhs, LHS.Output.self, in: scope)
  }
}

private func compare(
  _ comparison: QueryExpression.Comparison, _ left: any PredicateExpression,
  _ right: any PredicateExpression, _ type: any Any.Type, in scope: QueryScope
) throws(QueryProblem) -> QueryExpression {
  let left = try scope.translate(left)
  let right = try scope.translate(right)
  // Whether something is nil can be asked of any type.
  let asksForNil = left == .literal(.null) || right == .literal(.null)
  guard asksForNil || isQueryable(type, names: scope.names) else {
    throw QueryProblem(
      .unsupportedExpression, in: "\(left) \(comparison.rawValue) \(right)",
      "values of type \(type) are compared by Swift only")
  }
  return .compare(comparison, left, right)
}

extension PredicateExpressions.NilCoalesce: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    .coalesce(try scope.translate(lhs), try scope.translate(rhs))
  }
}

extension PredicateExpressions.OptionalFlatMap: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let base = try scope.translate(wrapped)
    let (number, inner) = scope.opening(variable.key)
    return .flatMap(base, number, try inner.translate(transform))
  }
}

extension PredicateExpressions.ForcedUnwrap: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    .unwrap(try scope.translate(inner))
  }
}
