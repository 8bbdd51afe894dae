import SQLiteDriver

/// How rows of an entity and of all that inherit from it are read: the columns of the whole family, and
/// for each member where its slots are among them.
final class FamilySQL: Sendable {
  let layout: EntityLayout
  /// The columns as a select names them, each behind the table's alias.
  let columns: String
  let selectOne: String
  let selectMany: String
  /// For entities that share a table: the layouts by number, with the column of each of their slots.
  private let members: [Int: Member]
  private let firstColumn: Int32

  private struct Member: Sendable {
    var layout: EntityLayout
    var columns: [Int32]
  }

  init(_ layout: EntityLayout, _ all: [EntityLayout]) {
    self.layout = layout
    let shares = layout.sharesTable
    let system =
      [SystemColumn.key, SystemColumn.version] + (shares ? [SystemColumn.entity] : [])
    firstColumn = Int32(system.count)
    var names: [String] = []
    var places: [String: Int32] = [:]
    var members: [Int: Member] = [:]
    let family = shares ? layout.family.map { all[$0] } : [layout]
    for member in family {
      let columns = member.columnSlots.map { slot -> Int32 in
        let name = member.slots[slot].column ?? ""
        if let place = places[name] { return place }
        let place = Int32(system.count + names.count)
        places[name] = place
        names.append(name)
        return place
      }
      members[member.number] = Member(layout: member, columns: columns)
    }
    self.members = members
    columns = (system + names).map { "t0.\(quoted($0))" }.joined(separator: ", ")
    let from = "SELECT \(columns) FROM \(quoted(layout.table)) AS t0"
    selectOne = "\(from) WHERE t0._id = ?1"
    selectMany = "\(from) WHERE t0._id IN (SELECT value FROM json_each(?1))"
  }

  /// The values in the statement's current row, and the layout of the entity that they are of.
  @inline(__always)
  func row(_ statement: Statement) -> (EntityLayout, Row) {
    if !layout.sharesTable {
      let row = Row(layout)
      row.read(layout, from: statement, first: firstColumn)
      return (layout, row)
    }
    return sharedRow(statement)
  }

  /// The layout of the entity that the statement's current row is of.
  func rowLayout(_ statement: Statement) -> EntityLayout {
    guard layout.sharesTable else { return layout }
    return members[Int(clamping: statement.integer(2))]?.layout ?? layout
  }

  private func sharedRow(_ statement: Statement) -> (EntityLayout, Row) {
    // A number that no entity has can only come from another program: the row is read as its base.
    let member =
      members[Int(clamping: statement.integer(2))] ?? members[layout.number]
      ?? Member(layout: layout, columns: [])
    let row = Row(member.layout)
    for (slot, column) in zip(member.layout.columnSlots, member.columns) {
      row.read(slot, member.layout, from: statement, column)
    }
    return (member.layout, row)
  }
}
