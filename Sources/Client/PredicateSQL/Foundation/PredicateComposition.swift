public import Foundation

/// A predicate's condition, asked of what another variable stands for.
///
/// Every predicate has a variable of its own, so that two of them cannot simply be put side by side.
struct RenamedCondition<Object>: StandardPredicateExpression {
  let condition: any StandardPredicateExpression<Bool>
  let old: PredicateExpressions.Variable<Object>
  let new: PredicateExpressions.Variable<Object>

  func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    try condition.evaluate(bindings.binding(old, to: try new.evaluate(bindings)))
  }

  init(_ predicate: Predicate<Object>, asked new: PredicateExpressions.Variable<Object>) {
    condition = predicate.expression
    old = predicate.variable
    self.new = new
  }

  /// Fails: as Foundation on Linux, where key paths cannot be encoded.
  init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: Self.reason))
  }

  /// Fails: as Foundation on Linux, where key paths cannot be encoded.
  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: Self.reason))
  }

  private static var reason: String { "a predicate made of others cannot be encoded" }
}

extension RenamedCondition: QueryTranslatable, QuerySplittable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    try renamed(scope).translate(condition)
  }

  func parts(in scope: QueryScope) -> [(any PredicateExpression, QueryScope)] {
    [(condition, renamed(scope))]
  }

  private func renamed(_ scope: QueryScope) -> QueryScope {
    guard let meaning = scope.meaning(of: new.key) else { return scope }
    return scope.binding(old.key, to: meaning)
  }
}

/// The predicate that is true where all are; without any, everywhere.
public func allOf<Object>(_ predicates: [Predicate<Object>]) -> Predicate<Object> {
  guard let first = predicates.first else { return Predicate<Object>.true }
  return predicates.dropFirst().reduce(first) { left, right in
    Predicate<Object> { object in
      PredicateExpressions.build_Conjunction(
        lhs: RenamedCondition(left, asked: object), rhs: RenamedCondition(right, asked: object))
    }
  }
}

/// The predicate that is true where one of them is; without any, nowhere.
public func anyOf<Object>(_ predicates: [Predicate<Object>]) -> Predicate<Object> {
  guard let first = predicates.first else { return Predicate<Object>.false }
  return predicates.dropFirst().reduce(first) { left, right in
    Predicate<Object> { object in
      PredicateExpressions.build_Disjunction(
        lhs: RenamedCondition(left, asked: object), rhs: RenamedCondition(right, asked: object))
    }
  }
}

/// The predicate that is true where the other is not.
public func negated<Object>(_ predicate: Predicate<Object>) -> Predicate<Object> {
  Predicate<Object> { object in
    PredicateExpressions.build_Negation(RenamedCondition(predicate, asked: object))
  }
}
