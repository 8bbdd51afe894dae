extension QueryExpression {
  /// The parts that the expression is made of, in order.
  package var children: [QueryExpression] {
    switch self {
    case .literal, .variable: []
    case .member(let base, _), .not(let base), .negative(let base), .unwrap(let base),
      .isEntity(let base, _), .asEntity(let base, _), .textChange(_, let base), .count(let base),
      .isEmpty(let base), .aggregate(_, let base):
      [base]
    case .compare(_, let left, let right), .arithmetic(_, let left, let right),
      .coalesce(let left, let right), .flatMap(let left, _, let right),
      .text(_, let left, let right, _), .textOrder(let left, let right, _),
      .contains(let left, let right), .exists(let left, _, let right),
      .all(let left, _, let right), .filter(let left, _, let right), .map(let left, _, let right):
      [left, right]
    case .and(let parts), .or(let parts): parts
    case .conditional(let test, let then, let otherwise): [test, then, otherwise]
    case .range(let value, let lower, let upper, _): [value] + [lower, upper].compactMap(\.self)
    }
  }

  /// Whether evaluating it may fail: nil unwrapped, a division by zero, a number too large.
  package var mayFail: Bool {
    switch self {
    case .unwrap, .arithmetic, .negative, .aggregate(.sum, _): true
    default: children.contains(where: \.mayFail)
    }
  }

  /// Throws where the expression is nested deeper than `depthMax`.
  package func checkDepth() throws(QueryProblem) {
    var level = [self]
    for _ in 0..<Self.depthMax {
      level = level.flatMap(\.children)
      if level.isEmpty { return }
    }
    throw QueryProblem(
      .tooDeep, in: "the query", "a query may be nested \(Self.depthMax) deep at most")
  }
}
