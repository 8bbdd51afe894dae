public import DataModel
public import ObjectStore
public import SQLiteDriver

// The pairs of a relationship in the store.
extension EdgeType {
  /// The pairs that an object stands in, at the records' side `side`, in the order of the keys at the
  /// other end.
  public func pairs(
    of key: Int64, at side: MappedEdge.Side, in connection: Connection
  ) throws(SQLiteError) -> [EdgePair] {
    let isSource = pairs.isMirrored || (side == .source) != isFlipped
    let (near, far) = isSource ? ("source", "target") : ("target", "source")
    let statement = try connection.statement("\(selectSQL) WHERE p.\(near) = ?1 ORDER BY p.\(far)")
    defer { statement.reset() }
    statement.bind(1, key)
    var found: [EdgePair] = []
    while try statement.step() { found.append(pair(statement)) }
    return found
  }

  /// Calls `body` for every pair, in the order of their keys.
  public func forEachPair(
    in connection: Connection, _ body: (EdgePair) throws -> Void
  ) throws {
    let condition = pairs.isMirrored ? " WHERE p.source <= p.target" : ""
    let statement = try connection.prepare("\(selectSQL)\(condition) ORDER BY p.source, p.target")
    defer { statement.reset() }
    while try statement.step() { try body(pair(statement)) }
  }

  /// The pairs that no record stands for, in the order of their keys.
  func pairsWithoutRecords(_ connection: Connection) throws(SQLiteError) -> [EdgePair] {
    let condition = pairs.isMirrored ? "p.source <= p.target AND" : ""
    let statement = try connection.statement(
      """
      \(selectSQL) WHERE \(condition) NOT EXISTS (SELECT 1 FROM contrail_sync_record AS r \
      WHERE r.key = p.source AND r.owner = ?1 AND r.far = p.target AND r.owner <> 0) \
      ORDER BY p.source, p.target
      """)
    defer { statement.reset() }
    statement.bind(1, -Int64(number))
    var found: [EdgePair] = []
    while try statement.step() { found.append(pair(statement)) }
    return found
  }

  /// One pair as it is now; nil where the objects are not joined.
  public func pair(
    source: Int64, target: Int64, in connection: Connection
  ) throws(SQLiteError) -> EdgePair? {
    let statement = try connection.statement("\(selectSQL) WHERE p.source = ?1 AND p.target = ?2")
    defer { statement.reset() }
    statement.bind(1, source)
    statement.bind(2, target)
    return try statement.step() ? pair(statement) : nil
  }

  private var selectSQL: String {
    func entity(_ layout: EntityLayout, _ column: String) -> String {
      guard layout.sharesTable else { return String(layout.number) }
      let table = StoreLayout.sqlName(layout.table)
      return "(SELECT x._entity FROM \(table) AS x WHERE x._id = p.\(column))"
    }
    return """
      SELECT p.source, p.target, p.source_order, p.target_order, \
      \(entity(sourceLayout, "source")), \(entity(targetLayout, "target")) \
      FROM \(StoreLayout.sqlName(pairs.table)) AS p
      """
  }

  private func pair(_ statement: Statement) -> EdgePair {
    let pair = EdgePair(
      source: ObjectKey(entity: Int(clamping: statement.integer(4)), key: statement.integer(0)),
      target: ObjectKey(entity: Int(clamping: statement.integer(5)), key: statement.integer(1)),
      sourceOrder: statement.isNull(2) ? nil : statement.integer(2),
      targetOrder: statement.isNull(3) ? nil : statement.integer(3))
    guard pairs.isMirrored, pair.target.key < pair.source.key else { return pair }
    return EdgePair(
      source: pair.target, target: pair.source, sourceOrder: pair.targetOrder,
      targetOrder: pair.sourceOrder)
  }
}

extension EdgeType {
  /// Joins two objects as a record says, or gives a pair its places; false where nothing changes or an
  /// object is gone.
  ///
  /// Where the records have no field for an order, a new pair comes last in it, and another stays where it
  /// is.
  @discardableResult
  public func join(_ pair: EdgePair, in transaction: WriteTransaction) throws -> Bool {
    let places: PairPlaces =
      hasOrderFields ? .given(source: pair.sourceOrder, target: pair.targetOrder) : .last
    return try transaction.importPair(
      pairs, source: pair.source.key, target: pair.target.key, places: places)
  }

  /// Parts two objects; false where they were no pair.
  @discardableResult
  public func part(
    source: Int64, target: Int64, in transaction: WriteTransaction
  ) throws -> Bool {
    try transaction.removeImportedPair(pairs, source: source, target: target)
  }

  private var hasOrderFields: Bool {
    switch edge.layout {
    case .own: true
    case .shared: false
    }
  }
}
