public import DataModel

/// What is computed of groups of objects: the columns of a dictionary result.
public struct SQLSummary: Hashable, Sendable {
  /// One column of the result.
  public enum Column: Hashable, Sendable {
    /// A value that all objects of a group share; it is one of `groups`.
    case value(QueryExpression)
    /// How many objects there are.
    case count
    /// How many objects have a value.
    case countOf(QueryExpression)
    /// The objects' values put together.
    case aggregate(QueryExpression.Aggregate, QueryExpression)
  }

  /// A condition on groups.
  public struct Condition: Hashable, Sendable {
    /// What is compared.
    public var column: Column
    /// How it is compared.
    public var comparison: QueryExpression.Comparison
    /// What it is compared with.
    public var value: FieldValue

    /// Compares a column of each group with a value.
    public init(
      _ column: Column, _ comparison: QueryExpression.Comparison, _ value: FieldValue
    ) {
      self.column = column
      self.comparison = comparison
      self.value = value
    }
  }

  /// The columns by name, in order.
  public var columns: [(name: String, column: Column)] {
    get { zip(names, values).map { ($0, $1) } }
    set {
      names = newValue.map(\.name)
      values = newValue.map(\.column)
    }
  }
  private var names: [String]
  private var values: [Column]
  /// What the objects of a group have in common; without any, all objects are one group.
  public var groups: [QueryExpression]
  /// What has to be true of a group.
  public var having: [Condition]

  /// Describes a dictionary result.
  public init(
    columns: [(name: String, column: Column)], groups: [QueryExpression] = [],
    having: [Condition] = []
  ) {
    names = columns.map(\.name)
    values = columns.map(\.column)
    self.groups = groups
    self.having = having
  }
}

extension SQLQuery {
  /// `SELECT … FROM … WHERE … GROUP BY … HAVING …`: one row for each group, in the order of groups.
  public func summary(
    _ summary: SQLSummary, where condition: QueryExpression? = nil
  ) throws(QueryProblem) -> SQLFragment {
    var columns: [SQL] = []
    for (name, column) in summary.columns {
      columns.append("\(try term(of: column).sql) AS \(name: name)")
    }
    guard !columns.isEmpty else {
      throw QueryProblem(.unsupportedExpression, in: entity.name, "a result has to have a column")
    }
    let filter = try self.condition(condition ?? .literal(.boolean(true)))
    let source = SQL(text: filter.sql, values: filter.values)
    var sql: SQL =
      "SELECT \(SQL.list(columns)) FROM \(name: entity.table) AS t0 WHERE \(source)"
    var groups: [SQL] = []
    for group in summary.groups {
      var compiler = SQLCompiler(model: model, entity: entity)
      let term = try compiler.term(group)
      groups.append("\(term.sql)\(SQLTerm.collation(term, term))")
    }
    if !groups.isEmpty { sql = "\(sql) GROUP BY \(SQL.list(groups))" }
    var conditions: [SQL] = []
    for having in summary.having {
      var compiler = SQLCompiler(model: model, entity: entity)
      let value = try compiler.term(.literal(having.value))
      let test = try compiler.compare(
        having.comparison, try term(of: having.column), value, true,
        in: .literal(having.value))
      conditions.append(test.sql)
    }
    if !conditions.isEmpty { sql = "\(sql) HAVING \(SQL.joined(conditions, by: "AND"))" }
    if !groups.isEmpty { sql = "\(sql) ORDER BY \(SQL.list(groups))" }
    return sql.fragment
  }

  private func term(of column: SQLSummary.Column) throws(QueryProblem) -> SQLTerm {
    var compiler = SQLCompiler(model: model, entity: entity)
    switch column {
    case .count: return SQLTerm(sql: "count(*)", shape: .value(.integer))
    case .countOf(let expression):
      return SQLTerm(
        sql: "count(\(try compiler.term(expression).sql))", shape: .value(.integer))
    case .value(let expression): return try compiler.term(expression)
    case .aggregate(let aggregate, let expression):
      return try aggregate.sql(of: try compiler.term(expression), in: expression)
    }
  }
}
