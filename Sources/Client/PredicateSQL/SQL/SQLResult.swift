public import DataModel

/// A value that a statement computes, and how to read what comes out.
public struct SQLResult: Hashable, Sendable {
  /// What a value in the result is.
  public enum Shape: Hashable, Sendable {
    /// A value of one kind, stored as in a column.
    case value(FieldValue.Kind)
    /// The key of an object of the entity of that name, or of a descendant.
    case object(String)
    /// Nil.
    case null
    /// A value of which only is known that it is stored as it is.
    case opaque
  }

  /// The SQL, with the entity's rows as `t0`.
  public var fragment: SQLFragment
  /// What the value is.
  public var shape: Shape
  /// Whether the value may be null.
  public var isNullable: Bool
  /// Whether computing it may raise an error, as the division by a zero does.
  public var mayFail: Bool
  /// What follows the SQL where values are compared or grouped: ` COLLATE …`, or nothing.
  public var collation: String

  /// Describes a value.
  public init(
    _ fragment: SQLFragment, _ shape: Shape, isNullable: Bool = false, mayFail: Bool = false,
    collation: String = ""
  ) {
    self.fragment = fragment
    self.shape = shape
    self.isNullable = isNullable
    self.mayFail = mayFail
    self.collation = collation
  }
}

extension SQLQuery {
  /// The value of an expression, and what it is.
  public func result(_ expression: QueryExpression) throws(QueryProblem) -> SQLResult {
    let term = try term(expression)
    return try result(term, of: expression)
  }

  /// The values of an expression over the rows of a group, put together; nil is left out.
  public func aggregate(
    _ aggregate: QueryExpression.Aggregate, of expression: QueryExpression
  ) throws(QueryProblem) -> SQLResult {
    let element = try term(expression)
    return try result(try aggregate.sql(of: element, in: expression), of: expression)
  }

  private func term(_ expression: QueryExpression) throws(QueryProblem) -> SQLTerm {
    try expression.checkDepth()
    var compiler = SQLCompiler(model: model, entity: entity)
    return try compiler.term(expression)
  }

  private func result(
    _ term: SQLTerm, of expression: QueryExpression
  ) throws(QueryProblem) -> SQLResult {
    let shape: SQLResult.Shape
    switch term.shape {
    case .value(let kind): shape = .value(kind)
    case .object(let object): shape = .object(object.entity.name)
    case .null: shape = .null
    case .opaque: shape = .opaque
    case .composite, .rows, .list:
      throw unsupported(in: expression, "a row of results holds single values only")
    }
    return SQLResult(
      term.sql.fragment, shape, isNullable: term.isNullable, mayFail: term.mayFail,
      collation: term.kind == nil ? "" : SQLTerm.collation(term, term).text)
  }
}
