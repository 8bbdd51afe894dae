import DataModel

extension SQLCompiler {
  /// The rows and the term that each of them stands for; nil where the collection is literal.
  private func rows(
    of term: SQLTerm, in expression: QueryExpression
  ) throws(QueryProblem) -> (SQLRows, SQLTerm)? {
    switch term.shape {
    case .rows(let rows):
      if let element = rows.element.first { return (rows, element) }
    case .list(let members) where members.count <= Self.expandedMembersMax: return nil
    case .list:
      throw unsupported(
        in: expression,
        "a condition is asked of \(Self.expandedMembersMax) captured values at most")
    default: break
    }
    throw unsupported(in: expression, "SQL cannot look into the collection")
  }

  /// A condition on each member of a literal list, connected.
  private mutating func expanded(
    _ list: SQLTerm, _ number: Int, _ test: QueryExpression, isAll: Bool, _ exact: Bool
  ) throws(QueryProblem) -> SQLTerm {
    guard case .list(let members) = list.shape else { return .known(isAll) }
    let parts = members.map { test.replacing(number, by: .literal($0)) }
    return try condition(isAll ? .and(parts) : .or(parts), exact: exact)
  }

  /// Whether the condition is true of one.
  mutating func exists(
    _ base: QueryExpression, _ number: Int, _ test: QueryExpression, _ exact: Bool
  ) throws(QueryProblem) -> SQLTerm {
    let collection = try term(base)
    guard case (var rows, let element)? = try rows(of: collection, in: base) else {
      return try expanded(collection, number, test, isAll: false, exact)
    }
    let condition = try binding(number, to: element) { compiler throws(QueryProblem) in
      try compiler.condition(test)
    }
    rows.add(condition)
    return .truth(
      "EXISTS (SELECT 1 \(rows.source))", mayFail: condition.mayFail || collection.mayFail)
  }

  /// Whether the condition is true of all.
  mutating func all(
    _ base: QueryExpression, _ number: Int, _ test: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    let collection = try term(base)
    if case .list = collection.shape {
      return try expanded(collection, number, test, isAll: true, true)
    }
    let found = try exists(base, number, .not(test), true)
    return .truth("NOT \(found.sql)", mayFail: found.mayFail)
  }

  /// The rows that the condition is true of.
  mutating func filter(
    _ base: QueryExpression, _ number: Int, _ test: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    var collection = try term(base)
    guard case (var rows, let element)? = try rows(of: collection, in: base) else {
      throw unsupported(in: base, "captured values are not filtered in SQL")
    }
    let condition = try binding(number, to: element) { compiler throws(QueryProblem) in
      try compiler.condition(test)
    }
    rows.add(condition)
    collection.shape = .rows(rows)
    collection.mayFail = collection.mayFail || condition.mayFail
    return collection
  }

  /// A value for each row.
  mutating func map(
    _ base: QueryExpression, _ number: Int, _ body: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    var collection = try term(base)
    guard case (var rows, let element)? = try rows(of: collection, in: base) else {
      throw unsupported(in: base, "captured values are not mapped in SQL")
    }
    rows.element = [
      try binding(number, to: element) { compiler throws(QueryProblem) in try compiler.term(body) }
    ]
    collection.shape = .rows(rows)
    return collection
  }

  /// How many there are.
  func count(_ term: SQLTerm, in expression: QueryExpression) throws(QueryProblem) -> SQLTerm {
    switch term.shape {
    case .rows(let rows):
      return SQLTerm(
        sql: "(SELECT count(*) \(rows.source))", shape: .value(.integer), mayFail: term.mayFail)
    case .value(.string):
      return SQLTerm(
        sql: "contrail_count(\(term.sql))", shape: .value(.integer), isNullable: term.isNullable,
        mayFail: term.mayFail)
    case .list(let members):
      let count = FieldValue.integer(Int64(members.count))
      return SQLTerm(sql: "\(value: count)", shape: .value(.integer), literal: count)
    default: throw unsupported(in: expression, "SQL cannot count this")
    }
  }

  /// Whether there is none.
  func isEmpty(_ term: SQLTerm, in expression: QueryExpression) throws(QueryProblem) -> SQLTerm {
    switch term.shape {
    case .rows(let rows):
      return .truth("NOT EXISTS (SELECT 1 \(rows.source))", mayFail: term.mayFail)
    case .value(.string):
      return SQLTerm.truth(
        "\(term.sql) = ''", mayFail: term.mayFail, isNullable: term.isNullable)
    case .list(let members): return .known(members.isEmpty)
    default: throw unsupported(in: expression, "SQL cannot tell whether this is empty")
    }
  }

  /// Rows put together, or literal values.
  func aggregate(
    _ aggregate: QueryExpression.Aggregate, of term: SQLTerm, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    switch term.shape {
    case .rows(let rows):
      guard let element = rows.element.first else { break }
      var result = try aggregate.sql(of: element, in: expression)
      result.sql = "(SELECT \(result.sql) \(rows.source))"
      result.mayFail = result.mayFail || term.mayFail
      return result
    case .list(let members):
      guard let value = aggregate.apply(to: members) else { break }
      if value == .null {
        return SQLTerm(sql: "NULL", shape: .null, isNullable: true, literal: .null)
      }
      return SQLTerm(sql: "\(value: value)", shape: .value(value.kind), literal: value)
    default: break
    }
    throw unsupported(in: expression, "SQL cannot put this together")
  }
}

extension QueryExpression.Aggregate {
  /// The aggregate of a term over the rows of a query.
  ///
  /// Null is left out, and so is NaN by minimum and maximum, since it is neither less nor greater
  /// than anything.
  func sql(of element: SQLTerm, in expression: QueryExpression) throws(QueryProblem) -> SQLTerm {
    guard let kind = element.kind else {
      throw mismatch(in: expression, "only values are put together")
    }
    let isExtreme = self == .minimum || self == .maximum
    guard isExtreme || kind == .integer || kind == .double || kind == .decimal else {
      throw mismatch(in: expression, "only numbers are added up")
    }
    let x = element.sql
    var result = SQLTerm(
      sql: x, shape: element.shape, isNullable: true, mayFail: element.mayFail,
      isNormalized: element.isNormalized)
    let name: SQL = "\(word: Self.names[self] ?? "sum")"
    switch (kind, self) {
    case (.decimal, _):
      result.sql = "contrail_decimal_\(word: rawValue)(group_concat(\(x), ' '))"
    case (.double, .minimum), (.double, .maximum), (.date, _):
      result.sql = "\(name)(CASE WHEN typeof(\(x)) <> 'blob' THEN \(x) END)"
    case (_, .minimum), (_, .maximum):
      result.sql = "\(name)(\(x)\(SQLTerm.collation(element, element)))"
    case (.double, _):
      result.sql = """
        CASE WHEN max(typeof(\(x)) = 'blob') THEN x'4E614E' \
        ELSE \(self == .sum ? "total" : "avg")(\(x)) END
        """
    case (_, .sum):
      result.sql = "ifnull(sum(\(x)), 0)"
      // SQLite raises an error where whole numbers become too large.
      result.mayFail = true
    case (_, .average):
      result.sql = "avg(\(x))"
      result.shape = .value(.double)
    }
    if self == .sum { result.isNullable = false }
    return result
  }

  private static let names: [QueryExpression.Aggregate: String] = [
    .minimum: "min", .maximum: "max", .sum: "sum", .average: "avg",
  ]
}
