import DataModel
import SQLiteDriver

// Reads which objects are related, and brings that up to changes that are not saved yet.
extension ModelContext {
  /// Reads the members of a relationship.
  func loadRelated(_ object: ManagedObject, _ slot: Int, _ list: RelatedObjects) {
    guard let relationship = object.layout.slots[slot].relationship else { return }
    do {
      var keys: [Int64] = []
      var places: [Int64] = []
      try read { connection in
        let statement = try connection.statement(
          Self.relatedSQL(relationship.place, where: "= ?1"))
        defer { statement.reset() }
        statement.bind(1, object.key)
        let hasPlaces = statement.columnCount > 2
        while try statement.step() {
          keys.append(statement.integer(1))
          if hasPlaces { places.append(statement.integer(2)) }
        }
      }
      fill(list, of: object, relationship, keys, places)
    } catch {
      note(
        (error as? StoreError)
          ?? StoreError(
            .readFailed, "\(object.layout.name).\(object.layout.slots[slot].name)",
            "cannot be read: \(error)"))
    }
  }

  /// Reads the members of one relationship for many objects.
  func loadRelated(
    _ slot: Int, _ relationship: RelationshipLayout, of objects: [ManagedObject]
  ) throws {
    let waiting = objects.filter { object in
      let list = object.relatedUnread(slot)
      return object.key > 0 && (!list.isRead || list.generation < generation)
    }
    if waiting.isEmpty { return }
    var members: [Int64: (keys: [Int64], places: [Int64])] = [:]
    try read { connection in
      let statement = try connection.statement(
        Self.relatedSQL(relationship.place, where: "IN (SELECT value FROM json_each(?1))"))
      defer { statement.reset() }
      statement.bind(1, KeyList.text(waiting.map(\.key)))
      let hasPlaces = statement.columnCount > 2
      while try statement.step() {
        let owner = statement.integer(0)
        members[owner, default: ([], [])].keys.append(statement.integer(1))
        if hasPlaces { members[owner, default: ([], [])].places.append(statement.integer(2)) }
      }
    }
    for object in waiting {
      let found = members[object.key] ?? ([], [])
      fill(object.relatedUnread(slot), of: object, relationship, found.keys, found.places)
    }
  }

  /// Gives a list the members that the store has.
  ///
  /// Objects with changes are where those say.
  private func fill(
    _ list: RelatedObjects, of object: ManagedObject, _ relationship: RelationshipLayout,
    _ stored: [Int64], _ places: [Int64]
  ) {
    guard hasChanges, case .farColumn = relationship.place, let name = relationship.inverse,
      case let layout = store.layout.entities[relationship.destination],
      let reference = layout.slot(name)
    else { return list.load(stored, places: places, generation: generation) }
    func changed(_ key: Int64) -> (ManagedObject, Row)? {
      guard let child = registered(key, layout), child.state == .updated, let row = child.heldRow,
        reference < child.layout.slots.count
      else { return nil }
      return (child, row)
    }
    func refersHere(_ child: ManagedObject, _ row: Row) -> Bool {
      row.isPresent(reference) && row.reference(reference, child.layout).key == object.key
    }
    var keys: [Int64] = []
    var kept: [Int64] = []
    for (index, key) in stored.enumerated() {
      if let (child, row) = changed(key), !refersHere(child, row) { continue }
      keys.append(key)
      if index < places.count { kept.append(places[index]) }
    }
    // Others have moved these elsewhere, but here they stay where they are until the save decides.
    for child in overtaken {
      guard child.layout.root == layout.root, layout.family.contains(child.layout.index),
        let (_, row) = changed(child.key), refersHere(child, row), !keys.contains(child.key)
      else { continue }
      keys.append(child.key)
      if !places.isEmpty { kept.append(.max) }
    }
    let order = layout.slot(name + Slot.orderSuffix)
    guard let order, relationship.schema.isOrdered else {
      return list.load(keys, places: kept, generation: generation)
    }
    list.load(keys, places: kept, generation: generation) { key in
      let child = list.held[key] ?? self.registered(key, layout)
      return child.flatMap { $0.hasChanges && !$0.isFault ? $0.placeInOrder(order) : nil }
    }
  }

  /// Selects an end's key, the other end's, and where there is an order its place.
  private static func relatedSQL(_ place: SQLRelationshipPlace, where condition: String) -> String {
    // What has no place comes first, as SQLite sorts nulls.
    func noPlace(_ order: String) -> String { ", ifnull(\(quoted(order)), \(Int64.min))" }
    switch place {
    case .farColumn(let table, let column, let order):
      let near = quoted(column)
      return """
        SELECT \(near), _id\(order.map(noPlace) ?? "") FROM \(quoted(table)) \
        WHERE \(near) \(condition) ORDER BY \(order.map { quoted($0) + ", " } ?? "")_id
        """
    case .pairs(let pairs):
      let (near, far) = (quoted(pairs.near), quoted(pairs.far))
      return """
        SELECT \(near), \(far)\(pairs.order.map(noPlace) ?? "") FROM \(quoted(pairs.table)) \
        WHERE \(near) \(condition) ORDER BY \(pairs.order.map { quoted($0) + ", " } ?? "")\(far)
        """
    case .ownColumn(let column, _):
      return "SELECT NULL, \(quoted(column)) WHERE ?1 IS NULL"
    }
  }
}
