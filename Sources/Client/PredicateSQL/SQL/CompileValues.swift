import DataModel

extension SQLCompiler {
  /// Two numbers put together by a function, since SQLite makes a real of a whole number too large,
  /// and null of a NaN and of a division by zero.
  func arithmetic(
    _ operation: QueryExpression.Arithmetic, _ left: SQLTerm, _ right: SQLTerm,
    in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    guard let a = left.kind, let b = right.kind,
      a == .decimal ? b == .decimal : SQLTerm.isNumber(a) && SQLTerm.isNumber(b)
    else { throw mismatch(in: expression, "only numbers of one kind are reckoned with") }
    if let a = left.literal, let b = right.literal, let value = operation.apply(a, b) {
      return SQLTerm(sql: "\(value: value)", shape: .value(value.kind), literal: value)
    }
    let kind: FieldValue.Kind = a == .decimal ? a : a == .integer && b == .integer ? a : .double
    if operation == .remainder && kind != .integer {
      throw mismatch(in: expression, "a remainder is of whole numbers")
    }
    let call: SQL =
      "\(word: SQLFunction.name(operation, kind))(\(left.sql), \(right.sql))"
    let failing = kind == .integer || (kind == .decimal && operation == .divide)
    return SQLTerm(
      sql: failing ? checked(call, [left, right]) : call, shape: .value(kind),
      isNullable: left.isNullable || right.isNullable,
      mayFail: failing || left.mayFail || right.mayFail)
  }

  /// A call whose null is an error, but where an argument is null itself.
  private func checked(_ call: SQL, _ arguments: [SQLTerm]) -> SQL {
    let result: SQL = "ifnull(\(call), \(SQL.failure))"
    let nullable = arguments.filter(\.isNullable).map { term -> SQL in "\(term.sql) IS NULL" }
    if nullable.isEmpty { return result }
    return "CASE WHEN \(SQL.joined(nullable, by: "OR")) THEN NULL ELSE \(result) END"
  }

  func negative(
    _ term: SQLTerm, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    if let value = term.literal?.negated {
      return SQLTerm(sql: "\(value: value)", shape: .value(value.kind), literal: value)
    }
    switch term.kind {
    case .integer:
      var zero = SQLTerm(sql: "0", shape: .value(.integer))
      zero.mayFail = true
      return try arithmetic(.subtract, zero, term, in: expression)
    case .double:
      return try arithmetic(
        .multiply, term, SQLTerm(sql: "-1.0", shape: .value(.double)), in: expression)
    case .decimal:
      var negated = term
      negated.sql = "contrail_decimal_negative(\(term.sql))"
      return negated
    default: throw mismatch(in: expression, "only numbers have a sign")
    }
  }

  /// Two terms of which either may be the value: what they have in common.
  private func merged(
    _ left: SQLTerm, _ right: SQLTerm, sql: SQL, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    var term = SQLTerm(
      sql: sql, shape: left.shape, isNullable: left.isNullable || right.isNullable,
      mayFail: left.mayFail || right.mayFail, isNormalized: left.isNormalized && right.isNormalized)
    switch (left.shape, right.shape) {
    case (.value(let a), .value(let b)) where a == b: break
    case (.value(let a), .value(let b)) where SQLTerm.areComparable(a, b):
      term.shape = .value(.double)
    case (.null, .value), (.null, .opaque): term.shape = right.shape
    case (.value, .null), (.null, .null), (.opaque, .opaque), (.opaque, .null): break
    case (.object(let a), .object(let b)) where a.entity.table == b.entity.table:
      let entity = a.entity.name == b.entity.name ? a.entity : broader(a.entity, b.entity)
      term.shape = .object(SQLObject(entity: entity, key: sql))
    case (.object(let a), .null), (.null, .object(let a)):
      term.shape = .object(SQLObject(entity: a.entity, key: sql))
    default: throw mismatch(in: expression, "the two values are of different kinds")
    }
    return term
  }

  private func broader(_ left: SQLEntity, _ right: SQLEntity) -> SQLEntity {
    guard let a = left.numbers else { return left }
    guard let b = right.numbers else { return right }
    return a.count >= b.count ? left : right
  }

  func coalesce(
    _ left: SQLTerm, _ right: SQLTerm, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    if !left.isNullable { return left }
    if case .null = left.shape { return right }
    // Nobody's rows are none.
    if case .rows = left.shape, case .list(let members) = right.shape, members.isEmpty {
      return left.there
    }
    var term = try merged(
      left, right, sql: "ifnull(\(left.sql), \(right.sql))", in: expression)
    term.isNullable = right.isNullable
    return term
  }

  func conditional(
    _ test: SQLTerm, _ then: SQLTerm, _ otherwise: SQLTerm, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    if case .boolean(let value)? = test.literal { return value ? then : otherwise }
    var term = try merged(
      then, otherwise,
      sql: "(CASE WHEN \(test.sql) THEN \(then.sql) ELSE \(otherwise.sql) END)", in: expression)
    term.mayFail = term.mayFail || test.mayFail
    return term
  }

  mutating func flatMap(
    _ base: QueryExpression, _ number: Int, _ body: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    let base = try term(base)
    if case .null = base.shape { return base }
    var bound = base
    bound.isNullable = false
    if base.isNullable, case .object = base.shape { bound.isNullable = body.isPath(from: number) }
    var result = try binding(number, to: bound) { compiler throws(QueryProblem) in
      try compiler.term(body)
    }
    result.mayFail = result.mayFail || base.mayFail
    guard base.isNullable else { return result }
    result.isNullable = true
    result.literal = nil
    // A path from nil is nil by itself.
    if body.isPath(from: number) { return result }
    let sql: SQL = "(CASE WHEN \(presence(of: base)) THEN \(result.sql) END)"
    switch result.shape {
    case .value, .opaque: result.sql = sql
    case .object(let object):
      result.sql = sql
      result.shape = .object(SQLObject(entity: object.entity, key: sql))
    case .null: break
    case .rows, .list, .composite:
      throw unsupported(
        in: .flatMap(.variable(0), number, body), "SQL has no collection that may be nil")
    }
    return result
  }
}

extension QueryExpression {
  /// Whether this is a chain of to-one properties that starts at a variable. (A chain that ends in a
  /// collection is told by its term.)
  func isPath(from number: Int) -> Bool {
    switch self {
    case .variable(number): true
    case .member(let base, _): base.isPath(from: number)
    case .flatMap(let base, let inner, let body):
      base.isPath(from: number) && body.isPath(from: inner)
    default: false
    }
  }
}

extension SQLTerm {
  /// Whether values of the kind are numbers that SQLite reckons with.
  static func isNumber(_ kind: FieldValue.Kind) -> Bool { kind == .integer || kind == .double }
}
