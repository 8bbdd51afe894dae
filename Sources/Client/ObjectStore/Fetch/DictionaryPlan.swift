import DataModel
import PredicateSQL

/// A request for dictionaries in SQL: an inner query computes the columns, and an outer one, which
/// knows them by name, selects and sorts dictionaries.
struct DictionaryPlan {
  /// The statement.
  var sql: SQLFragment
  /// The columns of its rows.
  var columns: [Column]

  /// What a column of the result holds.
  struct Column {
    var name: String
    var shape: SQLResult.Shape
    /// Where the number of an object's entity is; nil where all are of one.
    var entityColumn: Int32?
  }

  init(_ request: DictionaryRequest, _ layout: StoreLayout, _ model: SQLModel) throws(StoreError) {
    var builder = try DictionaryBuilder(request, layout, model)
    do throws(QueryProblem) {
      self = try builder.plan()
    } catch {
      throw StoreError(error, request.entity)
    }
  }

  fileprivate init(sql: SQLFragment, columns: [Column]) {
    self.sql = sql
    self.columns = columns
  }
}

/// Puts a plan together.
private struct DictionaryBuilder {
  private let request: DictionaryRequest
  private let layout: StoreLayout
  private let model: SQLModel
  private let entity: EntityLayout
  private let query: StoredQuery
  private let columns: [DictionaryRequest.Column]
  private var selected: [SQLFragment] = []
  private var results: [(name: String, result: SQLResult)] = []
  private var columnsFound: [DictionaryPlan.Column] = []

  /// The entity that stands for the inner query's rows.
  private static let rows = "dictionary"

  init(_ request: DictionaryRequest, _ layout: StoreLayout, _ model: SQLModel) throws(StoreError) {
    self.request = request
    self.model = model
    self.layout = layout
    var fetch = FetchRequest(request.entity, where: request.filter)
    fetch.includesSubentities = request.includesSubentities
    fetch.limit = request.limit
    fetch.offset = request.offset
    let plan = try FetchPlan(fetch, layout, model)
    if let problem = plan.problems.first { throw StoreError(problem, request.entity) }
    var query = plan.query
    query.order = nil
    self.query = query
    entity = query.layout
    columns = request.columns.isEmpty ? Self.all(query.layout) : request.columns
    try check()
  }

  /// All attributes and to-one relationships that have a column.
  private static func all(_ entity: EntityLayout) -> [DictionaryRequest.Column] {
    entity.columnSlots.map { entity.slots[$0] }.filter {
      $0.attribute != nil || $0.relationship != nil
    }.map { .property($0.name) }
  }

  private func check() throws(StoreError) {
    var names: Set<String> = []
    for column in columns {
      if column.name.isEmpty || !names.insert(column.name).inserted {
        throw StoreError(
          .invalidFetch, request.entity,
          column.name.isEmpty ? "a column has no name" : "two columns are named \(column.name)",
          fix: "give each a name of its own")
      }
      if column.expression == nil && column.function != .count {
        throw StoreError(
          .invalidFetch, "\(request.entity).\(column.name)", "the column has no value",
          fix: "give it an expression")
      }
      guard isGrouped, column.function == nil, let value = column.expression,
        !request.groupBy.contains(value)
      else { continue }
      throw StoreError(
        .invalidFetch, "\(request.entity).\(column.name)",
        "has as many values as the group has objects",
        fix: "group by it too, or choose an aggregate of it")
    }
    if request.having != nil && !isGrouped {
      throw StoreError(
        .invalidFetch, request.entity, "having is asked of groups, and there are none",
        fix: "use the filter, or group")
    }
  }

  private var isGrouped: Bool {
    !request.groupBy.isEmpty || columns.contains { $0.function != nil }
  }

  mutating func plan() throws(QueryProblem) -> DictionaryPlan {
    let sql = try SQLQuery(model, entity: entity.name)
    for column in columns {
      let result = try value(column, sql)
      columnsFound.append(.init(name: column.name, shape: result.shape, entityColumn: nil))
      add(column.name, result)
    }
    let visible = results.count
    // Objects of a hierarchy are named by their own entity, which stands beside them.
    for (index, column) in columnsFound.enumerated() {
      guard case .object(let name) = column.shape, let target = layout.entity(name),
        target.sharesTable
      else { continue }
      let key = results[index].result.fragment
      columnsFound[index].entityColumn = Int32(results.count)
      let number = """
        (SELECT e._entity FROM \(quoted(target.table)) AS e WHERE e._id = \(key.sql))
        """
      add(
        "",
        SQLResult(SQLFragment(number, key.values), .value(.integer), isNullable: true))
    }
    var groups: [SQLFragment] = []
    for group in request.groupBy {
      let result = try sql.result(group)
      groups.append(
        SQLFragment(result.fragment.sql + result.collation, result.fragment.values))
    }
    let shown = results.count
    var sorts: [QuerySort] = []
    for sort in request.sort { sorts.append(try outer(sort, sql, visible)) }
    return try statement(groups, sorts, shown)
  }

  private func value(
    _ column: DictionaryRequest.Column, _ sql: SQLQuery
  ) throws(QueryProblem) -> SQLResult {
    guard let function = column.function else {
      return try sql.result(column.expression ?? .literal(.null))
    }
    if let aggregate = QueryExpression.Aggregate(rawValue: function.rawValue) {
      return try sql.aggregate(aggregate, of: column.expression ?? .literal(.null))
    }
    var count = SQLFragment("count(*)")
    if let expression = column.expression {
      let result = try sql.result(expression).fragment
      count = SQLFragment("count(\(result.sql))", result.values)
    }
    return SQLResult(count, .value(.integer))
  }

  private mutating func add(_ name: String, _ result: SQLResult) {
    // Where dictionaries are compared, texts are equal as in Swift.
    let collation = request.isDistinct ? result.collation : ""
    selected.append(
      SQLFragment(
        "\(result.fragment.sql)\(collation) AS r\(results.count)", result.fragment.values))
    results.append((name, result))
  }

  /// A sort of dictionaries: by the name of a column, or by a value of the object that is put beside.
  private mutating func outer(
    _ sort: QuerySort, _ sql: SQLQuery, _ visible: Int
  ) throws(QueryProblem) -> QuerySort {
    let names = Set(results.prefix(visible).map(\.name))
    if sort.expression.paths.allSatisfy(names.contains) { return sort }
    if let place = columns.firstIndex(where: {
      $0.function == nil && $0.expression == sort.expression
    }) {
      return QuerySort(
        .property(columns[place].name), isAscending: sort.isAscending, texts: sort.texts)
    }
    let isGroup = request.groupBy.contains(sort.expression)
    guard !request.isDistinct, !isGrouped || isGroup else {
      throw QueryProblem(
        .unknownProperty, in: "\(sort.expression)",
        "dictionaries are sorted by their columns, and none is so called; columns: "
          + names.sorted().joined(separator: ", "))
    }
    let hidden = "sort \(results.count)"
    add(hidden, try sql.result(sort.expression))
    return QuerySort(
      .member(.object, hidden), isAscending: sort.isAscending, texts: sort.texts)
  }

  private func statement(
    _ groups: [SQLFragment], _ sorts: [QuerySort], _ shown: Int
  ) throws(QueryProblem) -> DictionaryPlan {
    let tail = query.tail(layout)
    var inner = SQLFragment(
      "SELECT \(request.isDistinct ? "DISTINCT " : "")"
        + selected.map(\.sql).joined(separator: ", ") + tail.sql,
      selected.flatMap(\.values) + tail.values)
    if !groups.isEmpty {
      inner.sql += " GROUP BY " + groups.map(\.sql).joined(separator: ", ")
      inner.values += groups.flatMap(\.values)
    }
    let rows = try SQLQuery(modelOfRows, entity: Self.rows)
    let list = (0..<shown).map { "t0.r\($0)" }.joined(separator: ", ")
    var sql = SQLFragment("SELECT \(list) FROM (\(inner.sql)) AS t0", inner.values)
    if let having = request.having {
      let condition = try rows.condition(having)
      sql.sql += " WHERE \(condition.sql)"
      sql.values += condition.values
    }
    let order = try rows.order(sorts)
    if !order.sql.isEmpty {
      sql.sql += " ORDER BY \(order.sql)"
      sql.values += order.values
    }
    if request.limit != nil || request.offset > 0 {
      sql.sql += " LIMIT ? OFFSET ?"
      sql.values += [
        .integer(request.limit.map(Int64.init) ?? -1), .integer(Int64(request.offset)),
      ]
    }
    return DictionaryPlan(sql: sql, columns: columnsFound)
  }

  /// The model with the inner query's rows as one entity more.
  private var modelOfRows: SQLModel {
    var rows = SQLEntity(name: Self.rows, table: "")
    for (index, (name, result)) in results.enumerated() where !name.isEmpty {
      switch result.shape {
      case .value(let kind):
        rows.attributes[name] = SQLColumn(
          "r\(index)", type: Self.types[kind] ?? .transformable, isOptional: result.isNullable,
          isNormalized: result.collation.isEmpty)
      case .object(let entity):
        rows.relationships[name] = SQLRelationship(
          destination: entity, isToMany: false, place: .column("r\(index)"))
      case .null, .opaque:
        rows.attributes[name] = SQLColumn("r\(index)", type: .transformable, isOptional: true)
      }
    }
    var model = model
    model.entities[Self.rows] = rows
    return model
  }

  /// A type whose values are of a kind.
  private static let types: [FieldValue.Kind: Schema.AttributeType] = [
    .boolean: .boolean, .integer: .integer64, .double: .double, .decimal: .decimal,
    .string: .string, .date: .date, .data: .binaryData, .uuid: .uuid, .uri: .uri,
    .objectID: .objectID,
  ]
}

extension QueryExpression {
  /// The paths from the object that the expression mentions, "pilot.name".
  fileprivate var paths: [String] {
    if let path { return [path] }
    return children.flatMap(\.paths)
  }

  private var path: String? {
    switch self {
    case .member(.variable(0), let name): name
    case .member(let base, let name): base.path.map { "\($0).\(name)" }
    default: nil
    }
  }
}
