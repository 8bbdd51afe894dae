import DataModel

extension SQLCompiler {
  /// A property of an object.
  mutating func member(
    of base: SQLTerm, _ name: String, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    let object: SQLObject
    let path: String
    switch base.shape {
    case .object(let found): (object, path) = (found, name)
    case .composite(let found, let prefix): (object, path) = (found, "\(prefix).\(name)")
    default: throw mismatch(in: expression, "only objects have properties")
    }
    let entity = object.entity
    if let column = entity.attributes[path], column.type != .composite {
      return attribute(column, of: object, base)
    }
    if let relationship = entity.relationships[path] {
      return try related(relationship, of: object, base, in: expression)
    }
    let members = Self.columns(of: path, entity)
    if !members.isEmpty {
      return SQLTerm(
        sql: "NULL", shape: .composite(object, path: path),
        isNullable: base.isNullable || members.allSatisfy(\.isOptional), mayFail: base.mayFail)
    }
    throw QueryProblem(
      .unknownProperty, in: "\(expression)", "\(entity.name) has no stored property \(path)")
  }

  private mutating func attribute(
    _ column: SQLColumn, of object: SQLObject, _ base: SQLTerm
  ) -> SQLTerm {
    let kind = column.isExternal ? nil : column.type.valueKind
    return SQLTerm(
      sql: read(column.name, of: object), shape: kind.map { .value($0) } ?? .opaque,
      isNullable: column.isOptional || object.alias == nil, mayFail: base.mayFail,
      isNormalized: kind == .string ? column.isNormalized : true, mayBeNaN: column.mayBeNaN)
  }

  /// A column of an object's row: null where there is no object.
  private mutating func read(_ column: String, of object: SQLObject) -> SQL {
    if let alias = object.alias { return "\(alias).\(name: column)" }
    let alias = nextAlias()
    return """
      (SELECT \(alias).\(name: column) FROM \(name: object.entity.table) AS \(alias) \
      WHERE \(alias)."_id" = \(object.key))
      """
  }

  private mutating func related(
    _ relationship: SQLRelationship, of object: SQLObject, _ base: SQLTerm,
    in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    let destination = try entity(relationship.destination)
    if relationship.isToMany {
      let rows = try self.rows(relationship, destination, of: object, in: expression)
      // A collection is there where its owner is.
      return SQLTerm(
        sql: object.key, shape: .rows(rows), isNullable: base.isNullable, mayFail: base.mayFail)
    }
    let key: SQL
    switch relationship.place {
    case .column(let column): key = read(column, of: object)
    case .farColumn(let column, order: _):
      let alias = nextAlias()
      key = """
        (SELECT \(alias)."_id" FROM \(name: destination.table) AS \(alias) \
        WHERE \(alias).\(name: column) = \(object.key) LIMIT 1)
        """
    case .table(let table, let near, let far, order: _):
      let alias = nextAlias()
      key = """
        (SELECT \(alias).\(name: far) FROM \(name: table) AS \(alias) \
        WHERE \(alias).\(name: near) = \(object.key) LIMIT 1)
        """
    }
    return SQLTerm(
      sql: key, shape: .object(SQLObject(entity: destination, key: key)), isNullable: true,
      mayFail: base.mayFail)
  }

  private mutating func rows(
    _ relationship: SQLRelationship, _ destination: SQLEntity, of object: SQLObject,
    in expression: QueryExpression
  ) throws(QueryProblem) -> SQLRows {
    let alias = nextAlias()
    var rows = SQLRows(
      tables: ["\(name: destination.table) AS \(alias)"], conditions: [],
      element: [Self.row(of: destination, alias)])
    switch relationship.place {
    case .column: throw unsupported(in: expression, "a column holds one object only")
    case .farColumn(let column, order: _):
      rows.conditions.append("\(alias).\(name: column) = \(object.key)")
    case .table(let table, let near, let far, order: _):
      let pairs = nextAlias()
      rows.tables.insert("\(name: table) AS \(pairs)", at: 0)
      rows.conditions.append("\(pairs).\(name: near) = \(object.key)")
      rows.conditions.append("\(alias).\"_id\" = \(pairs).\(name: far)")
    }
    if let filter = Self.hierarchy(destination, alias) { rows.conditions.append(filter) }
    return rows
  }

  /// What selects an entity's rows in a table that several share.
  static func hierarchy(_ entity: SQLEntity, _ alias: SQL) -> SQL? {
    guard let numbers = entity.numbers else { return nil }
    return "\(alias).\"_entity\" IN (\(SQL.list(numbers.map { "\(number: $0)" })))"
  }

  /// Whether an object is of an entity or its descendants.
  mutating func isEntity(
    _ base: SQLTerm, _ name: String, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    guard case .object(let object) = base.shape else {
      throw mismatch(in: expression, "only objects are of an entity")
    }
    let wanted = try entity(name)
    guard wanted.table == object.entity.table else { return .known(false) }
    guard wanted.numbers != nil else {
      return object.alias == nil
        ? .truth("\(object.key) IS NOT NULL", mayFail: base.mayFail) : .known(true)
    }
    if let alias = object.alias, let filter = Self.hierarchy(wanted, alias) {
      return .truth(filter)
    }
    let alias = nextAlias()
    let filter = Self.hierarchy(wanted, alias) ?? "1"
    return .truth(
      """
      EXISTS (SELECT 1 FROM \(name: wanted.table) AS \(alias) \
      WHERE \(alias)."_id" = \(object.key) AND \(filter))
      """, mayFail: base.mayFail)
  }

  /// The object, or nil where it is not of an entity or its descendants.
  mutating func asEntity(
    _ base: SQLTerm, _ name: String, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    let check = try isEntity(base, name, in: expression)
    guard case .object(let object) = base.shape else { return base }
    let wanted = try entity(name)
    if check.literal == .boolean(true) {
      return SQLTerm(
        sql: object.key,
        shape: .object(SQLObject(entity: wanted, key: object.key, alias: object.alias)))
    }
    let key: SQL = "CASE WHEN \(check.sql) THEN \(object.key) END"
    return SQLTerm(
      sql: "(\(key))", shape: .object(SQLObject(entity: wanted, key: "(\(key))")),
      isNullable: true, mayFail: base.mayFail)
  }
}
