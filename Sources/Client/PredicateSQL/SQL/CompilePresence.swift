import DataModel

// Whether what may be nil is there.

extension SQLTerm {
  /// The same as something that is there.
  var there: SQLTerm {
    var term = self
    term.isNullable = false
    return term
  }
}

extension SQLCompiler {
  /// Whether there is something that a term stands for, as a condition that is never null.
  mutating func presence(of term: SQLTerm) -> SQL {
    guard case .composite(let object, let path) = term.shape else {
      return "\(term.sql) IS NOT NULL"
    }
    let columns = Self.columns(of: path, object.entity)
    if let alias = object.alias { return Self.isAnyPresent(columns, alias) }
    let alias = nextAlias()
    return """
      EXISTS (SELECT 1 FROM \(name: object.entity.table) AS \(alias) \
      WHERE (\(alias)."_id" = \(object.key) AND \(Self.isAnyPresent(columns, alias))))
      """
  }

  private static func isAnyPresent(_ columns: [SQLColumn], _ alias: SQL) -> SQL {
    SQL.joined(columns.map { "\(alias).\(name: $0.name) IS NOT NULL" }, by: "OR")
  }

  /// The columns of all members of a composite attribute, the members of inner ones included; none for a
  /// path that leads to no composite.
  static func columns(of path: String, _ entity: SQLEntity) -> [SQLColumn] {
    let found = entity.attributes.filter {
      $0.key.hasPrefix("\(path).") && $0.value.type != .composite
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether a term is nil, or is not.
  mutating func nilCheck(
    _ term: SQLTerm, _ comparison: QueryExpression.Comparison
  ) -> SQLTerm {
    let isEqual = comparison == .equal
    switch term.shape {
    case .rows where term.isNullable, .value, .opaque, .object:
      return .truth(
        isEqual ? "\(term.sql) IS NULL" : "\(term.sql) IS NOT NULL", mayFail: term.mayFail)
    case .composite:
      let isPresent = presence(of: term)
      return .truth(isEqual ? "NOT (\(isPresent))" : isPresent, mayFail: term.mayFail)
    case .rows, .list: return .known(!isEqual)
    case .null: return .known(isEqual)
    }
  }

  /// What may not be nil: the statement fails where it is.
  mutating func unwrap(
    _ term: SQLTerm, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    guard term.isNullable else { return term }
    var unwrapped = term
    unwrapped.isNullable = false
    unwrapped.mayFail = true
    unwrapped.literal = nil
    unwrapped.sql = "ifnull(\(term.sql), \(SQL.failure))"
    switch term.shape {
    case .value, .opaque: break
    case .rows: return term.there
    case .object(let object):
      unwrapped.shape = .object(SQLObject(entity: object.entity, key: unwrapped.sql))
    case .composite(let object, let path):
      let key: SQL = "CASE WHEN \(presence(of: term)) THEN \(object.key) ELSE \(SQL.failure) END"
      unwrapped.sql = term.sql
      unwrapped.shape = .composite(SQLObject(entity: object.entity, key: key), path: path)
    default: throw unsupported(in: expression, "SQL cannot unwrap this")
    }
    return unwrapped
  }
}
