import DataModel
import SQLiteDriver

extension ModelContext {
  /// Reads the objects of relationships of `objects`, with one statement for the keys of each
  /// relationship and one for the rows.
  ///
  /// A name may lead further, "pilot.licence".
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
