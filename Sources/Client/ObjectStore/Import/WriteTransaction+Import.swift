import DataModel
import SQLiteDriver

// Writes what comes from elsewhere. Rules of the schema (required values, limits, uniqueness, delete
// rules) are not applied; all that the store keeps up by itself is: history, derived values, files of
// large values, what is known of texts, versions, and both sides of relationships.
extension WriteTransaction {
  /// Inserts an object with what `row` has; slots that were not set have no value.
  ///
  /// Returns its key.
  public func insertImported(_ row: borrowing ImportRow) throws -> Int64 {
    let key = try newKey(row.layout)
    try insert(row.layout, key: key, row: row.row)
    try link(row, key)
    return key
  }

  /// Writes what was set in `row` to an object that has `version`; false when it has not, or is gone.
  ///
  /// All of it is written, recorded and told to contexts, also what is no other value: the caller
  /// compares.
  public func updateImported(
    _ row: borrowing ImportRow, key: Int64, version: Int64
  ) throws -> Bool {
    let slots = row.touched.slots
    if !slots.isEmpty {
      guard try update(row.layout, key: key, version: version, row: row.row, slots: slots) else {
        return false
      }
      try log.updated(row.layout.number, key, row.layout.propertyNumbers(slots))
    } else if try self.version(row.layout, key: key) != version {
      return false
    }
    try link(row, key)
    return true
  }

  /// Deletes an object; false when it is gone already.
  ///
  /// Nothing else is deleted, and nothing refuses it: references to it become nil, and it leaves its
  /// pairs. References that can only be found by looking at every object, those without an inverse, go
  /// when the transaction ends.
  public func deleteImported(_ entity: EntityLayout, key: Int64) throws -> Bool {
    var tombstone: [UInt8]?
    if !entity.preservedSlots.isEmpty, let stored = try read(entity, key: key) {
      defer { stored.row.free(entity) }
      tombstone = Tombstone.bytes(stored.row, entity, extras?.values)
    }
    guard try delete(entity, key: key) else { return false }
    try log.deleted(entity.number, key, tombstone)
    for referrer in layout.referrers[entity.index] {
      if referrer.isIndexed {
        try unlink(referrer, [key])
      } else {
        unlinkedLater[referrer, default: []].append(key)
      }
    }
    return true
  }

  /// Takes deleted objects out of references that no index leads to, with one look at each table.
  func unlinkLater() throws(SQLiteError) {
    if unlinkedLater.isEmpty { return }
    let all = unlinkedLater.sorted { $0.key.number < $1.key.number }
    unlinkedLater = [:]
    for (referrer, keys) in all { try unlink(referrer, keys) }
  }

  private func unlink(_ referrer: Referrer, _ keys: [Int64]) throws(SQLiteError) {
    let statement = try connection.statement(referrer.unlinkSQL(Referrer.givenKeys))
    statement.bind(1, KeyList.text(keys))
    try recordUpdates(statement, [referrer.number])
  }

  /// Takes objects that a save has deleted out of references without an inverse, of which no delete rule speaks.
  func unlink(_ objects: [ManagedObject]) throws(SQLiteError) {
    var keys: [Referrer: [Int64]] = [:]
    for object in objects {
      for referrer in layout.referrers[object.layout.index] where !referrer.isIndexed {
        keys[referrer, default: []].append(object.key)
      }
    }
    for (referrer, keys) in keys.sorted(by: { $0.key.number < $1.key.number }) {
      let statement = try connection.statement(referrer.unlinkSQL(Referrer.givenKeys))
      statement.bind(1, KeyList.text(keys))
      try noteEmptied(referrer, recordUpdates(statement, [referrer.number]))
    }
  }

  /// Notes who has lost a reference.
  func noteEmptied(_ referrer: Referrer, _ keys: [Int64]) {
    if referrer.isRequired && !keys.isEmpty { emptied[referrer, default: []] += keys }
  }

  /// Throws where objects that must have a reference have lost it, and are there still.
  func checkEmptied() throws {
    defer { emptied = [:] }
    for (referrer, keys) in emptied.sorted(by: { $0.key.number < $1.key.number }) {
      let statement = try connection.statement(
        """
        SELECT count(*) FROM \(quoted(referrer.table)) WHERE \(quoted(referrer.column)) IS NULL \
        AND _id IN (SELECT value FROM json_each(?1))
        """)
      defer { statement.reset() }
      statement.bind(1, KeyList.text(keys))
      guard try statement.step(), statement.integer(0) > 0 else { continue }
      throw StoreError(
        .missingValue, referrer.name,
        "\(counted(Int(clamping: statement.integer(0)), "object")) would be left without an object "
          + "there, and must have one", fix: "delete them too, or give them another first")
    }
  }

  /// Records an update of each object that a statement returns: its key, and its entity's number; returns the keys.
  @discardableResult
  func recordUpdates(_ statement: Statement, _ numbers: [Int]) throws(SQLiteError) -> [Int64] {
    var objects: [(entity: Int, key: Int64)] = []
    while try statement.step() {
      objects.append((Int(clamping: statement.integer(1)), statement.integer(0)))
    }
    statement.reset()
    for object in objects { try log.updated(object.entity, object.key, numbers) }
    return objects.map(\.key)
  }
}

/// A to-one relationship with a column, as seen from the objects that it may refer to.
struct Referrer: Hashable, Sendable {
  /// The relationship, as `Entity.name`.
  var name: String
  /// Whether it has to lead to somebody.
  var isRequired: Bool
  var table: String
  var column: String
  /// The column with the place in the other side's order.
  var order: String?
  /// SQL for the number of a row's entity.
  var entity: String
  /// The relationship's number in the catalogue.
  var number: Int
  /// Whether an index leads from an object to those that refer to it.
  var isIndexed: Bool

  /// The relationships that may refer to objects of each entity, in the order of `entities`.
  static func all(_ entities: [EntityLayout]) -> [[Referrer]] {
    var result = [[Referrer]](repeating: [], count: entities.count)
    for entity in entities {
      for slot in entity.slots {
        guard let relationship = slot.relationship, relationship.owner == entity.name,
          case .ownColumn(let column, let order) = relationship.place
        else { continue }
        let referrer = Referrer(
          name: "\(entity.name).\(slot.name)", isRequired: !relationship.schema.isOptional,
          table: entity.table, column: column, order: order,
          entity: entity.sharesTable ? SystemColumn.entity : String(entity.number),
          number: slot.number, isIndexed: relationship.inverse != nil)
        for member in entities[relationship.destination].family { result[member].append(referrer) }
      }
    }
    return result
  }

  /// SQL for the keys that a list has, which is bound as the first parameter.
  static let givenKeys = "SELECT value FROM json_each(?1)"

  /// Clears references to keys; returns whose they were.
  func unlinkSQL(_ keys: String) -> String {
    let place = order.map { ", \(quoted($0)) = NULL" } ?? ""
    return """
      UPDATE \(quoted(table)) SET \(quoted(column)) = NULL\(place), _version = _version + 1 \
      WHERE \(quoted(column)) IN (\(keys)) RETURNING _id, \(entity)
      """
  }
}
