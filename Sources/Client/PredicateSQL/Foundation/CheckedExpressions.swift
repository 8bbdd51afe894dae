import Foundation

// What may stand around a number in a predicate.

extension PredicateExpressions.KeyPath: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Output {
    try checked(root, bindings)[keyPath: keyPath]
  }
}

extension PredicateExpressions.Conjunction: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try checked(lhs, bindings) && checked(rhs, bindings)
  }
}

extension PredicateExpressions.Disjunction: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try checked(lhs, bindings) || checked(rhs, bindings)
  }
}

extension PredicateExpressions.Negation: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try !checked(wrapped, bindings)
  }
}

extension PredicateExpressions.Conditional: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Output {
    try checked(test, bindings) ? checked(trueBranch, bindings) : checked(falseBranch, bindings)
  }
}

extension PredicateExpressions.Equal: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try checked(lhs, bindings) == checked(rhs, bindings)
  }
}

extension PredicateExpressions.NotEqual: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try checked(lhs, bindings) != checked(rhs, bindings)
  }
}

extension PredicateExpressions.Comparison: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    let (left, right) = (try checked(lhs, bindings), try checked(rhs, bindings))
    return switch op {
    case .lessThan: left < right
    case .lessThanOrEqual: left <= right
    case .greaterThan: left > right
    case .greaterThanOrEqual: left >= right
    }
  }
}

extension PredicateExpressions.NilCoalesce: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Output {
    try checked(lhs, bindings) ?? checked(rhs, bindings)
  }
}

extension PredicateExpressions.OptionalFlatMap: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Result? {
    guard let value = try checked(wrapped, bindings) else { return nil }
    // The transform gives either a result or one that may be nil.
    let result: Any = try checked(transform, bindings.binding(variable, to: value))
    return result as? Result? ?? nil
  }
}

extension PredicateExpressions.ForcedUnwrap: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Wrapped {
    guard let value = try checked(inner, bindings) else { throw trapped(self, "nil was unwrapped") }
    return value
  }
}

extension PredicateExpressions.SequenceContains: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try checked(sequence, bindings).contains(checked(element, bindings))
  }
}

extension PredicateExpressions.SequenceContainsWhere: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try checked(sequence, bindings).contains {
      try checked(test, bindings.binding(variable, to: $0))
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try checked(sequence, bindings).allSatisfy {
      try checked(test, bindings.binding(variable, to: $0))
    }
  }
}

extension PredicateExpressions.Filter: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> [LHS.Output.Element] {
    try checked(sequence, bindings).filter {
      try checked(filter, bindings.binding(variable, to: $0))
    }
  }
}

extension PredicateExpressions.SequenceMaximum: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Elements.Output.Element? {
    try checked(elements, bindings).max()
  }
}

extension PredicateExpressions.SequenceMinimum: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Elements.Output.Element? {
    try checked(elements, bindings).min()
  }
}

extension PredicateExpressions.CollectionIndexSubscript: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Output {
    let members = try checked(wrapped, bindings)
    let place = try checked(index, bindings)
    guard place >= members.startIndex && place < members.endIndex else {
      throw trapped(self, "there is no member at the index")
    }
    return members[place]
  }
}

extension PredicateExpressions.CollectionRangeSubscript: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Output {
    let members = try checked(wrapped, bindings)
    let part = try checked(range, bindings)
    guard part.lowerBound >= members.startIndex && part.upperBound <= members.endIndex else {
      throw trapped(self, "the range is not within the collection")
    }
    return members[part]
  }
}

extension PredicateExpressions.CollectionContainsCollection: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try checked(base, bindings).contains(checked(other, bindings))
  }
}

extension PredicateExpressions.SequenceStartsWith: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try checked(base, bindings).starts(with: checked(prefix, bindings))
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Output {
    try checked(wrapped, bindings)[checked(key, bindings)] ?? checked(self.default, bindings)
  }
}

extension PredicateExpressions.ConditionalCast: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Desired? {
    try checked(input, bindings) as? Desired
  }
}

extension PredicateExpressions.ForceCast: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Desired {
    guard let value = try checked(input, bindings) as? Desired else {
      throw trapped(self, "a value is no \(Desired.self)")
    }
    return value
  }
}

extension PredicateExpressions.TypeCheck: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try checked(input, bindings) is Desired
  }
}

extension PredicateExpressions.DictionaryKeySubscript: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Value? {
    try checked(wrapped, bindings)[checked(key, bindings)]
  }
}

extension PredicateExpressions.ExpressionEvaluate: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Output {
    let inner = try checked(expression, bindings)
    var inside = PredicateBindings()
    for (variable, part) in repeat (each inner.variable, each input) {
      inside = inside.binding(variable, to: try checked(part, bindings))
    }
    return try checked(inner.expression, inside)
  }
}

extension RenamedCondition: CheckedExpression {
  func checkedValue(_ bindings: PredicateBindings) throws -> Bool {
    try checked(condition, bindings.binding(old, to: try new.evaluate(bindings)))
  }
}
