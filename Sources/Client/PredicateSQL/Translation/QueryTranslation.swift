public import Foundation

/// What a predicate means as a query, and what of it has to be evaluated by Swift itself.
public struct QueryTranslation: Hashable, Sendable {
  /// The part that was translated: true of every object that the predicate is true of, and more
  /// where there are problems.
  ///
  /// Nil where nothing was translated.
  public var expression: QueryExpression?
  /// Why the other conjuncts were not.
  ///
  /// Where there are any, the predicate itself has to be evaluated for the objects that
  /// `expression` is true of.
  public var problems: [QueryProblem]

  /// Whether `expression` says all that the predicate says.
  public var isComplete: Bool { problems.isEmpty }

  /// Translates a predicate, conjunct by conjunct.
  public init<Object>(_ predicate: Predicate<Object>, names: any QueryNames) {
    let scope = QueryScope(names: names, root: predicate.variable.key)
    var pushed: [QueryExpression] = []
    problems = []
    for (part, scope) in conjuncts(of: predicate.expression, in: scope) {
      do throws(QueryProblem) {
        let translated = try scope.translate(part)
        // What was left out may be what keeps this part from failing.
        if !problems.isEmpty && translated.mayFail {
          throw QueryProblem(
            .unsupportedExpression, in: "\(translated)",
            "the condition may fail, and one before it has no counterpart in SQL")
        }
        pushed += translated.conjuncts
      } catch {
        problems.append(error)
      }
    }
    expression = pushed.isEmpty ? nil : .all(of: pushed)
  }
}

extension QueryExpression {
  /// Translates an expression over one object.
  public init<Object, Value>(
    _ expression: Expression<Object, Value>, names: any QueryNames
  ) throws(QueryProblem) {
    self = try QueryScope(names: names, root: expression.variable.key)
      .translate(expression.expression)
  }

  /// Translates a key path of one object.
  public init(_ keyPath: AnyKeyPath, names: any QueryNames) throws(QueryProblem) {
    guard let name = names.propertyName(of: keyPath) else {
      throw QueryProblem(
        .unknownKeyPath, in: keyPath.debugDescription,
        "the key path leads to no property that is known")
    }
    self = .property(name)
  }
}

/// An expression that is made of conjuncts, each in a scope.
protocol QuerySplittable {
  func parts(in scope: QueryScope) -> [(any PredicateExpression, QueryScope)]
}

extension PredicateExpressions.Conjunction: QuerySplittable {
  func parts(in scope: QueryScope) -> [(any PredicateExpression, QueryScope)] {
    [(lhs, scope), (rhs, scope)]
  }
}

/// The parts of an expression that all have to be true, in order.
private func conjuncts(
  of expression: any PredicateExpression, in scope: QueryScope
) -> [(any PredicateExpression, QueryScope)] {
  var found: [(any PredicateExpression, QueryScope)] = []
  var waiting = [(expression, scope)]
  while let (next, scope) = waiting.popLast() {
    if let split = next as? any QuerySplittable {
      waiting += split.parts(in: scope).reversed()
    } else {
      found.append((next, scope))
    }
  }
  return found
}
