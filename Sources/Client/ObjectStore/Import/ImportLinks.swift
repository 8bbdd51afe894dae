import DataModel
import SQLiteDriver

// Keeps both sides of one-to-one relationships the same.
extension WriteTransaction {
  /// Makes the other sides of a row that was written say the same.
  func link(_ row: borrowing ImportRow, _ key: Int64) throws(SQLiteError) {
    let entity = row.layout
    for slot in layout.singleSlots[entity.index] where row.touched.contains(slot) {
      try linkOwn(slot, entity, key, row.target(slot))
    }
    for (slot, target) in row.farTargets { try linkFar(slot, entity, key, target) }
  }

  /// The key is in the object's own row: nobody else refers to the same object, and where both ends
  /// are one relationship the other object refers back.
  private func linkOwn(
    _ slot: Int, _ entity: EntityLayout, _ key: Int64, _ target: Int64?
  ) throws(SQLiteError) {
    guard let own = SingleColumn(entity, slot) else { return }
    if let target { try take(own, from: target, keeping: key) }
    guard let inverse = entity.inverse(slot, layout), inverse.kind == .reference else { return }
    try take(own, from: key, keeping: target ?? 0)
    if let target { try give(own, to: target, key) }
  }

  /// The key is in the other object's row.
  private func linkFar(
    _ slot: Int, _ entity: EntityLayout, _ key: Int64, _ target: Int64?
  ) throws(SQLiteError) {
    guard let far = entity.farEntity(slot, layout), let inverse = entity.inverse(slot, layout),
      let farSlot = far.slot(inverse.name), let column = SingleColumn(far, farSlot)
    else { return }
    try take(column, from: key, keeping: target ?? 0)
    if let target { try give(column, to: target, key) }
  }

  /// Nobody but `kept` refers to `target` any longer.
  private func take(
    _ column: SingleColumn, from target: Int64, keeping kept: Int64
  ) throws(SQLiteError) {
    let statement = try connection.statement(column.takeSQL)
    statement.bind(1, target)
    statement.bind(2, kept)
    try recordUpdates(statement, [column.number])
  }

  /// The object with `key` refers to `target`.
  private func give(
    _ column: SingleColumn, to key: Int64, _ target: Int64
  ) throws(SQLiteError) {
    let statement = try connection.statement(column.giveSQL)
    statement.bind(1, target)
    statement.bind(2, key)
    try recordUpdates(statement, [column.number])
  }
}

/// A column with the key of the only object at the other end.
private struct SingleColumn {
  var table: String
  var column: String
  var entity: String
  var number: Int

  init?(_ layout: EntityLayout, _ slot: Int) {
    guard let column = layout.slots[slot].column else { return nil }
    table = quoted(layout.table)
    self.column = quoted(column)
    entity = layout.sharesTable ? SystemColumn.entity : String(layout.number)
    number = layout.slots[slot].number
  }

  var takeSQL: String {
    """
    UPDATE \(table) SET \(column) = NULL, _version = _version + 1 \
    WHERE \(column) = ?1 AND _id <> ?2 RETURNING _id, \(entity)
    """
  }

  var giveSQL: String {
    """
    UPDATE \(table) SET \(column) = ?1, _version = _version + 1 \
    WHERE _id = ?2 AND \(column) IS NOT ?1 RETURNING _id, \(entity)
    """
  }
}

extension EntityLayout {
  /// The slots with references whose other side holds one object too.
  static func singleSlots(_ all: [EntityLayout]) -> [[Int]] {
    all.map { entity in
      entity.columnSlots.filter { slot in
        guard let relationship = entity.slots[slot].relationship,
          let name = relationship.inverse,
          case let far = all[relationship.destination], let inverse = far.slot(name)
        else { return false }
        return far.slots[inverse].relationship?.schema.isToMany == false
      }
    }
  }
}
