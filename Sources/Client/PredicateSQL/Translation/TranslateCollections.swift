import Foundation

extension PredicateExpressions.SequenceContains: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let base = try scope.translate(sequence)
    let part = try scope.translate(element)
    // A text is a sequence of characters.
    if LHS.Output.self is any StringProtocol.Type { return .text(.contains, base, part, []) }
    guard isQueryable(RHS.Output.self, names: scope.names) else {
      throw QueryProblem(
        .unsupportedExpression, in: "\(base).contains(\(part))",
        "values of type \(RHS.Output.self) are compared by Swift only")
    }
    return .contains(base, part)
  }
}

extension PredicateExpressions.CollectionContainsCollection: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let base = try scope.translate(base)
    try checkText(Base.Output.self, in: base)
    return .text(.contains, base, try scope.translate(other), [])
  }
}

extension PredicateExpressions.SequenceStartsWith: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let base = try scope.translate(base)
    try checkText(Base.Output.self, in: base)
    return .text(.begins, base, try scope.translate(prefix), [])
  }
}

extension PredicateExpressions.SequenceContainsWhere: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let base = try scope.translate(sequence)
    try checkMembers(LHS.Output.self, in: base)
    let (number, inner) = scope.opening(variable.key)
    return .exists(base, number, try inner.translate(test))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let base = try scope.translate(sequence)
    try checkMembers(LHS.Output.self, in: base)
    let (number, inner) = scope.opening(variable.key)
    return .all(base, number, try inner.translate(test))
  }
}

extension PredicateExpressions.Filter: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let base = try scope.translate(sequence)
    try checkMembers(LHS.Output.self, in: base)
    let (number, inner) = scope.opening(variable.key)
    return .filter(base, number, try inner.translate(filter))
  }
}

extension PredicateExpressions.SequenceMaximum: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let base = try scope.translate(elements)
    try checkOrder(Elements.Output.Element.self, in: base)
    return .aggregate(.maximum, base)
  }
}

extension PredicateExpressions.SequenceMinimum: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    let base = try scope.translate(elements)
    try checkOrder(Elements.Output.Element.self, in: base)
    return .aggregate(.minimum, base)
  }
}

// What has no counterpart is still known where it is asked of captured values alone.

extension PredicateExpressions.CollectionIndexSubscript: QueryTranslatable {
  var isConstant: Bool { PredicateSQL.isConstant(wrapped) && PredicateSQL.isConstant(index) }
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    try constantOnly(self, "a member at an index")
  }
}

extension PredicateExpressions.CollectionRangeSubscript: QueryTranslatable {
  var isConstant: Bool { PredicateSQL.isConstant(wrapped) && PredicateSQL.isConstant(range) }
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    try constantOnly(self, "a part of a collection")
  }
}

extension PredicateExpressions.DictionaryKeySubscript: QueryTranslatable {
  var isConstant: Bool { PredicateSQL.isConstant(wrapped) && PredicateSQL.isConstant(key) }
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    try constantOnly(self, "a dictionary's value")
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: QueryTranslatable {
  var isConstant: Bool {
    PredicateSQL.isConstant(wrapped) && PredicateSQL.isConstant(key)
      && PredicateSQL.isConstant(self.default)
  }
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    try constantOnly(self, "a dictionary's value")
  }
}

extension PredicateExpressions.StringContainsRegex: QueryTranslatable {
  var isConstant: Bool { PredicateSQL.isConstant(subject) && PredicateSQL.isConstant(regex) }
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    try constantOnly(self, "a match of a regular expression")
  }
}

private func constantOnly(
  _ part: some QueryTranslatable, _ what: String
) throws(QueryProblem) -> QueryExpression {
  if part.isConstant { return try part.constant() }
  throw QueryProblem(
    .unsupportedExpression, in: shownType(of: part), "\(what) is known of captured values only")
}

extension PredicateExpressions.ExpressionEvaluate: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    guard PredicateSQL.isConstant(expression),
      let inner = try? expression.evaluate(PredicateBindings())
    else {
      throw QueryProblem(
        .unsupportedExpression, in: shownType(of: self), "the expression is not a captured one")
    }
    var innerScope = scope
    for (variable, part) in repeat (each inner.variable, each input) {
      innerScope = innerScope.binding(variable.key, to: try scope.translate(part))
    }
    return try innerScope.translate(inner.expression)
  }
}

private func checkText(_ type: any Any.Type, in base: QueryExpression) throws(QueryProblem) {
  if type is any StringProtocol.Type { return }
  throw QueryProblem(
    .unsupportedExpression, in: "\(base)", "a part of a collection is known of texts only")
}

private func checkMembers(_ type: any Any.Type, in base: QueryExpression) throws(QueryProblem) {
  if !(type is any StringProtocol.Type) { return }
  throw QueryProblem(
    .unsupportedExpression, in: "\(base)", "a condition on each character of a text is not known")
}

private func checkOrder(_ type: any Any.Type, in base: QueryExpression) throws(QueryProblem) {
  if type is any QueryOrdered.Type { return }
  throw QueryProblem(
    .unsupportedExpression, in: "\(base)",
    "the order of values of type \(type) is known to Swift only")
}
