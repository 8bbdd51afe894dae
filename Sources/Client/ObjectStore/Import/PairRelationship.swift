import DataModel
import SQLiteDriver

/// A relationship whose keys are in a table of pairs, seen from the end that the table is named after.
public struct PairRelationship: Hashable, Sendable {
  /// One end.
  public struct End: Hashable, Sendable {
    /// The position in the layout of the entity of the objects at this end, or of their ancestor.
    public let entity: Int
    /// The number that the relationship has at this end; 0 where the end has none.
    public let number: Int
    /// Whether this end's objects have the other end's in an order.
    public let isOrdered: Bool
  }

  /// The table.
  public let table: String
  /// The end whose keys are in the column `source`.
  public let source: End
  /// The end whose keys are in the column `target`.
  public let target: End
  /// Whether both ends are the same relationship, so that each pair has a row for either direction.
  public let isMirrored: Bool

  /// The number of the property that the table is named after.
  public var number: Int { source.number }
}

/// The places of a pair in the orders of its ends.
public enum PairPlaces: Hashable, Sendable {
  /// As given; nil for no place.
  case given(source: Int64?, target: Int64?)
  /// Where the pair is already, or else behind all others.
  case last
}

extension StoreLayout {
  /// The relationships whose keys are in tables of pairs, each once.
  public var pairRelationships: [PairRelationship] {
    entities.flatMap { entity in
      entity.slots.compactMap { slot -> PairRelationship? in
        guard let relationship = slot.relationship, relationship.owner == entity.name,
          case .pairs(let pairs) = relationship.place, relationship.ownerNumber == slot.number
        else { return nil }
        let far = entities[relationship.destination]
        let inverse = relationship.inverse.flatMap(far.slot).map { far.slots[$0] }
        return PairRelationship(
          table: pairs.table,
          source: PairRelationship.End(
            entity: entity.index, number: slot.number, isOrdered: relationship.schema.isOrdered),
          target: PairRelationship.End(
            entity: far.index, number: inverse?.number ?? 0,
            isOrdered: inverse?.relationship?.schema.isOrdered ?? false),
          isMirrored: pairs.isMirrored)
      }
    }
  }
}

extension WriteTransaction {
  /// Joins two objects, or gives a pair its places; false where nothing changes, or an object is gone.
  @discardableResult
  public func importPair(
    _ relationship: PairRelationship, source: Int64, target: Int64, places: PairPlaces = .last
  ) throws -> Bool {
    var (sourcePlace, targetPlace): (Int64?, Int64?)
    switch places {
    case .given(let source, let target): (sourcePlace, targetPlace) = (source, target)
    case .last:
      if try hasPair(relationship, source, target) { return false }
      // The column `target_order` has the places of targets in the source's order.
      targetPlace =
        relationship.source.isOrdered ? try lastPlace(relationship, "source", source) : nil
      sourcePlace =
        relationship.target.isOrdered ? try lastPlace(relationship, "target", target) : nil
    }
    var isChanged = try put(relationship, source, target, sourcePlace, targetPlace)
    if relationship.isMirrored && source != target {
      isChanged =
        try put(relationship, target, source, targetPlace, sourcePlace) || isChanged
    }
    if isChanged { try recordPair(relationship, source, target) }
    return isChanged
  }

  /// Parts two objects; false where they were no pair.
  @discardableResult
  public func removeImportedPair(
    _ relationship: PairRelationship, source: Int64, target: Int64
  ) throws -> Bool {
    var isChanged = try take(relationship, source, target)
    if relationship.isMirrored && source != target {
      isChanged = try take(relationship, target, source) || isChanged
    }
    if isChanged { try recordPair(relationship, source, target) }
    return isChanged
  }

  private func put(
    _ relationship: PairRelationship, _ source: Int64, _ target: Int64, _ sourcePlace: Int64?,
    _ targetPlace: Int64?
  ) throws(SQLiteError) -> Bool {
    let sourceTable = quoted(layout.entities[relationship.source.entity].table)
    let targetTable = quoted(layout.entities[relationship.target.entity].table)
    let statement = try connection.statement(
      """
      INSERT INTO \(quoted(relationship.table)) (source, target, source_order, target_order) \
      SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM \(sourceTable) WHERE _id = ?1) \
      AND EXISTS (SELECT 1 FROM \(targetTable) WHERE _id = ?2) \
      ON CONFLICT DO UPDATE SET source_order = ?3, target_order = ?4 \
      WHERE source_order IS NOT ?3 OR target_order IS NOT ?4
      """)
    statement.bind(1, source)
    statement.bind(2, target)
    if let sourcePlace { statement.bind(3, sourcePlace) } else { statement.bindNull(3) }
    if let targetPlace { statement.bind(4, targetPlace) } else { statement.bindNull(4) }
    try statement.run()
    return connection.changes > 0
  }

  private func take(
    _ relationship: PairRelationship, _ source: Int64, _ target: Int64
  ) throws(SQLiteError) -> Bool {
    let statement = try connection.statement(
      "DELETE FROM \(quoted(relationship.table)) WHERE source = ?1 AND target = ?2")
    statement.bind(1, source)
    statement.bind(2, target)
    try statement.run()
    return connection.changes > 0
  }

  private func hasPair(
    _ relationship: PairRelationship, _ source: Int64, _ target: Int64
  ) throws(SQLiteError) -> Bool {
    let statement = try connection.statement(
      "SELECT 1 FROM \(quoted(relationship.table)) WHERE source = ?1 AND target = ?2")
    defer { statement.reset() }
    statement.bind(1, source)
    statement.bind(2, target)
    return try statement.step()
  }

  /// The place behind all others of an end's object.
  private func lastPlace(
    _ relationship: PairRelationship, _ end: String, _ key: Int64
  ) throws(SQLiteError) -> Int64 {
    let order = end == "source" ? "target_order" : "source_order"
    let statement = try connection.statement(
      "SELECT max(\(order)) FROM \(quoted(relationship.table)) WHERE \(end) = ?1")
    defer { statement.reset() }
    statement.bind(1, key)
    let last = try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    return SparseOrder.place(after: last) ?? .max
  }

  private func recordPair(
    _ relationship: PairRelationship, _ source: Int64, _ target: Int64
  ) throws(SQLiteError) {
    try recordEnd(relationship.source, source)
    if relationship.isMirrored && source == target { return }
    try recordEnd(relationship.target, target)
  }

  private func recordEnd(_ end: PairRelationship.End, _ key: Int64) throws(SQLiteError) {
    guard end.number > 0, let entity = try entityNumber(layout.entities[end.entity], key) else {
      return
    }
    try log.updated(entity, key, [end.number])
  }

  /// The number of the concrete entity of an object; nil when it is gone.
  private func entityNumber(_ entity: EntityLayout, _ key: Int64) throws(SQLiteError) -> Int? {
    guard entity.sharesTable else { return entity.number }
    let statement = try connection.statement(
      "SELECT \(SystemColumn.entity) FROM \(quoted(entity.table)) WHERE _id = ?1")
    defer { statement.reset() }
    statement.bind(1, key)
    return try statement.step() ? Int(clamping: statement.integer(0)) : nil
  }
}

extension WriteTransaction {
  /// The place behind all others in the order of the object that a to-one relationship refers to; nil
  /// where that has no order.
  public func lastPlace(_ entity: EntityLayout, _ slot: Int, of target: Int64) throws -> Int64? {
    guard case .ownColumn(let column, let order?)? = entity.slots[slot].relationship?.place else {
      return nil
    }
    let statement = try connection.statement(
      """
      SELECT max(\(quoted(order))) FROM \(quoted(entity.table)) WHERE \(quoted(column)) = ?1
      """)
    defer { statement.reset() }
    statement.bind(1, target)
    let last = try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    return SparseOrder.place(after: last) ?? .max
  }
}
