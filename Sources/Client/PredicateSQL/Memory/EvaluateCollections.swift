import DataModel

extension QueryEvaluator {
  /// A relation or a change of texts; false or nil where one is nil.
  mutating func text(_ expression: QueryExpression) throws(QueryProblem) -> QueryValue {
    switch expression {
    case .text(let relation, let left, let right, let options):
      guard let left = try string(left), let right = try string(right) else { return .truth(false) }
      return .truth(relation.holds(left, right, options))
    case .textOrder(let left, let right, let options):
      guard let left = try string(left), let right = try string(right) else {
        return .field(.null)
      }
      return .field(.integer(Int64(order(left, right, options))))
    case .textChange(let change, let base):
      guard let text = try string(base) else { return .field(.null) }
      return .field(.string(change == .lowercased ? text.lowercased() : text.uppercased()))
    default: throw unsupported(in: expression, "the expression is not known")
    }
  }

  private mutating func string(_ expression: QueryExpression) throws(QueryProblem) -> String? {
    switch try evaluate(expression).field {
    case .string(let text): return text
    case .null: return nil
    default: throw mismatch(in: expression, "only texts are compared as texts")
    }
  }

  /// What is asked of a range, a collection or a text's characters.
  mutating func collection(_ expression: QueryExpression) throws(QueryProblem) -> QueryValue {
    switch expression {
    case .range(let value, let lower, let upper, let isClosed):
      let value = try evaluate(value).field
      if let lower, try !value.compares(.greaterOrEqual, evaluate(lower).field) {
        return .truth(false)
      }
      guard let upper else { return .truth(true) }
      return .truth(value.compares(isClosed ? .lessOrEqual : .less, try evaluate(upper).field))
    case .contains(let base, let element):
      let members = try members(of: base)
      let element = try evaluate(element).field
      return .truth(members.contains { $0.field.equals(element) })
    case .exists(let base, let number, let test):
      for member in try members(of: base) where try holds(test, number, member) {
        return .truth(true)
      }
      return .truth(false)
    case .all(let base, let number, let test):
      for member in try members(of: base) where try !holds(test, number, member) {
        return .truth(false)
      }
      return .truth(true)
    case .filter(let base, let number, let test):
      var kept: [QueryValue] = []
      for member in try members(of: base) where try holds(test, number, member) {
        kept.append(member)
      }
      return .many(kept)
    case .map(let base, let number, let body):
      var values: [QueryValue] = []
      for member in try members(of: base) {
        values.append(try binding(number, to: member, body))
      }
      return .many(values)
    case .count(let base):
      let value = try evaluate(base)
      if let members = value.members { return .field(.integer(Int64(members.count))) }
      if case .field(.string(let text)) = value { return .field(.integer(Int64(text.count))) }
      if value.isNil { return value }
      throw mismatch(in: expression, "only texts and collections are counted")
    case .isEmpty(let base):
      let value = try evaluate(base)
      if let members = value.members { return .truth(members.isEmpty) }
      if case .field(.string(let text)) = value { return .truth(text.isEmpty) }
      if value.isNil { return value }
      throw mismatch(in: expression, "only texts and collections may be empty")
    case .aggregate(let aggregate, let base):
      let values = try members(of: base).map(\.field)
      guard let value = aggregate.apply(to: values) else { throw failure(in: expression) }
      return .field(value)
    default: throw unsupported(in: expression, "the expression is not known")
    }
  }

  private mutating func holds(
    _ test: QueryExpression, _ number: Int, _ member: QueryValue
  ) throws(QueryProblem) -> Bool {
    switch try binding(number, to: member, test).field {
    case .boolean(let value): return value
    case .null: return false
    default: throw mismatch(in: test, "the value is no truth value")
    }
  }

  private mutating func members(
    of expression: QueryExpression
  ) throws(QueryProblem) -> [QueryValue] {
    let value = try evaluate(expression)
    if let members = value.members { return members }
    if value.isNil { return [] }
    throw mismatch(in: expression, "the value is no collection")
  }
}
