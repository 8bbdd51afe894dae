public import DataModel
import PredicateSQL
import SQLiteDriver

/// Which objects to read, in SQL's terms; the table's alias is `t0`.
struct StoredQuery {
  var layout: EntityLayout
  var includesSubentities = true
  var filter: SQLFragment?
  var order: SQLFragment?
  var limit: Int?
  var offset: Int?

  /// Whether an object with such a layout may be meant.
  func covers(_ other: EntityLayout) -> Bool {
    includesSubentities ? layout.family.contains(other.index) : other.index == layout.index
  }

  /// The numbers that `_entity` may have; nil where any will do.
  private func numbers(_ all: StoreLayout) -> [Int]? {
    guard layout.sharesTable else { return nil }
    if !includesSubentities { return [layout.number] }
    return layout.root == layout.index ? nil : layout.family.map { all.entities[$0].number }
  }

  /// ` WHERE …`, or nothing.
  func condition(_ all: StoreLayout) -> SQLFragment {
    var values: [FieldValue] = []
    var terms: [String] = []
    if let numbers = numbers(all) {
      terms.append("t0._entity IN (\(numbers.map(String.init).joined(separator: ", ")))")
    }
    if let filter {
      terms.append("(\(filter.sql))")
      values += filter.values
    }
    return SQLFragment(terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "), values)
  }

  /// What follows `SELECT …`.
  func tail(_ all: StoreLayout) -> SQLFragment {
    let condition = condition(all)
    var sql = " FROM \(quoted(layout.table)) AS t0" + condition.sql
    var values = condition.values
    if let order, !order.sql.isEmpty {
      sql += " ORDER BY \(order.sql)"
      values += order.values
    }
    if limit != nil || offset != nil {
      sql += " LIMIT ?"
      values.append(.integer(limit.map(Int64.init) ?? -1))
      if let offset {
        sql += " OFFSET ?"
        values.append(.integer(Int64(offset)))
      }
    }
    return SQLFragment(sql, values)
  }
}

extension Statement {
  /// Binds the values of a fragment, from the first parameter on.
  func bind(_ values: [FieldValue]) {
    for (index, value) in values.enumerated() { bind(Int32(index + 1), value: value) }
  }
}

extension ModelContext {
  /// The objects that the store has for `query`, in its order; those in memory are as they are.
  func fetchStored(_ query: StoredQuery, properties: [String] = []) throws -> [ManagedObject] {
    if !properties.isEmpty { return try fetchPartly(query, properties) }
    var objects: [ManagedObject] = []
    try forEachStored(query) { objects.append($0) }
    return objects
  }

  /// Calls `body` with each object that the store has for `query`.
  @inline(__always)
  func forEachStored(_ query: StoredQuery, _ body: (ManagedObject) throws -> Void) throws {
    let family = store.families[query.layout.index]
    let tail = query.tail(store.layout)
    try read { connection in
      let statement = try connection.statement("SELECT \(family.columns)\(tail.sql)")
      defer { statement.reset() }
      statement.bind(tail.values)
      let box = identities[query.layout.root]
      while try statement.step() {
        guard statement.integer(0) > 0 else { throw StoreError.damagedKey(query.layout.name) }
        try body(fetched(statement, family, box))
      }
    }
  }

  @inline(__always)
  private func fetched(
    _ statement: Statement, _ family: FamilySQL, _ box: IdentityTableBox
  ) -> ManagedObject {
    let key = statement.integer(0)
    if let known = box[key] {
      if known.isFault && known.state == .clean {
        let (layout, row) = family.row(statement)
        known.take(layout, row, version: statement.integer(1))
      }
      return known
    }
    let (layout, row) = family.row(statement)
    let object = ManagedObject(stored: layout, key: key, context: self)
    object.row = row
    object.version = statement.integer(1)
    box.insert(object, key)
    return object
  }

  /// Lends the identities of the objects that the store has for `query` to `body`.
  func withStoredIdentities<Result>(
    _ query: StoredQuery, _ body: (FoundIdentities) -> Result
  ) throws -> Result {
    let isPlain = query.order == nil && query.limit == nil && query.offset == nil
    if isPlain && !query.layout.sharesTable, let result = try withPackedIdentities(query, body) {
      return result
    }
    let origin = store.origins[query.layout.index]
    let isShared = query.layout.sharesTable
    let tail = query.tail(store.layout)
    return try read { connection in
      let statement = try connection.statement(
        "SELECT t0._id\(isShared ? ", t0._entity" : "")\(tail.sql)")
      defer { statement.reset() }
      statement.bind(tail.values)
      var identities: [ObjectIdentity] = []
      while try statement.step() {
        let entity =
          isShared ? store.layout.entity(number: Int(clamping: statement.integer(1))) : nil
        identities.append(
          ObjectIdentity(
            entity.map { store.origins[$0.index] } ?? origin, key: statement.integer(0)))
      }
      return body(.each(identities))
    }
  }

  /// The same where no order is asked for and all are of one entity; nil when there are too many.
  private func withPackedIdentities<Result>(
    _ query: StoredQuery, _ body: (FoundIdentities) -> Result
  ) throws -> Result? {
    let origin = store.origins[query.layout.index]
    let tail = query.tail(store.layout)
    return try read { connection in
      let statement = try connection.statement(
        "SELECT \(SQLFunctionName.packed)(t0._id)\(tail.sql)")
      defer { statement.reset() }
      statement.bind(tail.values)
      do throws(SQLiteError) {
        guard try statement.step() else { return body(.each([])) }
      } catch {
        guard error.code == .tooBig else { throw error }
        return nil
      }
      return statement.withPackedIntegers(0) { body(.alike(origin, keys: $0)) }
    }
  }

  /// How many objects the store has for `query`.
  func countStored(_ query: StoredQuery) throws -> Int {
    var query = query
    query.order = nil
    let tail = query.tail(store.layout)
    let isLimited = query.limit != nil || query.offset != nil
    let sql =
      isLimited ? "SELECT COUNT(*) FROM (SELECT 1\(tail.sql))" : "SELECT COUNT(*)\(tail.sql)"
    return try read { connection in
      let statement = try connection.statement(sql)
      defer { statement.reset() }
      statement.bind(tail.values)
      return try statement.step() ? Int(clamping: statement.integer(0)) : 0
    }
  }

  /// The object with `identity`, as a fault unless it is in memory; nil when it is of another store.
  public func object(_ identity: ObjectIdentity) -> ManagedObject? {
    guard identity.store == store.identifier, identity.key > 0,
      let layout = store.layout.entity(identity.entity)
    else { return nil }
    let found = object(store.movedKeys.current(layout.number, identity.key), layout)
    return found.isFault || layout.family.contains(found.layout.index) ? found : nil
  }
}

extension EntityLayout {
  /// The numbers that `_entity` may have in rows of this entity; nil where any will do.
  func familyNumbers(_ layout: StoreLayout) -> [Int]? {
    sharesTable && root != index ? family.map { layout.entities[$0].number } : nil
  }
}
