import DataModel

/// The statements that make a store's tables.
enum StoreSQL {
  /// What is kept in the file's header, so that a tool can tell what it is: "CTRL".
  static let applicationID: Int64 = 0x4354_524c
  /// The format of the tables below; a file with a higher one is refused.
  static let formatVersion: Int64 = 1

  /// The store's own tables.
  ///
  /// They are what `Schemas/store/1.sql` shows.
  static let ownTables = [
    // Facts about the store, and what its users add, by name.
    "CREATE TABLE contrail_store (name TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID",
    // Numbers are given once, and kept when the entity or property is gone.
    """
    CREATE TABLE contrail_entity (number INTEGER PRIMARY KEY, name TEXT NOT NULL, \
    table_name TEXT NOT NULL, is_live INTEGER NOT NULL)
    """,
    """
    CREATE TABLE contrail_property (number INTEGER PRIMARY KEY, entity INTEGER NOT NULL, \
    name TEXT NOT NULL, place TEXT NOT NULL, order_column TEXT NOT NULL, is_live INTEGER NOT NULL)
    """,
    // Keys from `next` on are free; those below were given or are reserved.
    "CREATE TABLE contrail_key (table_name TEXT PRIMARY KEY NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID",
    // Names of authors and processes, each written once.
    "CREATE TABLE contrail_name (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)",
    // One row for each commit. `first_change` and `change_count` point into contrail_change.
    """
    CREATE TABLE contrail_transaction (number INTEGER PRIMARY KEY, time REAL NOT NULL, \
    author INTEGER, process INTEGER, first_change INTEGER NOT NULL, change_count INTEGER NOT NULL)
    """,
    // One row for each changed object, or for a run of `count` objects that were inserted one after
    // the other. `kind`: 1 insert, 2 update, 3 delete.
    """
    CREATE TABLE contrail_change (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, \
    entity INTEGER NOT NULL, key INTEGER NOT NULL, count INTEGER NOT NULL, properties BLOB, \
    tombstone BLOB)
    """,
    // Entities whose objects moved to a table where others may have had their keys: those below
    // `shift` became higher by it.
    "CREATE TABLE contrail_moved (number INTEGER PRIMARY KEY, entity INTEGER NOT NULL, shift INTEGER NOT NULL)",
    // One row for each migration: from and to which version, by which stage, and the number in history.
    """
    CREATE TABLE contrail_migration (number INTEGER PRIMARY KEY, time REAL NOT NULL, \
    source TEXT NOT NULL, target TEXT NOT NULL, stage TEXT, transaction_number INTEGER)
    """,
    // Who reads history, and how far: what a reader has not read is not purged.
    """
    CREATE TABLE contrail_reader (name TEXT PRIMARY KEY NOT NULL, transaction_number INTEGER NOT NULL, \
    time REAL NOT NULL) WITHOUT ROWID
    """,
  ]

  /// The tables and indexes of the objects of `layout`.
  static func objectTables(_ layout: StoreLayout) -> [String] {
    let roots = layout.entities.filter { $0.root == $0.index }
    return roots.map { table($0, layout) } + layout.pairTables.flatMap(pairTable)
      + indexes(layout).map(\.sql)
  }

  /// The table of a hierarchy: columns of all its entities, each once.
  static func table(_ root: EntityLayout, _ layout: StoreLayout) -> String {
    var columns = [
      "\(SystemColumn.key) INTEGER PRIMARY KEY", "\(SystemColumn.version) INTEGER NOT NULL",
    ]
    if root.sharesTable { columns.append("\(SystemColumn.entity) INTEGER NOT NULL") }
    for slot in columnSlots(root, layout) { columns.append(column(slot)) }
    return "CREATE TABLE \(quoted(root.table)) (\(columns.joined(separator: ", ")))"
  }

  /// The slots with columns of all entities of a hierarchy, each column once.
  static func columnSlots(_ root: EntityLayout, _ layout: StoreLayout) -> [Slot] {
    var seen: Set<String> = []
    return root.family.flatMap { index in
      let entity = layout.entities[index]
      return entity.columnSlots.map { entity.slots[$0] }
    }.filter { seen.insert($0.column ?? "").inserted }
  }

  static func column(_ slot: Slot) -> String {
    "\(quoted(slot.column ?? "")) \(slot.kind.columnType ?? "BLOB")"
  }

  static func pairTable(_ pairs: PairTable) -> [String] {
    let table = quoted(pairs.table)
    return [
      """
      CREATE TABLE \(table) (source INTEGER NOT NULL, target INTEGER NOT NULL, \
      source_order INTEGER, target_order INTEGER, PRIMARY KEY (source, target)) WITHOUT ROWID
      """,
      "CREATE INDEX \(quoted(pairs.table + PairTable.indexSuffix)) ON \(table) (target, source)",
    ]
  }
}

extension StoreSQL {
  /// An index that a layout asks for.
  struct IndexRow: Hashable {
    var name: String
    var table: String
    /// The columns as SQL writes them.
    var columns: [String]
    var sql: String
  }

  /// The indexes of `layout`: of the schema, of unique constraints, and of relationships that are
  /// looked up from the other side.
  static func indexes(_ layout: StoreLayout) -> [IndexRow] {
    // Tables and indexes share their names, and SQLite does not tell upper from lower case.
    var taken: Set<String> = []
    for entity in layout.entities { taken.insert(entity.table.lowercased()) }
    for pairs in layout.pairTables {
      taken.insert(pairs.table.lowercased())
      taken.insert((pairs.table + PairTable.indexSuffix).lowercased())
    }
    var seen: Set<IndexRow> = []
    let wanted = layout.entities.flatMap { entity in
      foreignKeyIndexes(entity, layout) + uniqueIndexes(entity, layout)
        + schemaIndexes(entity)
    }
    return wanted.filter { seen.insert($0).inserted }.map { row in
      var name = row.name
      var suffix = 2
      while !taken.insert(name.lowercased()).inserted {
        name = "\(row.name)_\(suffix)"
        suffix += 1
      }
      return name == row.name ? row : index(name, row.table, row.columns)
    }
  }

  private static func foreignKeyIndexes(
    _ entity: EntityLayout, _ layout: StoreLayout
  ) -> [IndexRow] {
    entity.slots.compactMap { slot in
      guard let relationship = slot.relationship, relationship.owner == entity.name,
        relationship.inverse != nil, case .ownColumn(let column, let order) = relationship.place
      else { return nil }
      let columns = [column] + (order.map { [$0] } ?? [])
      return index("\(entity.table)_\(column)_objects", entity.table, columns.map(quoted))
    }
  }

  /// NB: not UNIQUE in SQL.
  ///
  /// Values swap between objects within one transaction, which SQLite would refuse half-way; the
  /// writer checks them, with these indexes, before it commits.
  private static func uniqueIndexes(_ entity: EntityLayout, _ layout: StoreLayout) -> [IndexRow] {
    entity.uniqueness.map { constraint in
      let columns = constraint.slots.compactMap { entity.slots[$0].column }
      return index(
        "\(entity.table)_\(columns.joined(separator: "_"))_unique", entity.table,
        columns.map(quoted))
    }
  }

  private static func schemaIndexes(_ entity: EntityLayout) -> [IndexRow] {
    entity.schema.indexes.compactMap { index in
      let terms = index.elements.map { indexTerms($0, entity) }
      guard !terms.isEmpty, terms.allSatisfy({ !$0.isEmpty }) else { return nil }
      return Self.index(
        "\(entity.name)_\(index.name)_index", entity.table, terms.flatMap { $0 })
    }
  }

  /// The columns that an element of an index names, in their order; none where one of them has no column.
  private static func indexTerms(
    _ element: Schema.Index.Element, _ entity: EntityLayout
  ) -> [String] {
    guard !element.isExpression else { return [] }
    let slots = entity.slots.indices(of: element.subject)
    let columns = slots.compactMap { entity.slots[$0].column }
    guard columns.count == slots.count else { return [] }
    return columns.map { quoted($0) + (element.isAscending ? "" : " DESC") }
  }

  private static func index(_ name: String, _ table: String, _ columns: [String]) -> IndexRow {
    let isReserved = name.lowercased().hasPrefix("sqlite_")
    let name = (isReserved ? "entity_" + name : name).replacing("\0", with: "_")
    return IndexRow(
      name: name, table: table, columns: columns,
      sql: "CREATE INDEX \(quoted(name)) ON \(quoted(table)) (\(columns.joined(separator: ", ")))")
  }
}

extension PairTable {
  /// What follows a table's name in the name of its index by targets.
  static let indexSuffix = "_target"
}

/// A name as SQL writes it, so that any text can be one.
func quoted(_ name: String) -> String {
  // Hardly any name has a quote, and replacing looks at each character.
  let inner =
    name.utf8.contains(UInt8(ascii: "\"")) ? name.replacing("\"", with: "\"\"") : name
  return "\"\(inner)\""
}
