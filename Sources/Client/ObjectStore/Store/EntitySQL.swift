/// The statements for the objects of one entity, put together once for each connection's use.
final class EntitySQL: Sendable {
  let insert: String
  let selectAll: String
  let selectOne: String
  let selectMany: String
  let delete: String
  /// The columns of a row as a select reads them: key, version, entity where shared, then slots.
  let columns: String
  /// Where the first slot's column is in such a row.
  let firstColumn: Int32

  private let layout: EntityLayout

  init(_ layout: EntityLayout) {
    self.layout = layout
    let table = quoted(layout.table)
    let slots = layout.columnSlots.compactMap { layout.slots[$0].column }.map(quoted)
    let system =
      [SystemColumn.key, SystemColumn.version] + (layout.sharesTable ? [SystemColumn.entity] : [])
    columns = (system + slots).joined(separator: ", ")
    firstColumn = Int32(system.count)
    let fixed = layout.sharesTable ? "?1, 1, \(layout.number)" : "?1, 1"
    let parameters = slots.indices.map { ", ?\($0 + 2)" }.joined()
    insert = "INSERT INTO \(table) (\(columns)) VALUES (\(fixed)\(parameters))"
    selectAll = "SELECT \(columns) FROM \(table)"
    selectOne = "SELECT \(columns) FROM \(table) WHERE _id = ?1"
    selectMany =
      "SELECT \(columns) FROM \(table) WHERE _id IN (SELECT value FROM json_each(?1))"
    delete = "DELETE FROM \(table) WHERE _id = ?1"
  }

  /// Sets the columns of `slots`; then the new version, the key and the old version.
  func update(_ slots: [Int]) -> String {
    var parameter = 0
    let sets = slots.compactMap { layout.slots[$0].column }.map { column -> String in
      parameter += 1
      return "\(quoted(column)) = ?\(parameter), "
    }
    return """
      UPDATE \(quoted(layout.table)) SET \(sets.joined())_version = ?\(parameter + 1) \
      WHERE _id = ?\(parameter + 2) AND _version = ?\(parameter + 3)
      """
  }
}
