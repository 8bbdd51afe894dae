public import DataModel
import PredicateSQL
import SQLiteDriver

/// Which objects to read, in SQL's terms; the table's alias is `t0`.
struct StoredQuery {
  var layout: EntityLayout
  var filter: SQLFragment?
  var order: SQLFragment?
  var limit: Int?
  var offset: Int?

  /// What follows `SELECT …`.
  func tail(_ numbers: [Int]?) -> SQLFragment {
    var sql = " FROM \(quoted(layout.table)) AS t0"
    var values: [FieldValue] = []
    var terms: [String] = []
    if let numbers {
      terms.append("t0._entity IN (\(numbers.map(String.init).joined(separator: ", ")))")
    }
    if let filter {
      terms.append("(\(filter.sql))")
      values += filter.values
    }
    if !terms.isEmpty { sql += " WHERE " + terms.joined(separator: " AND ") }
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
    for (index, value) in values.enumerated() {
      let parameter = Int32(index + 1)
      switch value {
      case .integer(let number): bind(parameter, number)
      case .boolean(let flag): bind(parameter, flag ? 1 : 0 as Int64)
      case .double(let number): bind(parameter, number)
      case .string(let text), .uri(let text): bind(parameter, text)
      case .data(let bytes): bind(parameter, bytes)
      default: bindNull(parameter)
      }
    }
  }
}

extension ModelContext {
  /// The objects that the store has for `query`, in its order; those in memory are as they are.
  func fetchStored(_ query: StoredQuery) throws -> [ManagedObject] {
    let family = store.families[query.layout.index]
    let tail = query.tail(query.layout.familyNumbers(store.layout))
    var objects: [ManagedObject] = []
    try store.read { connection in
      let statement = try connection.statement("SELECT \(family.columns)\(tail.sql)")
      defer { statement.reset() }
      statement.bind(tail.values)
      let box = identities[query.layout.root]
      while try statement.step() {
        objects.append(fetched(statement, family, box))
      }
    }
    return objects
  }

  @inline(__always)
  private func fetched(
    _ statement: Statement, _ family: FamilySQL, _ box: IdentityTableBox
  ) -> ManagedObject {
    let key = statement.integer(0)
    if let known = box.table[key] {
      if known.isFault && known.state == .clean {
        let (layout, row) = family.row(statement)
        known.layout = layout
        known.row = row
        known.version = statement.integer(1)
      }
      return known
    }
    let (layout, row) = family.row(statement)
    let object = ManagedObject(stored: layout, key: key, context: self)
    object.row = row
    object.version = statement.integer(1)
    box.table.insert(object, key)
    return object
  }

  /// The keys of the objects that the store has for `query`.
  func fetchStoredKeys(_ query: StoredQuery) throws -> [Int64] {
    let tail = query.tail(query.layout.familyNumbers(store.layout))
    var keys: [Int64] = []
    try store.read { connection in
      let statement = try connection.statement("SELECT t0._id\(tail.sql)")
      defer { statement.reset() }
      statement.bind(tail.values)
      while try statement.step() { keys.append(statement.integer(0)) }
    }
    return keys
  }

  /// How many objects the store has for `query`.
  func countStored(_ query: StoredQuery) throws -> Int {
    var query = query
    query.order = nil
    let tail = query.tail(query.layout.familyNumbers(store.layout))
    let isLimited = query.limit != nil || query.offset != nil
    let sql =
      isLimited ? "SELECT COUNT(*) FROM (SELECT 1\(tail.sql))" : "SELECT COUNT(*)\(tail.sql)"
    return try store.read { connection in
      let statement = try connection.statement(sql)
      defer { statement.reset() }
      statement.bind(tail.values)
      return try statement.step() ? Int(clamping: statement.integer(0)) : 0
    }
  }

  /// The object with `identity`, as a fault unless it is in memory; nil when it is of another store.
  public func object(_ identity: ObjectIdentity) -> ManagedObject? {
    guard identity.store == store.identifier, let layout = store.layout.entity(identity.entity)
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
