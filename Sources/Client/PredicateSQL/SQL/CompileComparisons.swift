import DataModel

extension SQLCompiler {
  /// Two terms compared.
  mutating func compare(
    _ comparison: QueryExpression.Comparison, _ left: SQLTerm, _ right: SQLTerm, _ exact: Bool,
    in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    let isEquality = comparison == .equal || comparison == .notEqual
    if let a = left.literal, let b = right.literal { return .known(a.compares(comparison, b)) }
    switch (left.shape, right.shape) {
    case (.null, _):
      return isEquality ? nilCheck(right, comparison) : .known(false)
    case (_, .null):
      return isEquality ? nilCheck(left, comparison) : .known(false)
    case (.object, _), (_, .object):
      guard isEquality else { throw mismatch(in: expression, "objects have no order") }
      let same = try sameObject(left, right, in: expression)
      return comparison == .equal ? same : negation(of: same)
    case (.value(let a), .value(let b)) where SQLTerm.areComparable(a, b):
      let term =
        isEquality ? equality(comparison, left, right) : ordered(comparison, left, right)
      return exact ? term.exact : term
    case (.value(let a), .value(let b)):
      throw mismatch(in: expression, "a value of kind \(a) is not compared with one of kind \(b)")
    default: throw unsupported(in: expression, "SQL cannot compare these")
    }
  }

  private func negation(of term: SQLTerm) -> SQLTerm {
    if case .boolean(let value)? = term.literal { return .known(!value) }
    return .truth("NOT (\(term.sql))", mayFail: term.mayFail)
  }

  private func equality(
    _ comparison: QueryExpression.Comparison, _ left: SQLTerm, _ right: SQLTerm
  ) -> SQLTerm {
    let isEqual = comparison == .equal
    let mayFail = left.mayFail || right.mayFail
    if left.literal?.isNaN == true || right.literal?.isNaN == true { return .known(!isEqual) }
    let isNullable = left.isNullable || right.isNullable
    let word: SQL =
      isNullable ? (isEqual ? "IS" : "IS NOT") : (isEqual ? "=" : "<>")
    var sql: SQL = "\(left.sql) \(word) \(right.sql)\(SQLTerm.collation(left, right))"
    // Two NaNs have the same bytes, yet are not equal; a literal is none.
    if left.isReal && right.isReal && left.literal == nil && right.literal == nil {
      sql =
        isEqual
        ? "(\(sql) AND typeof(\(left.sql)) <> 'blob')"
        : "(\(sql) OR typeof(\(left.sql)) = 'blob')"
    }
    return .truth(sql, mayFail: mayFail)
  }

  private func ordered(
    _ comparison: QueryExpression.Comparison, _ left: SQLTerm, _ right: SQLTerm
  ) -> SQLTerm {
    let isNullable = left.isNullable || right.isNullable
    let mayFail = left.mayFail || right.mayFail
    let isLeftGreater = comparison == .greater || comparison == .greaterOrEqual
    let (lesser, greater) = isLeftGreater ? (right, left) : (left, right)
    // NB: `<=` of dates is what `<` is not the other way round, which makes it true of NaN.
    let isTrueOfNaN =
      left.kind == .date && (comparison == .lessOrEqual || comparison == .greaterOrEqual)
    if left.literal?.isNaN == true || right.literal?.isNaN == true {
      if !isTrueOfNaN || !isNullable { return .known(isTrueOfNaN) }
      return .truth(
        "(\(left.sql) IS NOT NULL AND \(right.sql) IS NOT NULL)", mayFail: mayFail)
    }
    var sql: SQL =
      "\(left.sql) \(word: comparison.rawValue) \(right.sql)\(SQLTerm.collation(left, right))"
    // A NaN lies in its column as bytes, which SQLite puts above every number.
    if isTrueOfNaN {
      if lesser.literal == nil && lesser.mayBeNaN { sql = "(\(sql) OR \(lesser.sql) > 9e999)" }
    } else if greater.isReal && greater.literal == nil && greater.mayBeNaN {
      sql = "(\(sql) AND \(greater.sql) <= 9e999)"
    }
    return .truth(sql, mayFail: mayFail, isNullable: isNullable)
  }

  /// Whether two terms are the same object.
  private func sameObject(
    _ left: SQLTerm, _ right: SQLTerm, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    let mayFail = left.mayFail || right.mayFail
    switch (left.shape, right.shape) {
    case (.object(let a), .object(let b)):
      guard a.entity.table == b.entity.table else {
        // Two missing objects are the same.
        return .truth("(\(a.key) IS NULL AND \(b.key) IS NULL)", mayFail: mayFail)
      }
      let word: SQL = left.isNullable || right.isNullable ? "IS" : "="
      return .truth("\(a.key) \(word) \(b.key)", mayFail: mayFail)
    case (.object(let object), .value(.objectID)), (.value(.objectID), .object(let object)):
      guard case .objectID(let identity)? = left.literal ?? right.literal else {
        throw unsupported(in: expression, "an identity in an attribute is not compared in SQL")
      }
      guard let key = key(of: identity, as: object.entity) else { return .known(false) }
      let word: SQL = left.isNullable || right.isNullable ? "IS" : "="
      return .truth("\(object.key) \(word) \(value: .integer(key))", mayFail: mayFail)
    default: throw mismatch(in: expression, "an object is compared with an object only")
    }
  }

  /// The key of an object in the table of `entity`; nil for one that cannot be there.
  func key(of identity: ObjectIdentity, as entity: SQLEntity) -> Int64? {
    guard model.store == nil || model.store == identity.store,
      model.entities[identity.entity]?.table == entity.table
    else { return nil }
    return identity.key
  }

  /// Whether a literal list or other rows have a member that is equal to `element`.
  mutating func contains(
    _ base: SQLTerm, _ element: SQLTerm, _ exact: Bool, in expression: QueryExpression
  ) throws(QueryProblem) -> SQLTerm {
    if case .rows(var rows) = base.shape {
      guard let member = rows.element.first else { return .known(false) }
      let same = try compare(.equal, member, element, false, in: expression)
      rows.add(same)
      return .truth("EXISTS (SELECT 1 \(rows.source))", mayFail: same.mayFail || base.mayFail)
    }
    guard case .list(let members) = base.shape else {
      throw unsupported(in: expression, "SQL cannot look into the collection")
    }
    if let value = element.literal { return .known(members.contains { $0.equals(value) }) }
    let hasNil = members.contains(.null) && element.isNullable
    var values = members.filter { $0 != .null && !$0.isNaN }
    switch element.shape {
    case .value(let kind):
      guard values.allSatisfy({ SQLTerm.areComparable($0.kind, kind) }) else {
        throw mismatch(in: expression, "the list has members that are not of kind \(kind)")
      }
    case .object(let object):
      values = values.compactMap { value in
        guard case .objectID(let identity) = value else { return nil }
        return key(of: identity, as: object.entity).map { .integer($0) }
      }
    default: throw unsupported(in: expression, "SQL cannot look for this in a list")
    }
    guard let list = LongList.sql(of: values) else {
      throw unsupported(
        in: expression, "a list of more than \(LongList.boundMax) such values is too long for SQL")
    }
    // The left side's collation is the one that IN compares by.
    let among: SQL = "\(element.sql)\(SQLTerm.collation(element, element)) IN (\(list))"
    let term = SQLTerm.truth(
      hasNil ? "(\(among) OR \(element.sql) IS NULL)" : among, mayFail: element.mayFail,
      isNullable: element.isNullable)
    if values.isEmpty && !hasNil && !element.mayFail { return .known(false) }
    return exact ? term.exact : term
  }
}

extension SQLTerm {
  /// Whether SQLite compares values of these kinds as Swift does.
  static func areComparable(_ left: FieldValue.Kind, _ right: FieldValue.Kind) -> Bool {
    let numbers: Set<FieldValue.Kind> = [.integer, .double]
    return left == right || (numbers.contains(left) && numbers.contains(right))
  }

  /// What makes SQLite compare texts and decimals as Swift does.
  ///
  /// Decimals have one text for each value, so that equality needs none; this is what their order
  /// needs.
  static func collation(_ left: SQLTerm, _ right: SQLTerm) -> SQL {
    if left.kind == .decimal { return " COLLATE contrail_decimal" }
    return left.isNormalized && right.isNormalized ? "" : " COLLATE contrail_unicode"
  }
}

extension SQLRows {
  /// Keeps only the rows that the condition is true of.
  mutating func add(_ condition: SQLTerm) {
    if condition.mayFail {
      guarded.append(condition.exact.sql)
    } else if guarded.isEmpty || condition.literal != .boolean(true) {
      conditions.append(condition.sql)
    }
  }
}
