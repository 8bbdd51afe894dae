import DataModel

/// SQL for queries over the objects of one entity, whose rows have the alias `t0`.
///
/// What it makes means in SQLite what the expression means in Swift. Where Swift would fail (nil is
/// unwrapped, a whole number is divided by zero or becomes too large) the statement fails with
/// SQLite's error "integer overflow"; `QueryProblem.isEvaluationFailure` knows it. Whole numbers are
/// reckoned with 64 bits. A range whose bounds are in the wrong order contains nothing.
public struct SQLQuery: Sendable {
  /// The alias of the entity's rows.
  public static let alias = "t0"

  /// Where the objects are.
  public let model: SQLModel
  /// The entity whose objects are asked for.
  public let entity: SQLEntity

  /// Queries over the objects of the entity with that name.
  public init(_ model: SQLModel, entity name: String) throws(QueryProblem) {
    guard let entity = model.entities[name] else {
      throw QueryProblem(.unknownEntity, in: name, "the store has no such entity")
    }
    self.model = model
    self.entity = entity
  }

  /// The table with its alias, `"Table" AS t0`.
  public var table: SQLFragment {
    let sql: SQL = "\(name: entity.table) AS t0"
    return sql.fragment
  }

  /// What selects the entity's own rows in a table that several share; nil where it has its own.
  public var hierarchy: SQLFragment? { SQLCompiler.hierarchy(entity, "t0")?.fragment }

  /// The condition that an object fulfils where `expression` is true of it; it selects the entity's
  /// own rows too.
  ///
  /// Null stands for false.
  public func condition(_ expression: QueryExpression) throws(QueryProblem) -> SQLFragment {
    try expression.checkDepth()
    var compiler = SQLCompiler(model: model, entity: entity)
    let term = try compiler.condition(expression)
    guard let own = SQLCompiler.hierarchy(entity, "t0") else { return term.sql.fragment }
    // Rows of other entities have nulls where this one has values.
    let condition = term.mayFail ? SQL.guarded([own], term.sql) : term.sql
    return SQL.joined([own, condition], by: "AND").fragment
  }

  /// The expression's value; truth is exactly 0 or 1, an object is its key.
  public func value(_ expression: QueryExpression) throws(QueryProblem) -> SQLFragment {
    try expression.checkDepth()
    var compiler = SQLCompiler(model: model, entity: entity)
    let term = try compiler.term(expression)
    switch term.shape {
    case .value, .null, .opaque, .object: return term.sql.fragment
    case .composite, .rows, .list:
      throw unsupported(in: expression, "a row of results holds single values only")
    }
  }

  /// The conjuncts of `expression` that SQL can ask, and those that have to be asked in memory of the
  /// objects found.
  public func split(_ expression: QueryExpression) -> SQLSplit {
    var pushed: [QueryExpression] = []
    var split = SQLSplit()
    for part in expression.conjuncts {
      do throws(QueryProblem) {
        // What was left out may be what keeps this part from failing.
        if !split.remainder.isEmpty && part.mayFail {
          throw unsupported(in: part, "the condition may fail, and one before it is asked later")
        }
        _ = try condition(part)
        pushed.append(part)
      } catch {
        split.remainder.append(part)
        split.problems.append(error)
      }
    }
    guard !pushed.isEmpty else { return split }
    do throws(QueryProblem) {
      split.condition = try condition(.all(of: pushed))
    } catch {
      split.remainder = expression.conjuncts
      split.problems.append(error)
    }
    return split
  }

  /// `t0."name" ASC, …`: the order of rows.
  public func order(_ sorts: [QuerySort]) throws(QueryProblem) -> SQLFragment {
    var parts: [SQL] = []
    for sort in sorts {
      try sort.expression.checkDepth()
      var compiler = SQLCompiler(model: model, entity: entity)
      let term = try compiler.term(sort.expression)
      let direction: SQL = sort.isAscending ? "ASC" : "DESC"
      switch term.shape {
      case .value(.string) where sort.texts == .dictionary:
        parts.append("\(term.sql) COLLATE contrail_localized \(direction)")
      case .value(.string) where sort.texts == .standard:
        parts.append("\(term.sql) COLLATE contrail_standard \(direction)")
      case .value:
        parts.append("\(term.sql)\(SQLTerm.collation(term, term)) \(direction)")
      case .object: parts.append("\(term.sql) \(direction)")
      case .null: break
      case .opaque, .composite, .rows, .list:
        throw unsupported(in: sort.expression, "such values have no order")
      }
    }
    return SQL.list(parts).fragment
  }
}

/// What of a condition SQL can ask, and what it cannot.
public struct SQLSplit: Hashable, Sendable {
  /// The part that SQL can ask; nil for none.
  public var condition: SQLFragment?
  /// The conjuncts that are to be evaluated in memory.
  public var remainder: [QueryExpression] = []
  /// Why they are.
  public var problems: [QueryProblem] = []
}

extension QueryProblem {
  /// Whether SQLite's message is that of a query whose evaluation failed where Swift's would.
  public static func isEvaluationFailure(message: String) -> Bool { message == "integer overflow" }
}
