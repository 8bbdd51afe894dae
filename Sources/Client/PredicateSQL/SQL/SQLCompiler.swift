import DataModel

/// Turns an expression into SQL, with the aliases and variables of one statement.
struct SQLCompiler {
  /// How long the text of a query may become.
  static let textBytesMax = 200_000
  /// How many values a statement may take: SQLite's own limit, with some left for others.
  static let parametersMax = 32_000
  /// How many literal values are written out one by one where a condition is asked of each.
  static let expandedMembersMax = 200

  let model: SQLModel
  private var variables: [Int: SQLTerm] = [:]
  private var aliases = 0

  /// Starts a statement whose rows, of `entity`, have the alias t0.
  init(model: SQLModel, entity: SQLEntity) {
    self.model = model
    let alias = nextAlias()
    variables[0] = Self.row(of: entity, alias)
  }

  mutating func nextAlias() -> SQL {
    defer { aliases += 1 }
    return "t\(number: aliases)"
  }

  /// The object of a row that is at hand.
  static func row(of entity: SQLEntity, _ alias: SQL) -> SQLTerm {
    let key: SQL = "\(alias).\(name: "_id")"
    return SQLTerm(sql: key, shape: .object(SQLObject(entity: entity, key: key, alias: alias)))
  }

  func variable(_ number: Int) throws(QueryProblem) -> SQLTerm {
    if let term = variables[number] { return term }
    throw QueryProblem(.unsupportedExpression, in: "v\(number)", "the variable is not bound")
  }

  /// What `body` makes of the variable `number` standing for `term`.
  mutating func binding<Result>(
    _ number: Int, to term: SQLTerm,
    _ body: (inout SQLCompiler) throws(QueryProblem) -> Result
  ) throws(QueryProblem) -> Result {
    let before = variables[number]
    variables[number] = term
    defer { variables[number] = before }
    return try body(&self)
  }

  /// The entity of that name.
  func entity(_ name: String) throws(QueryProblem) -> SQLEntity {
    if let entity = model.entities[name] { return entity }
    throw QueryProblem(.unknownEntity, in: name, "the store has no such entity")
  }

  /// The value of an expression.
  mutating func term(_ expression: QueryExpression) throws(QueryProblem) -> SQLTerm {
    let term = try unlimitedTerm(expression)
    guard term.sql.text.utf8.count <= Self.textBytesMax,
      term.sql.values.count <= Self.parametersMax
    else {
      throw QueryProblem(
        .tooDeep, in: String("\(expression)".prefix(200)),
        "the query becomes longer than \(Self.textBytesMax) bytes "
          + "or takes more than \(Self.parametersMax) values")
    }
    return term
  }

  private mutating func unlimitedTerm(
    _ expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    switch expression {
    case .literal(let value): return literal(value)
    case .variable(let number): return try variable(number)
    case .member(let base, let name): return try member(of: try term(base), name, in: expression)
    case .arithmetic(let operation, let left, let right):
      return try arithmetic(operation, try term(left), try term(right), in: expression)
    case .negative(let base): return try negative(try term(base), in: expression)
    case .coalesce(let left, let right):
      return try coalesce(try term(left), try term(right), in: expression)
    case .conditional(let test, let then, let otherwise):
      return try conditional(
        try condition(test), try term(then), try term(otherwise), in: expression)
    case .flatMap(let base, let number, let body): return try flatMap(base, number, body)
    case .unwrap(let base): return try unwrap(try term(base), in: expression)
    case .asEntity(let base, let name): return try asEntity(try term(base), name, in: expression)
    case .textOrder(let left, let right, let options):
      return try textOrder(try term(left), try term(right), options, in: expression)
    case .textChange(let change, let base):
      return try textChange(change, try term(base), in: expression)
    case .filter(let base, let number, let test): return try filter(base, number, test)
    case .map(let base, let number, let body): return try map(base, number, body)
    case .count(let base): return try count(try term(base), in: expression)
    case .aggregate(let aggregate, let base):
      return try self.aggregate(aggregate, of: try term(base), in: expression)
    case .compare, .and, .or, .not, .isEntity, .text, .range, .contains, .exists, .all, .isEmpty:
      return try condition(expression, exact: true)
    }
  }

  private func literal(_ value: FieldValue) -> SQLTerm {
    switch value {
    case .null: SQLTerm(sql: "NULL", shape: .null, isNullable: true, literal: .null)
    case .boolean(let value): .known(value)
    case .list(let members): SQLTerm(sql: "NULL", shape: .list(members), literal: value)
    case .composite: SQLTerm(sql: "NULL", shape: .opaque)
    default: SQLTerm(sql: "\(value: value)", shape: .value(value.kind), literal: value)
    }
  }
}

/// A problem with terms that do not fit together.
func mismatch(in expression: QueryExpression, _ message: String) -> QueryProblem {
  QueryProblem(.mismatchedTypes, in: "\(expression)", message)
}

/// A problem with what SQL cannot say.
func unsupported(in expression: QueryExpression, _ message: String) -> QueryProblem {
  QueryProblem(.unsupportedExpression, in: "\(expression)", message)
}
