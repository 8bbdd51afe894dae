import DataModel
import SQLiteDriver

extension ModelContext {
  /// Reads the objects of relationships of `objects`, with one statement for the keys of each
  /// relationship and one for the rows. A name may lead further, "pilot.licence".
  func prefetch(_ names: [String], of objects: [ManagedObject]) throws {
    prefetched.removeAll()
    for name in names {
      var level = objects
      for step in name.split(separator: ".") {
        level = try prefetch(String(step), of: level)
        prefetched += level
      }
    }
  }

  private func prefetch(_ name: String, of objects: [ManagedObject]) throws -> [ManagedObject] {
    var found: [ManagedObject] = []
    var seen: Set<ObjectIdentifier> = []
    for (_, group) in Dictionary(grouping: objects, by: { $0.layout.index }) {
      guard let layout = group.first?.layout else { continue }
      guard let slot = layout.slot(name), let relationship = layout.slots[slot].relationship else {
        throw StoreError.unknownProperty(
          "\(layout.name).\(name)", among: layout.slots.map(\.name))
      }
      if layout.slots[slot].kind == .related { try loadRelated(slot, relationship, of: group) }
      let related = group.flatMap { object in
        relationship.schema.isToMany
          ? object.relatedObjects(slot) : object.relatedObject(slot).map { [$0] } ?? []
      }
      let unique = related.filter { seen.insert(ObjectIdentifier($0)).inserted }
      try read(unique.filter { $0.isFault && $0.key > 0 })
      found += unique
    }
    return found
  }

  /// Reads the keys of one relationship for many objects.
  private func loadRelated(
    _ slot: Int, _ relationship: RelationshipLayout, of objects: [ManagedObject]
  ) throws {
    let waiting = objects.filter { $0.key > 0 && $0.relatedUnread(slot).members == nil }
    if waiting.isEmpty { return }
    var members: [Int64: (keys: [Int64], orders: [Int64])] = [:]
    try read { connection in
      let statement = try connection.statement(Self.manyRelatedSQL(relationship.place))
      defer { statement.reset() }
      statement.bind(1, KeyList.text(waiting.map(\.key)))
      let hasOrder = statement.columnCount > 2
      while try statement.step() {
        let owner = statement.integer(0)
        members[owner, default: ([], [])].keys.append(statement.integer(1))
        if hasOrder { members[owner, default: ([], [])].orders.append(statement.integer(2)) }
      }
    }
    for object in waiting {
      let found = members[object.key] ?? ([], [])
      object.relatedUnread(slot).load(found.keys, orders: found.orders, generation: generation)
    }
  }

  private static func manyRelatedSQL(_ place: SQLRelationshipPlace) -> String {
    let wanted = "IN (SELECT value FROM json_each(?1))"
    switch place {
    case .farColumn(let table, let column, let order):
      let sort = order.map { "\(quoted($0)), _id" } ?? "_id"
      return """
        SELECT \(quoted(column)), _id FROM \(quoted(table)) WHERE \(quoted(column)) \(wanted) \
        ORDER BY \(sort)
        """
    case .pairs(let pairs):
      let near = quoted(pairs.near)
      let columns =
        "\(near), \(quoted(pairs.far))"
        + (pairs.order.map { ", ifnull(\(quoted($0)), 0)" } ?? "")
      let sort = (pairs.order.map { quoted($0) + ", " } ?? "") + quoted(pairs.far)
      return
        "SELECT \(columns) FROM \(quoted(pairs.table)) WHERE \(near) \(wanted) ORDER BY \(sort)"
    case .ownColumn(let column, _):
      return "SELECT \(quoted(column)) WHERE ?1 IS NULL"
    }
  }
}

/// Keys as the text of a JSON array, which `json_each` takes apart: one parameter, however many keys.
enum KeyList {
  static func text(_ keys: some Sequence<Int64>) -> String {
    var text = "["
    for key in keys {
      if text.utf8.count > 1 { text += "," }
      text += String(key)
    }
    return text + "]"
  }
}
