import DataModel
import RecordWire

/// A query that the schema allows.
struct CheckedQuery: Sendable {
  let type: ResolvedType
  let filters: [CheckedFilter]
  let order: QueryOrder
  /// For each part that needs an index, those of which one will do.
  let needs: [IndexNeed]

  init(_ query: RecordQuery, _ schema: ResolvedSchema) throws(RequestFailure) {
    guard let type = schema.type(query.recordType) else { throw .unknownType(query.recordType) }
    guard query.sorts.count <= QueryLimits.sortsMax else { throw .tooManySorts }
    self.type = type
    var filters: [CheckedFilter] = []
    for filter in query.filters { filters.append(try CheckedFilter(filter, type)) }
    self.filters = filters
    var needs = filters.map { IndexNeed(field: $0.field, indexes: $0.indexes) }
    if filters.isEmpty { needs.append(try Self.needOfAll(type)) }
    for sort in query.sorts { needs.append(try Self.need(of: sort, type)) }
    self.needs = needs
    order = try Self.order(query.sorts, filters, type)
  }

  /// What a query for every record of a type needs.
  private static func needOfAll(_ type: ResolvedType) throws(RequestFailure) -> IndexNeed {
    let name = SystemField.recordName
    guard try type.field(.system(name)).indexes.contains(.queryable) else {
      throw .notMarked(name.rawValue, .queryable)
    }
    return IndexNeed(
      field: name.schemaName,
      indexes: [IndexKey(type: type.name, field: name.schemaName, index: .queryable)])
  }

  private static func need(
    of sort: QuerySort, _ type: ResolvedType
  ) throws(RequestFailure) -> IndexNeed {
    let field = try type.field(sort.field)
    let name = sort.field.shownInRefusals
    let isPlace = field.shape.type == .location
    guard !field.shape.isList, !field.shape.isEncrypted,
      isPlace || ComparatorRule.ordered.contains(field.shape.type)
    else { throw .notSortable(name, field.shape) }
    guard field.indexes.contains(.sortable) else { throw .notMarked(name, .sortable) }
    if isPlace && sort.relativeLocation == nil { throw .noPlace(name) }
    let key = IndexKey(type: type.name, field: sort.field.schemaName, index: .sortable)
    return IndexNeed(field: sort.field.schemaName, indexes: [key], isSorted: true)
  }

  private static func order(
    _ sorts: [QuerySort], _ filters: [CheckedFilter], _ type: ResolvedType
  ) throws(RequestFailure) -> QueryOrder {
    if sorts.isEmpty { return order(without: filters) }
    var keys: [QueryOrder.Key] = []
    for sort in sorts {
      // No two records of a zone have the same name: nothing is left to sort by.
      if sort.field == .system(.recordName) {
        return QueryOrder(keys: keys, isAscending: sort.isAscending)
      }
      let shape = try type.field(sort.field).shape
      keys.append(
        QueryOrder.Key(
          field: sort.field.schemaName, type: shape.settledType, isAscending: sort.isAscending,
          centre: shape.type == .location ? sort.relativeLocation.map(EarthPlace.init) : nil))
    }
    return QueryOrder(keys: keys, isAscending: keys.last?.isAscending ?? true)
  }

  /// The order of a query that asks for none: the one in which an index gives what it asks for.
  private static func order(without filters: [CheckedFilter]) -> QueryOrder {
    let byValue = filters.first { $0.rule.readsRange && $0.field != IndexNeed.nameField }
    guard let byValue, !filters.contains(where: { $0.rule.readsValues }) else {
      return QueryOrder(keys: [], isAscending: true)
    }
    let key = QueryOrder.Key(
      field: byValue.field, type: byValue.type, isAscending: true, centre: nil)
    return QueryOrder(keys: [key], isAscending: true)
  }
}

extension ComparatorRule {
  /// Whether it is served by a range of the values of a field.
  fileprivate var readsRange: Bool {
    switch test {
    case .before, .notAfter, .after, .notBefore, .begins: !isNegated
    default: false
    }
  }

  /// Whether it is served by single values, each of which an index has in the order of names.
  fileprivate var readsValues: Bool {
    switch test {
    case .equals, .isIn, .hasAny, .hasAll, .allWords, .anyWord: !isNegated
    default: false
    }
  }
}

/// A part of a query and the indexes of which it needs one.
struct IndexNeed: Sendable {
  static let nameField = SystemField.recordName.schemaName

  let field: String
  let indexes: [IndexKey]
  /// Whether records without a value are wanted as well.
  var isSorted = false

  /// Whether one of the indexes is ready.
  func isMet(_ pending: [PendingIndex]) -> Bool {
    indexes.contains { key in
      !pending.contains { $0.key == key && (isSorted || !$0.hasValues) }
    }
  }
}
