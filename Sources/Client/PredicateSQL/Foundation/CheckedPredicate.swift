public import Foundation

/// A predicate that Swift itself evaluates, but for what would trap there: a whole number that becomes too
/// large or is divided by zero, and a range with its bounds in the wrong order.
///
/// Foundation evaluates such a part with Swift's own operators. So the parts around it, and it, are
/// evaluated here, and the first is an error.
public struct CheckedPredicate<Object> {
  private let predicate: Predicate<Object>
  private let mayTrap: Bool

  /// Fails where a part that may trap is within one that only Foundation can evaluate.
  public init(_ predicate: Predicate<Object>) throws(QueryProblem) {
    self.predicate = predicate
    mayTrap = try PredicateSQL.mayTrap(predicate.expression)
  }

  /// Whether the predicate is true of an object.
  public func isTrue(of object: Object) throws -> Bool {
    guard mayTrap else { return try predicate.evaluate(object) }
    return try checked(
      predicate.expression, PredicateBindings().binding(predicate.variable, to: object))
  }
}

/// A predicate's expression that is evaluated here, so that what is in it is as well.
protocol CheckedExpression: PredicateExpression {
  /// What `evaluate` gives; an error where that would trap.
  func checkedValue(_ bindings: PredicateBindings) throws -> Output
}

/// An expression that Foundation may trap at.
protocol TrappingExpression: CheckedExpression {
  static var mayTrap: Bool { get }
}

/// The value of any expression.
func checked<Part: PredicateExpression>(
  _ part: Part, _ bindings: PredicateBindings
) throws -> Part.Output {
  guard let known = part as? any CheckedExpression else { return try part.evaluate(bindings) }
  let value: Any = try known.checkedValue(bindings)
  guard let value = value as? Part.Output else {
    throw QueryProblem(.mismatchedTypes, in: shownType(of: part), "the value is of another type")
  }
  return value
}

/// Whether an expression may trap; fails where it may within a part that is not evaluated here.
private func mayTrap(_ expression: any PredicateExpression) throws(QueryProblem) -> Bool {
  var found = false
  var waiting: [(part: any PredicateExpression, around: String?)] = [(expression, nil)]
  while let (part, around) = waiting.popLast() {
    if let trapping = part as? any TrappingExpression, type(of: trapping).mayTrap {
      if let around { throw unreachable(part, in: around) }
      found = true
    }
    let outer = around ?? (part is any CheckedExpression ? nil : shownType(of: part))
    waiting += parts(of: part).map { ($0, outer) }
  }
  return found
}

/// What an expression is made of, a captured `#Expression` included.
private func parts(of part: any PredicateExpression) -> [any PredicateExpression] {
  guard let value = part as? any QueryCapturedRange else {
    return Mirror(reflecting: part).children.compactMap { $0.value as? any PredicateExpression }
  }
  let captured = Mirror(reflecting: value.captured)
  guard captured.displayStyle == .struct,
    let inner = captured.descendant("expression") as? any PredicateExpression
  else { return [] }
  return [inner]
}

private func unreachable(_ part: any PredicateExpression, in around: String) -> QueryProblem {
  QueryProblem(
    .unsupportedExpression, in: "\(shownType(of: part)) in \(around)",
    "Swift evaluates this by itself, and would trap where a whole number becomes too large or is "
      + "divided by zero: reckon it outside the predicate, or compare the number itself")
}

/// What stands for a trap.
func trapped(_ part: any PredicateExpression, _ message: String) -> QueryProblem {
  QueryProblem(.evaluationFailed, in: shownType(of: part), message)
}
