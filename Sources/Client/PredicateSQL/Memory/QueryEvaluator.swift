public import DataModel

extension QueryExpression {
  /// Whether the expression is true of an object; fails where Swift would.
  public func isTrue(of row: any QueryRow) throws(QueryProblem) -> Bool {
    try checkDepth()
    var evaluator = QueryEvaluator(row)
    return try evaluator.truth(self)
  }

  /// The expression's value for an object; an object becomes its identity, a collection a list.
  public func value(for row: any QueryRow) throws(QueryProblem) -> FieldValue {
    try checkDepth()
    var evaluator = QueryEvaluator(row)
    return try evaluator.evaluate(self).field
  }
}

/// A value on the way.
enum QueryValue {
  case field(FieldValue)
  case object(any QueryRow)
  case many([QueryValue])

  /// The value without rows.
  var field: FieldValue {
    switch self {
    case .field(let value): value
    case .object(let row): .objectID(row.queryIdentity)
    case .many(let members): .list(members.map(\.field))
    }
  }

  var isNil: Bool {
    if case .field(.null) = self { return true }
    return false
  }

  /// The members of a collection; nil for anything else.
  var members: [QueryValue]? {
    switch self {
    case .many(let members): members
    case .field(.list(let members)): members.map { .field($0) }
    default: nil
    }
  }
}

/// Evaluates an expression for one object, as Swift would evaluate the predicate.
struct QueryEvaluator {
  private var variables: [Int: QueryValue]

  init(_ row: any QueryRow) { variables = [0: .object(row)] }

  mutating func truth(_ expression: QueryExpression) throws(QueryProblem) -> Bool {
    switch try evaluate(expression) {
    case .field(.boolean(let value)): return value
    // A condition on what is not there is not fulfilled.
    case .field(.null): return false
    default: throw mismatch(in: expression, "the value is no truth value")
    }
  }

  mutating func evaluate(_ expression: QueryExpression) throws(QueryProblem) -> QueryValue {
    switch expression {
    case .literal(let value): return .field(value)
    case .variable(let number):
      guard let value = variables[number] else {
        throw QueryProblem(.unsupportedExpression, in: "v\(number)", "the variable is not bound")
      }
      return value
    case .member(let base, let name):
      return try member(of: try evaluate(base), name, in: expression)
    case .compare(let comparison, let left, let right):
      let left = try evaluate(left).field
      return .truth(left.compares(comparison, try evaluate(right).field))
    case .and(let parts):
      for part in parts where try !truth(part) { return .truth(false) }
      return .truth(true)
    case .or(let parts):
      for part in parts where try truth(part) { return .truth(true) }
      return .truth(false)
    case .not(let part): return .truth(try !truth(part))
    case .conditional(let test, let then, let otherwise):
      return try evaluate(try truth(test) ? then : otherwise)
    case .arithmetic(let operation, let left, let right):
      return try arithmetic(operation, left, right, in: expression)
    case .negative(let base):
      let value = try evaluate(base).field
      if value == .null { return .field(.null) }
      guard let negated = value.negated else { throw failure(in: expression) }
      return .field(negated)
    case .coalesce(let left, let right):
      let value = try evaluate(left)
      return value.isNil ? try evaluate(right) : value
    case .flatMap(let base, let number, let body):
      let value = try evaluate(base)
      return value.isNil ? value : try binding(number, to: value, body)
    case .unwrap(let base):
      let value = try evaluate(base)
      if value.isNil { throw failure(in: expression) }
      return value
    case .isEntity(let base, let name):
      if case .object(let row) = try evaluate(base) { return .truth(row.isOfEntity(name)) }
      return .truth(false)
    case .asEntity(let base, let name):
      if case .object(let row) = try evaluate(base), row.isOfEntity(name) { return .object(row) }
      return .field(.null)
    case .text, .textOrder, .textChange: return try text(expression)
    default: return try collection(expression)
    }
  }

  /// What `body` is with the variable standing for `value`.
  mutating func binding(
    _ number: Int, to value: QueryValue, _ body: QueryExpression
  ) throws(QueryProblem) -> QueryValue {
    let before = variables[number]
    variables[number] = value
    defer { variables[number] = before }
    return try evaluate(body)
  }

  private func member(
    of base: QueryValue, _ name: String, in expression: QueryExpression
  ) throws(QueryProblem) -> QueryValue {
    switch base {
    case .field(.null): return .field(.null)
    case .field(.composite(let members)): return .field(members[name] ?? .null)
    case .object(let row):
      switch try row.queryMember(name) {
      case .value(let value): return .field(value)
      case .object(let row): return row.map { .object($0) } ?? .field(.null)
      case .objects(let rows): return .many(rows.map { .object($0) })
      case nil:
        throw QueryProblem(.unknownProperty, in: "\(expression)", "there is no property \(name)")
      }
    default: throw mismatch(in: expression, "only objects have properties")
    }
  }

  private mutating func arithmetic(
    _ operation: QueryExpression.Arithmetic, _ left: QueryExpression, _ right: QueryExpression,
    in expression: QueryExpression
  ) throws(QueryProblem) -> QueryValue {
    let left = try evaluate(left).field
    let right = try evaluate(right).field
    if left == .null || right == .null { return .field(.null) }
    guard let value = operation.apply(left, right) else { throw failure(in: expression) }
    return .field(value)
  }

  func failure(in expression: QueryExpression) -> QueryProblem {
    QueryProblem(
      .evaluationFailed, in: "\(expression)",
      "nil was unwrapped, a number was divided by zero, or it became too large")
  }
}

extension QueryValue {
  static func truth(_ value: Bool) -> QueryValue { .field(.boolean(value)) }
}
