import Foundation

// Numbers and ranges, which are what a predicate may trap at.

extension PredicateExpressions.Arithmetic: TrappingExpression {
  static var mayTrap: Bool { LHS.Output.self is any FixedWidthInteger.Type }

  func checkedValue(_ bindings: PredicateBindings) throws -> LHS.Output {
    let (left, right) = (try checked(lhs, bindings), try checked(rhs, bindings))
    if let left = left as? any FixedWidthInteger {
      let operation: QueryExpression.Arithmetic =
        switch op {
        case .add: .add
        case .subtract: .subtract
        case .multiply: .multiply
        }
      return try whole(operation, left, right, in: self)
    }
    return switch op {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    }
  }
}

extension PredicateExpressions.IntDivision: TrappingExpression {
  static var mayTrap: Bool { LHS.Output.self is any FixedWidthInteger.Type }

  func checkedValue(_ bindings: PredicateBindings) throws -> LHS.Output {
    let (left, right) = (try checked(lhs, bindings), try checked(rhs, bindings))
    guard let left = left as? any FixedWidthInteger else { return left / right }
    return try whole(.divide, left, right, in: self)
  }
}

extension PredicateExpressions.IntRemainder: TrappingExpression {
  static var mayTrap: Bool { LHS.Output.self is any FixedWidthInteger.Type }

  func checkedValue(_ bindings: PredicateBindings) throws -> LHS.Output {
    let (left, right) = (try checked(lhs, bindings), try checked(rhs, bindings))
    guard let left = left as? any FixedWidthInteger else { return left % right }
    return try whole(.remainder, left, right, in: self)
  }
}

extension PredicateExpressions.FloatDivision: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> LHS.Output {
    try checked(lhs, bindings) / checked(rhs, bindings)
  }
}

extension PredicateExpressions.UnaryMinus: TrappingExpression {
  static var mayTrap: Bool { Wrapped.Output.self is any FixedWidthInteger.Type }

  func checkedValue(_ bindings: PredicateBindings) throws -> Wrapped.Output {
    let value = try checked(wrapped, bindings)
    guard value is any FixedWidthInteger, let zero = Wrapped.Output.zero as? any FixedWidthInteger
    else { return -value }
    return try whole(.subtract, zero, value, in: self)
  }
}

/// Two whole numbers put together, of whatever width; fails where Swift would trap.
private func whole<Number: FixedWidthInteger, Output>(
  _ operation: QueryExpression.Arithmetic, _ left: Number, _ right: Output,
  in part: any PredicateExpression
) throws -> Output {
  let (value, overflow) = operation.whole(left, right as? Number ?? 0)
  guard !overflow, let value = value as? Output else {
    throw trapped(part, "a number was divided by zero, or became too large for \(Number.self)")
  }
  return value
}

extension PredicateExpressions.Range: TrappingExpression {
  static var mayTrap: Bool { true }

  func checkedValue(_ bindings: PredicateBindings) throws -> Swift.Range<LHS.Output> {
    let (lower, upper) = (try checked(lower, bindings), try checked(upper, bindings))
    guard lower <= upper else { throw trapped(self, "a range's bounds are in the wrong order") }
    return lower..<upper
  }
}

extension PredicateExpressions.ClosedRange: TrappingExpression {
  static var mayTrap: Bool { true }

  func checkedValue(_ bindings: PredicateBindings) throws -> Swift.ClosedRange<LHS.Output> {
    let (lower, upper) = (try checked(lower, bindings), try checked(upper, bindings))
    guard lower <= upper else { throw trapped(self, "a range's bounds are in the wrong order") }
    return lower...upper
  }
}

/// A range that is written out, of which can be told whether a value is in it without making it.
private protocol CheckedRange: PredicateExpression {
  func holds<Bound>(_ value: Bound, _ bindings: PredicateBindings) throws -> Bool?
}

extension PredicateExpressions.Range: CheckedRange {
  func holds<Bound>(_ value: Bound, _ bindings: PredicateBindings) throws -> Bool? {
    guard let value = value as? LHS.Output else { return nil }
    return try checked(lower, bindings) <= value && value < checked(upper, bindings)
  }
}

extension PredicateExpressions.ClosedRange: CheckedRange {
  func holds<Bound>(_ value: Bound, _ bindings: PredicateBindings) throws -> Bool? {
    guard let value = value as? LHS.Output else { return nil }
    return try checked(lower, bindings) <= value && value <= checked(upper, bindings)
  }
}

extension PredicateExpressions.RangeExpressionContains: CheckedExpression {
  /// A range with its bounds in the wrong order contains nothing, as in SQL.
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    let value = try checked(element, bindings)
    if let written = range as? any CheckedRange, let found = try written.holds(value, bindings) {
      return found
    }
    return try checked(range, bindings).contains(value)
  }
}
