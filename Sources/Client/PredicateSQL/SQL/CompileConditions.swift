import DataModel

extension SQLCompiler {
  /// An expression as a condition.
  ///
  /// Where it is not to be exact, null may stand for false, which leaves comparisons in the form
  /// that an index serves.
  mutating func condition(
    _ expression: QueryExpression, exact: Bool = false
  ) throws(QueryProblem) -> SQLTerm {
    switch expression {
    case .and(let parts): return try connected(parts, by: "AND", exact: exact)
    case .or(let parts): return try connected(parts, by: "OR", exact: exact)
    case .not(let part):
      let term = try condition(part, exact: true)
      if case .boolean(let value)? = term.literal { return .known(!value) }
      return .truth("NOT (\(term.sql))", mayFail: term.mayFail)
    case .compare(let comparison, let left, let right):
      return try compare(comparison, try term(left), try term(right), exact, in: expression)
    case .range(let value, let lower, let upper, let isClosed):
      return try range(value, lower, upper, isClosed, exact)
    case .text(let relation, let left, let right, let options):
      return try text(
        relation, try term(left), try term(right), options, exact, in: expression)
    case .isEntity(let base, let name): return try isEntity(try term(base), name, in: expression)
    case .contains(let base, let element):
      return try contains(try term(base), try term(element), exact, in: expression)
    case .exists(let base, let number, let test): return try exists(base, number, test, exact)
    case .all(let base, let number, let test): return try all(base, number, test)
    case .isEmpty(let base): return try isEmpty(try term(base), in: expression)
    default: return try truth(of: try term(expression), exact, in: expression)
    }
  }

  /// A value that is itself true or false.
  private func truth(
    of term: SQLTerm, _ exact: Bool, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    guard term.kind == .boolean else {
      throw mismatch(in: expression, "the value is no truth value")
    }
    return exact ? term.exact : term
  }

  /// Conditions connected by AND or OR; in order where one may fail that another guards.
  private mutating func connected(
    _ parts: [QueryExpression], by word: StaticString, exact: Bool
  ) throws(QueryProblem) -> SQLTerm {
    let isAnd = "\(word)" == "AND"
    var terms: [SQLTerm] = []
    for part in parts {
      let term = try condition(part, exact: exact)
      guard case .boolean(let value)? = term.literal else {
        terms.append(term)
        continue
      }
      // What follows a part that decides is never asked.
      if value != isAnd {
        terms.append(term)
        break
      }
    }
    if terms.isEmpty { return .known(isAnd) }
    if terms.count == 1, let only = terms.first { return only }
    guard let lastFailing = terms.lastIndex(where: \.mayFail) else {
      return .truth(
        SQL.joined(terms.map(\.sql), by: word), isNullable: terms.contains(where: \.isNullable))
    }
    // NB: `NOT null` is null, so that the guards have to be exact.
    let guards = terms[...lastFailing].map(\.exact.sql)
    var all = [SQL.inOrder(guards, by: word)] + terms[(lastFailing + 1)...].map(\.sql)
    // What cannot fail stands beside it as well, where an index serves it.
    if isAnd { all = terms[...lastFailing].filter { !$0.mayFail }.map(\.sql) + all }
    return .truth(
      SQL.joined(all, by: word), mayFail: true, isNullable: terms.contains(where: \.isNullable))
  }

  private mutating func range(
    _ value: QueryExpression, _ lower: QueryExpression?, _ upper: QueryExpression?,
    _ isClosed: Bool, _ exact: Bool
  ) throws(QueryProblem) -> SQLTerm {
    var parts: [QueryExpression] = []
    if let lower { parts.append(.compare(.greaterOrEqual, value, lower)) }
    if let upper { parts.append(.compare(isClosed ? .lessOrEqual : .less, value, upper)) }
    return try condition(.all(of: parts), exact: exact)
  }
}

extension SQLTerm {
  /// The truth value with false in place of null.
  var exact: SQLTerm {
    guard isNullable else { return self }
    var term = self
    term.sql = "ifnull(\(sql), 0)"
    term.isNullable = false
    return term
  }
}
