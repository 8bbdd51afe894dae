import PredicateSQL
import SQLiteDriver

/// Some values of an object whose row has not been read whole.
final class PartialRow {
  let row: Row
  let slots: SlotSet
  private let layout: EntityLayout

  init(_ row: Row, _ slots: SlotSet, _ layout: EntityLayout) {
    self.row = row
    self.slots = slots
    self.layout = layout
  }

  deinit { row.free(layout) }
}

extension ModelContext {
  /// The objects that the store has for `query`, with the attributes `properties` only: what else is
  /// needed of an object is read when it is.
  func fetchPartly(_ query: StoredQuery, _ properties: [String]) throws -> [ManagedObject] {
    // In a hierarchy the columns depend on each row's entity: there the whole row is read.
    guard !query.layout.sharesTable else { return try fetchStored(query) }
    let layout = query.layout
    var slots: [Int] = []
    for name in properties {
      let own = layout.slots.indices.filter {
        layout.slots[$0].name == name || layout.slots[$0].name.hasPrefix(name + ".")
      }
      if own.isEmpty {
        throw StoreError.unknownProperty(
          "\(layout.name).\(name)", among: layout.slots.map(\.name))
      }
      slots += own.filter { layout.slots[$0].column != nil && !slots.contains($0) }
    }
    let columns = slots.compactMap { layout.slots[$0].column }.map { ", t0.\(quoted($0))" }
    let tail = query.tail(store.layout)
    let known = SlotSet(slots)
    var objects: [ManagedObject] = []
    try read { connection in
      let statement = try connection.statement("SELECT t0._id\(columns.joined())\(tail.sql)")
      defer { statement.reset() }
      statement.bind(tail.values)
      while try statement.step() {
        guard statement.integer(0) > 0 else { throw StoreError.damagedKey(layout.name) }
        let object = object(statement.integer(0), layout)
        objects.append(object)
        guard object.isFault else { continue }
        let row = Row(layout)
        for (index, slot) in slots.enumerated() {
          row.read(slot, layout, from: statement, Int32(index + 1))
        }
        object.partial = PartialRow(row, known, layout)
      }
    }
    return objects
  }
}
