extension QueryExpression {
  /// The expression with something else in place of a variable.
  package func replacing(_ number: Int, by other: QueryExpression) -> QueryExpression {
    func new(_ part: QueryExpression) -> QueryExpression { part.replacing(number, by: other) }
    switch self {
    case .variable(let own): return own == number ? other : self
    case .literal: return self
    case .member(let base, let name): return .member(new(base), name)
    case .compare(let comparison, let left, let right):
      return .compare(comparison, new(left), new(right))
    case .and(let parts): return .and(parts.map(new))
    case .or(let parts): return .or(parts.map(new))
    case .not(let base): return .not(new(base))
    case .conditional(let test, let then, let otherwise):
      return .conditional(new(test), new(then), new(otherwise))
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(operation, new(left), new(right))
    case .negative(let base): return .negative(new(base))
    case .coalesce(let left, let right): return .coalesce(new(left), new(right))
    case .flatMap(let base, let own, let body): return .flatMap(new(base), own, new(body))
    case .unwrap(let base): return .unwrap(new(base))
    case .isEntity(let base, let entity): return .isEntity(new(base), entity)
    case .asEntity(let base, let entity): return .asEntity(new(base), entity)
    case .text(let relation, let left, let right, let options):
      return .text(relation, new(left), new(right), options)
    case .textOrder(let left, let right, let options):
      return .textOrder(new(left), new(right), options)
    case .textChange(let change, let base): return .textChange(change, new(base))
    case .range(let value, let lower, let upper, let isClosed):
      return .range(new(value), lower: lower.map(new), upper: upper.map(new), isClosed: isClosed)
    case .contains(let base, let element): return .contains(new(base), new(element))
    case .exists(let base, let own, let body): return .exists(new(base), own, new(body))
    case .all(let base, let own, let body): return .all(new(base), own, new(body))
    case .filter(let base, let own, let body): return .filter(new(base), own, new(body))
    case .map(let base, let own, let body): return .map(new(base), own, new(body))
    case .count(let base): return .count(new(base))
    case .isEmpty(let base): return .isEmpty(new(base))
    case .aggregate(let aggregate, let base): return .aggregate(aggregate, new(base))
    }
  }
}
