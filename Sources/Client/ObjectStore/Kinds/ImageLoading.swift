import DataModel
import SQLiteDriver

/// Fills an empty database with what a file of an atomic store holds, and believes none of it: the file
/// may be damaged, or made by hand.
struct ImageLoading {
  let connection: Connection
  /// What errors call the file.
  let subject: String

  /// What can be read of a file before it is known how the objects lie.
  struct Contents {
    var tablesFormat: Int64
    var ownTables: [StoreImage.Table]
    /// Reads the tables of objects and pairs.
    var objectTables: (StoreLayout) throws -> [StoreImage.Table]
  }

  /// The greatest key, version or count that a file may hold: what comes after it can be counted.
  static let numberMax: Int64 = 1 << 53
  /// The greatest number of an entity or property.
  static let catalogueNumberMax = 1 << 31

  /// Makes the tables and indexes and fills them, all or nothing.
  func load(_ contents: Contents) throws {
    guard contents.tablesFormat <= StoreSQL.formatVersion else {
      throw StoreFacts.newerFormat(contents.tablesFormat, subject)
    }
    guard contents.tablesFormat > 0 else { throw corrupt("names no format of its tables") }
    do {
      try connection.execute("BEGIN IMMEDIATE")
      do {
        try fill(contents)
        try connection.execute("COMMIT")
      } catch {
        try? connection.execute("ROLLBACK")
        throw error
      }
    } catch let error as SQLiteError {
      // The database is in memory: what it refuses, it refuses because of what the file says.
      throw corrupt("holds rows that do not fit together: \(error.message)")
    }
  }

  private func fill(_ contents: Contents) throws {
    try connection.execute("PRAGMA application_id = \(StoreSQL.applicationID)")
    try connection.execute("PRAGMA user_version = \(contents.tablesFormat)")
    for sql in StoreSQL.ownTables { try connection.execute(sql) }
    let expected = try StoreImage.ownTables(connection)
    for table in contents.ownTables {
      if table.isDescribed {
        try connection.execute(try definition(table))
      } else {
        try check(table, against: expected)
      }
      try table.insert(connection)
    }
    let facts = try StoreFacts.read(connection, kind: .inMemory, subject: subject)
    do { try facts.schema.checkNames() } catch { throw corrupt("holds a schema in which \(error)") }
    let catalogue = try checkedCatalogue(facts.schema)
    let layout = StoreLayout(facts.schema, catalogue)
    try checkNames(layout)
    for sql in StoreSQL.objectTables(layout) { try connection.execute(sql) }
    let places = StoreImage.objectTables(layout)
    for table in try contents.objectTables(layout) {
      try check(table, against: places)
      try table.insert(connection)
    }
    try checkNumbers(layout)
  }

  private func corrupt(_ message: String) -> StoreError {
    StoreError(.corrupt, subject, message, fix: "restore it from a backup")
  }

  private func check(_ table: StoreImage.Table, against expected: [StoreImage.Table]) throws {
    guard let place = expected.first(where: { $0.name == table.name }) else {
      throw corrupt("holds a table \"\(table.name)\" that no store of its schema has")
    }
    let known = Set(place.columns.map(\.name))
    if let other = table.columns.first(where: { !known.contains($0.name) }) {
      throw corrupt("holds a column \"\(table.name).\(other.name)\" that no store has")
    }
  }

  /// The SQL that makes a table which a part of the store has added; its words are checked, since they
  /// come from the file.
  private func definition(_ table: StoreImage.Table) throws -> String {
    func isWord(_ text: String) -> Bool {
      text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    }
    guard table.name.hasPrefix(StoreImage.ownPrefix), isWord(table.name), !table.columns.isEmpty,
      table.columns.allSatisfy({ isWord($0.name) && !$0.name.isEmpty && isWord($0.type) })
    else { throw corrupt("describes a table \"\(table.name)\" that no store can have") }
    let keys = table.columns.filter { $0.keyPosition > 0 }
      .sorted { $0.keyPosition < $1.keyPosition }.map { quoted($0.name) }
    let columns = table.columns.map {
      "\(quoted($0.name)) \($0.type)\($0.isNotNull ? " NOT NULL" : "")"
    }
    let key = keys.isEmpty ? [] : ["PRIMARY KEY (\(keys.joined(separator: ", ")))"]
    return "CREATE TABLE \(quoted(table.name)) (\((columns + key).joined(separator: ", ")))"
      + (table.isWithoutRowID ? " WITHOUT ROWID" : "")
  }

  /// The catalogue that was loaded, when it knows all of `schema`.
  private func checkedCatalogue(_ schema: Schema) throws -> Catalogue {
    let catalogue = try Catalogue.read(connection)
    let numbers = catalogue.entities.map(\.number) + catalogue.properties.map(\.number)
    guard numbers.allSatisfy({ (1...Self.catalogueNumberMax).contains($0) }) else {
      throw corrupt("numbers an entity or property beyond \(Self.catalogueNumberMax)")
    }
    guard catalogue.extended(for: schema) == catalogue else {
      throw corrupt("has a catalogue that lacks parts of its schema")
    }
    return catalogue
  }

  /// Names that the store gives to no table of objects.
  private func checkNames(_ layout: StoreLayout) throws {
    let names = layout.entities.map(\.table) + layout.pairTables.map(\.table)
    if let name = names.first(where: { $0.lowercased().hasPrefix(StoreImage.ownPrefix) }) {
      throw corrupt("keeps objects in a table of its own, \"\(name)\"")
    }
  }

  /// Numbers that the store goes on counting from, and keys that would be given twice.
  private func checkNumbers(_ layout: StoreLayout) throws {
    let counted = [
      "contrail_key": ["next"],
      "contrail_transaction": ["number", "first_change", "change_count"],
      "contrail_change": ["number", "count", "key", "entity"],
      "contrail_reader": ["transaction_number"],
      "contrail_name": ["number"],
    ]
    for (table, columns) in counted.sorted(by: { $0.key < $1.key }) {
      for column in columns { try checkRange(of: column, in: table, from: 0) }
    }
    for root in layout.entities where root.root == root.index {
      try checkRange(of: SystemColumn.key, in: root.table, from: 1)
      try checkRange(of: SystemColumn.version, in: root.table, from: 1)
      if root.sharesTable { try checkEntities(root, layout) }
      try checkNextKey(root)
      for slot in StoreSQL.columnSlots(root, layout) {
        guard let column = slot.column else { continue }
        if slot.relationship != nil {
          try checkRange(of: column, in: root.table, from: 1, allowsNull: true)
        } else if slot.attribute == nil {
          try checkRange(of: column, in: root.table, from: -Self.numberMax, allowsNull: true)
        }
      }
    }
    for pairs in layout.pairTables {
      for column in ["source", "target"] { try checkRange(of: column, in: pairs.table, from: 1) }
      for column in ["source_order", "target_order"] {
        try checkRange(of: column, in: pairs.table, from: -Self.numberMax, allowsNull: true)
      }
    }
  }

  private func checkRange(
    of column: String, in table: String, from low: Int64, allowsNull: Bool = false
  ) throws {
    let name = quoted(column)
    let statement = try connection.prepare(
      """
      SELECT 1 FROM \(quoted(table)) WHERE (typeof(\(name)) <> 'integer' \
      OR \(name) NOT BETWEEN \(low) AND \(Self.numberMax))\
      \(allowsNull ? " AND \(name) IS NOT NULL" : "") LIMIT 1
      """)
    if try statement.step() {
      throw corrupt("holds a number in \(table).\(column) that no store has")
    }
  }

  private func checkEntities(_ root: EntityLayout, _ layout: StoreLayout) throws {
    let numbers = root.family.map { String(layout.entities[$0].number) }.joined(separator: ", ")
    let statement = try connection.prepare(
      """
      SELECT 1 FROM \(quoted(root.table)) WHERE \(SystemColumn.entity) NOT IN (\(numbers)) LIMIT 1
      """)
    if try statement.step() {
      throw corrupt("holds an object in \(root.table) of an entity that it does not have")
    }
  }

  private func checkNextKey(_ root: EntityLayout) throws {
    let statement = try connection.prepare(
      """
      SELECT 1 FROM \(quoted(root.table)) WHERE \(SystemColumn.key) >= \
      (SELECT coalesce(max(next), 1) FROM contrail_key WHERE table_name = ?1) LIMIT 1
      """)
    statement.bind(1, root.table)
    if try statement.step() {
      throw corrupt("would give the keys of objects in \(root.table) again")
    }
  }
}
