import DataModel

extension SQLCompiler {
  /// Whether a text relates so to another.
  func text(
    _ relation: QueryExpression.TextRelation, _ left: SQLTerm, _ right: SQLTerm,
    _ options: QueryExpression.TextOptions, _ exact: Bool, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    if left.literal == .null || right.literal == .null { return .known(false) }
    try checkTexts(left, right, in: expression)
    if case .string(let a)? = left.literal, case .string(let b)? = right.literal {
      return .known(relation.holds(a, b, options))
    }
    let mayFail = left.mayFail || right.mayFail
    let call: SQL = """
      \(word: SQLFunction.name(relation))(\(left.sql), \(right.sql), \
      \(number: Int(options.rawValue)))
      """
    // What SQLite can ask by itself sorts out most rows before the function is called.
    if options.isEmpty, left.isNormalized, !mayFail, case .string(let part)? = right.literal,
      let filter = filter(relation, left, part.normalized)
    {
      let term = SQLTerm.truth("(\(filter) AND \(call))", isNullable: left.isNullable)
      return exact ? term.exact : term
    }
    return .truth(call, mayFail: mayFail)
  }

  /// A condition on bytes that is true wherever the relation holds; a part of a text in form C is in
  /// form C.
  private func filter(
    _ relation: QueryExpression.TextRelation, _ text: SQLTerm, _ part: String
  ) -> SQL? {
    if part.isEmpty { return nil }
    switch relation {
    case .contains: return "instr(\(text.sql), \(value: .string(part))) > 0"
    case .begins:
      let lower: SQL = "\(text.sql) >= \(value: .string(part))"
      guard let end = part.afterAllThatBeginWithIt else { return lower }
      // NB: as a value of its own, since the text need not be in form C.
      let upper = SQL(text: "?", values: [.string(end)])
      return "\(lower) AND \(text.sql) < \(upper)"
    case .equal: return "\(text.sql) = \(value: .string(part))"
    case .ends, .like: return nil
    }
  }

  private func checkTexts(
    _ left: SQLTerm, _ right: SQLTerm, in expression: QueryExpression
  ) throws(QueryProblem) {
    for term in [left, right] where term.kind != .string {
      throw mismatch(in: expression, "only texts are compared as texts")
    }
  }

  /// -1, 0 or 1.
  func textOrder(
    _ left: SQLTerm, _ right: SQLTerm, _ options: QueryExpression.TextOptions,
    in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    try checkTexts(left, right, in: expression)
    return SQLTerm(
      sql: "contrail_text_order(\(left.sql), \(right.sql), \(number: Int(options.rawValue)))",
      shape: .value(.integer), isNullable: left.isNullable || right.isNullable,
      mayFail: left.mayFail || right.mayFail)
  }

  /// A text made of a text.
  func textChange(
    _ change: QueryExpression.TextChange, _ base: SQLTerm, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    try checkTexts(base, base, in: expression)
    var term = base
    term.sql = "contrail_\(word: change.rawValue)(\(base.sql))"
    term.literal = nil
    term.isNormalized = false
    return term
  }
}

extension String {
  /// The first text, by bytes, after all that begin with this one; nil where there is none.
  var afterAllThatBeginWithIt: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // What follows U+D7FF are surrogates, which no text holds.
      let next = last.value == 0xd7ff ? 0xe000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var end = String.UnicodeScalarView()
      end.append(contentsOf: scalars)
      end.append(scalar)
      return String(end)
    }
    return nil
  }
}
