import DataModel
import SQLiteDriver

/// All rows of a store, apart from any file: what the formats of atomic stores write and read.
///
/// It holds the store's own tables, which say what the others are, and the tables of objects and pairs.
/// What can be made anew from them (indexes, full-text tables) is not part of it.
struct StoreImage: Hashable {
  /// The format of the store's tables, as in an SQLite store's header.
  var tablesFormat: Int64
  /// The tables whose names begin with "contrail_".
  var ownTables: [Table]
  /// The tables of objects and of pairs.
  var objectTables: [Table]

  /// The rows of one table, cell after cell.
  struct Table: Hashable {
    var name: String
    var columns: [Column]
    /// Whether the file has to say how the table is made, since it is none of this version's own.
    var isDescribed = false
    var isWithoutRowID = false
    var cells: [FieldValue] = []

    var rowCount: Int { columns.isEmpty ? 0 : cells.count / columns.count }

    /// The cells of a row.
    func row(_ index: Int) -> ArraySlice<FieldValue> {
      cells[index * columns.count..<(index + 1) * columns.count]
    }
  }

  /// A column; the last three are known for the store's own tables.
  struct Column: Hashable {
    var name: String
    var type = ""
    var isNotNull = false
    var keyPosition = 0
  }

  /// How the names of the store's own tables begin.
  static let ownPrefix = "contrail_"
}

extension StoreImage {
  /// Takes the image of the store behind `connection`, and how its objects lie.
  static func read(_ connection: Connection, subject: String) throws -> (
    image: StoreImage, layout: StoreLayout
  ) {
    let facts = try StoreFacts.read(connection, kind: .inMemory, subject: subject)
    let layout = StoreLayout(facts.schema, try Catalogue.read(connection))
    var own = try ownTables(connection)
    for index in own.indices { try own[index].fill(connection) }
    var objects = objectTables(layout)
    for index in objects.indices { try objects[index].fill(connection) }
    return (
      StoreImage(
        tablesFormat: Int64(facts.formatVersion), ownTables: own, objectTables: objects), layout
    )
  }

  /// The store's own tables without rows: first those that every store has, in their order.
  static func ownTables(_ connection: Connection) throws(SQLiteError) -> [Table] {
    let known = StoreSQL.ownTableNames
    let found = try connection.tables.filter {
      $0.kind == .table && $0.name.hasPrefix(ownPrefix)
    }
    var tables: [Table] = []
    for description in found {
      let columns = try connection.columns(of: description.name).map {
        Column(
          name: $0.name, type: $0.declaredType, isNotNull: $0.isNotNull,
          keyPosition: $0.keyPosition)
      }
      tables.append(
        Table(
          name: description.name, columns: columns,
          isDescribed: !known.contains(description.name),
          isWithoutRowID: description.isWithoutRowID))
    }
    func place(_ table: Table) -> Int { known.firstIndex(of: table.name) ?? known.count }
    return tables.enumerated().sorted {
      (place($0.element), $0.offset) < (place($1.element), $1.offset)
    }.map(\.element)
  }

  /// The tables of objects and pairs without rows.
  static func objectTables(_ layout: StoreLayout) -> [Table] {
    let roots = layout.entities.filter { $0.root == $0.index }
    return roots.map { Table(name: $0.table, columns: objectColumns($0, layout)) }
      + layout.pairTables.map { pairs in
        Table(
          name: pairs.table,
          columns: [
            Column(name: "source", keyPosition: 1), Column(name: "target", keyPosition: 2),
            Column(name: "source_order"), Column(name: "target_order"),
          ])
      }
  }

  private static func objectColumns(_ root: EntityLayout, _ layout: StoreLayout) -> [Column] {
    [Column(name: SystemColumn.key, keyPosition: 1), Column(name: SystemColumn.version)]
      + (root.sharesTable ? [Column(name: SystemColumn.entity)] : [])
      + StoreSQL.columnSlots(root, layout).map { Column(name: $0.column ?? "") }
  }
}

extension StoreImage.Table {
  /// Reads the rows, in the order of their keys, so that the same store makes the same file.
  fileprivate mutating func fill(_ connection: Connection) throws(SQLiteError) {
    let keys = columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
    let order =
      keys.isEmpty
      ? " ORDER BY rowid" : " ORDER BY " + keys.map { quoted($0.name) }.joined(separator: ", ")
    let names = columns.map { quoted($0.name) }.joined(separator: ", ")
    let statement = try connection.prepare("SELECT \(names) FROM \(quoted(name))\(order)")
    while try statement.step() {
      for column in columns.indices { cells.append(statement.value(Int32(column))) }
    }
  }

  /// Writes the rows into the table, which is there and empty.
  func insert(_ connection: Connection) throws(SQLiteError) {
    if cells.isEmpty { return }
    let names = columns.map { quoted($0.name) }.joined(separator: ", ")
    let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let statement = try connection.prepare(
      "INSERT INTO \(quoted(name)) (\(names)) VALUES (\(parameters))")
    for row in 0..<rowCount {
      for (column, cell) in self.row(row).enumerated() {
        statement.bind(Int32(column + 1), value: cell)
      }
      try statement.run()
    }
  }
}

extension StoreSQL {
  /// The names of the tables that every store has.
  static let ownTableNames: [String] = ownTables.compactMap { sql in
    sql.split(separator: " ").dropFirst(2).first.map(String.init)
  }

  /// Their columns, as SQLite itself understands the statements.
  static let ownColumns: [String: [StoreImage.Column]] = {
    guard let connection = try? Connection(.memory) else { return [:] }
    for sql in ownTables { try? connection.execute(sql) }
    let tables = (try? StoreImage.ownTables(connection)) ?? []
    return Dictionary(tables.map { ($0.name, $0.columns) }, uniquingKeysWith: { first, _ in first })
  }()
}
