import DataModel

/// Decides how a store gets from one schema to another; touches no store.
///
/// Tables, columns and indexes end as those of a store made anew. What can stay where it is stays: a new
/// column with a constant default touches no row, nor do renamed tables and columns. Rows are written
/// where their values become others, and copied where an entity leaves a hierarchy or joins one.
final class MigrationPlanner {
  let map: MigrationMap
  let forecast: MigrationForecast
  /// Whether what the new schema has not is kept aside, for a stage to read.
  let keepsRemoved: Bool
  private(set) var steps: [MigrationPlan.Step] = []
  fileprivate var leftovers: [String] = []
  var removed: [MigrationPlan.RemovedProperty] = []
  /// What old tables and their columns are called once all names are settled.
  private var tableNames: [String: String] = [:]
  private var columnNames: [String: [String: String]] = [:]
  /// The columns of kept tables that are dropped at the end.
  private var dropped: [String: [String]] = [:]
  private(set) var links: [LinkPlan] = []

  /// Takes the schema and the catalogue of a store, and the schema that is asked for.
  init(
    from source: Schema, _ catalogue: Catalogue, to target: Schema, keepsRemoved: Bool = false
  ) {
    let lineage = Lineage(source, target)
    map = MigrationMap(
      StoreLayout(source, catalogue),
      StoreLayout(target, catalogue.carried(to: target, lineage)), lineage)
    forecast = MigrationForecast(from: source, to: target)
    self.keepsRemoved = keepsRemoved
  }

  var old: StoreLayout { map.old }
  var new: StoreLayout { map.new }

  /// The plan, without what the data says to it.
  func plan() -> MigrationPlan {
    links = linkPlans()
    let fates = map.sortedTables.map { ($0, columnFates($0)) }
    dropStaleIndexes(fates)
    settleTableNames()
    for (table, fates) in fates where table.carried != nil { settleColumns(table, fates) }
    for table in map.sortedTables where table.carried == nil { create(table) }
    createPairTables()
    for table in map.sortedTables { noteShifts(table) }
    for (table, _) in fates where !table.entering.isEmpty { copyRows(table) }
    for (table, fates) in fates where table.carried != nil { fillColumns(table, fates) }
    for link in links { fill(link) }
    for (table, fates) in fates { deleteRows(table, fates) }
    for link in links { clean(link) }
    for table in map.sortedTables { fillMissing(table) }
    dropColumns()
    dropTables()
    createIndexes(fates)
    if keepsRemoved { noteRemoved() }
    return MigrationPlan(
      source: old.schema, target: new.schema, forecast: forecast, steps: steps, checks: checks(),
      catalogue: new.catalogue, renumbered: renumbered(), keySources: keySources(),
      shiftedEntities: map.tables.values.flatMap(\.shifted).sorted(),
      sourceNumbers: Dictionary(
        old.entities.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first }),
      removed: removed, leftovers: leftovers)
  }

  func add(
    _ title: String, _ sql: [String], changes: [MigrationPlan.ChangedRows] = [],
    changesTables: Bool = true
  ) {
    if sql.isEmpty { return }
    steps.append(
      MigrationPlan.Step(title: title, sql: sql, changesTables: changesTables, changes: changes))
  }

  /// What an old table is called at the time when rows are copied.
  func current(_ oldTable: String) -> String { tableNames[oldTable] ?? oldTable }

  /// What a column of an old table is called at that time.
  func current(_ column: String, in oldTable: String) -> String {
    columnNames[oldTable]?[column] ?? column
  }
}

// MARK: Names

extension MigrationPlanner {
  private var newTableNames: Set<String> {
    Set((map.sortedTables.map(\.root.table) + new.pairTables.map(\.table)).map { $0.lowercased() })
  }

  /// Says where properties are kept that objects have no longer, or not as they were.
  private func noteRemoved() {
    let noted = Set(removed.map(\.entity))
    for entity in old.entities
    where !entity.schema.isAbstract && entity.hasTable(old) && !noted.contains(entity.name) {
      let mover = map.tables.values.flatMap(\.movers).first { $0.old === entity }
      let isKeptTable = map.carried[entity.table] != nil
      for slot in entity.slots {
        noteRemovedPairs(entity, slot, mover)
        guard let column = slot.column, !slot.isOrder else { continue }
        let name = current(column, in: entity.table)
        // What a kept table has under a name of the new schema is no leftover.
        if isKeptTable && !(dropped[current(entity.table)] ?? []).contains(name) { continue }
        removed.append(
          MigrationPlan.RemovedProperty(
            entity: entity.name, property: slot.name, table: current(entity.table), column: name,
            rows: rows(entity, isKeptTable),
            shifted: mover.flatMap { shifted.contains($0.new.number) ? $0.new.number : nil }))
      }
    }
  }

  /// Links of a table of pairs that no table of the new schema is.
  private func noteRemovedPairs(
    _ entity: EntityLayout, _ slot: Slot, _ mover: MigrationMap.Mover?
  ) {
    guard case .pairs(let pairs)? = slot.relationship?.place,
      !links.contains(where: { $0.carriedTable == pairs.table })
    else { return }
    let members = "SELECT _id FROM \(quoted(current(entity.table)))"
    let isKeptTable = map.carried[entity.table] != nil
    removed.append(
      MigrationPlan.RemovedProperty(
        entity: entity.name, property: slot.name, table: current(pairs.table), column: pairs.far,
        rows: entity.sharesTable
          ? "\(pairs.near) IN (\(members) WHERE \(rows(entity, isKeptTable)))" : "1",
        key: pairs.near,
        shifted: mover.flatMap { shifted.contains($0.new.number) ? $0.new.number : nil }))
  }

  private var shifted: Set<Int> { Set(map.tables.values.flatMap(\.shifted)) }

  private func rows(_ entity: EntityLayout, _ isKeptTable: Bool) -> String {
    let isShared = isKeptTable ? map.tables[map.carried[entity.table] ?? -1]?.root.sharesTable : nil
    return isShared ?? entity.sharesTable ? "\(SystemColumn.entity) = \(entity.number)" : "1"
  }

  func noteRemovedRows(_ entity: EntityLayout, _ table: String) {
    for slot in entity.slots {
      guard let column = slot.column, !slot.isOrder else { continue }
      removed.append(
        MigrationPlan.RemovedProperty(
          entity: entity.name, property: slot.name, table: table,
          column: current(column, in: entity.table), rows: "1", shifted: nil))
    }
    leftovers.append("DROP TABLE \(quoted(table))")
  }

  /// Gives kept tables their new names, and others that stand in the way hidden ones.
  private func settleTableNames() {
    let wanted = newTableNames
    let kept = Dictionary(
      map.carried.map { ($0, map.tables[$1]?.root.table ?? $0) }
        + links.compactMap { link in link.carriedTable.map { ($0, link.pairs?.table ?? $0) } },
      uniquingKeysWith: { first, _ in first })
    var renames: [(String, String, String)] = []
    var number = 0
    for table in oldTables {
      let target = kept[table]
      if target == table { continue }
      number += 1
      let isInTheWay = wanted.contains(table.lowercased())
      if isInTheWay || (target == nil && keepsRemoved) {
        let hidden = "contrail_old_\(number)_\(table)"
        add("\(table): set aside", [rename(table, hidden)])
        tableNames[table] = hidden
      }
      if let target { renames.append((table, tableNames[table] ?? table, target)) }
    }
    for (table, present, target) in renames {
      add("\(table): table renamed to \(target)", [rename(present, target)])
      tableNames[table] = target
    }
  }

  private func rename(_ table: String, _ name: String) -> String {
    "ALTER TABLE \(quoted(table)) RENAME TO \(quoted(name))"
  }

  private var oldTables: [String] {
    let roots = old.entities.filter { $0.root == $0.index }.map(\.table)
    return (roots + old.pairTables.map(\.table)).sorted { $0.precedesInBytes($1) }
  }

  /// Renames, sets aside and adds columns of a kept table.
  private func settleColumns(_ table: MigrationMap.Table, _ fates: [ColumnFate]) {
    guard let before = table.carried else { return }
    let name = table.root.table
    let present = StoreSQL.columnSlots(before, old).compactMap(\.column)
    let wanted = Set(fates.map { $0.column.lowercased() })
    var targets: [String: String] = [:]
    for fate in fates { if let source = fate.carriedFrom { targets[source] = fate.column } }
    var taken = Set(present.map { $0.lowercased() }).union(wanted)
    var sql: [String] = []
    var second: [String] = []
    func hide(_ column: String) -> String {
      var hidden = "_old_\(column)"
      while !taken.insert(hidden.lowercased()).inserted { hidden = "_" + hidden }
      sql.append(renameColumn(name, column, hidden))
      columnNames[before.table, default: [:]][column] = hidden
      return hidden
    }
    var titles: [String] = []
    for column in present where targets[column] != column {
      var now = column
      let isInTheWay = wanted.contains(column.lowercased())
      let target = targets[column]
      if isInTheWay || (target == nil && keepsRemoved) { now = hide(column) }
      if let target {
        second.append(renameColumn(name, now, target))
        columnNames[before.table, default: [:]][column] = target
        titles.append("\(column) to \(target)")
      } else {
        dropped[name, default: []].append(now)
      }
    }
    add(
      "\(name): columns "
        + (titles.isEmpty ? "set aside" : "renamed: " + titles.joined(separator: ", ")),
      sql + second)
    addEntityColumn(table, before)
    for fate in fates where fate.carriedFrom == nil {
      let value = constantDefault(fate, table).map { " DEFAULT \($0)" } ?? ""
      add(
        "\(name): new column \(fate.column)",
        ["ALTER TABLE \(quoted(name)) ADD COLUMN \(StoreSQL.column(fate.slot))\(value)"])
    }
  }

  private func renameColumn(_ table: String, _ column: String, _ name: String) -> String {
    "ALTER TABLE \(quoted(table)) RENAME COLUMN \(quoted(column)) TO \(quoted(name))"
  }

  /// A table that is shared from now on says whose each row is; rows that are there are of one entity.
  private func addEntityColumn(_ table: MigrationMap.Table, _ before: EntityLayout) {
    let name = table.root.table
    if table.root.sharesTable && !before.sharesTable {
      let number = table.staying.first?.new.number ?? table.root.number
      add(
        "\(name): the table is shared",
        [
          """
          ALTER TABLE \(quoted(name)) ADD COLUMN \(SystemColumn.entity) INTEGER NOT NULL \
          DEFAULT \(number)
          """
        ])
    } else if before.sharesTable && !table.root.sharesTable {
      dropped[name, default: []].append(SystemColumn.entity)
    }
  }
}

// MARK: What is made and dropped

extension MigrationPlanner {
  private func create(_ table: MigrationMap.Table) {
    add("\(table.root.table): new table", [StoreSQL.table(table.root, new)])
  }

  private func createPairTables() {
    for pairs in new.pairTables
    where !links.contains(where: { $0.carriedTable != nil && $0.pairs?.table == pairs.table }) {
      add(
        "\(pairs.table): new table of pairs", StoreSQL.pairTable(pairs).prefix(1).map { $0 })
    }
  }

  private func dropColumns() {
    for (table, columns) in dropped.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      let sql = columns.map { "ALTER TABLE \(quoted(table)) DROP COLUMN \(quoted($0))" }
      if keepsRemoved {
        let (now, later) = (
          sql.filter { $0.hasSuffix(" " + quoted(SystemColumn.entity)) },
          sql.filter { !$0.hasSuffix(" " + quoted(SystemColumn.entity)) }
        )
        add("\(table): columns dropped", now)
        leftovers += later
      } else {
        add("\(table): columns dropped", sql)
      }
    }
  }

  private func dropTables() {
    for table in oldTables {
      let isKept =
        map.carried[table] != nil || links.contains { $0.carriedTable == table }
      if isKept { continue }
      let sql = "DROP TABLE \(quoted(current(table)))"
      if keepsRemoved { leftovers.append(sql) } else { add("\(table): table dropped", [sql]) }
    }
  }
}

// MARK: Indexes

extension MigrationPlanner {
  /// Indexes that are wanted as they are, by name.
  private func keptIndexes(_ fates: [(MigrationMap.Table, [ColumnFate])]) -> Set<String> {
    let wanted = Set(StoreSQL.indexes(new))
    var kept: Set<String> = []
    for (table, columns) in fates {
      guard let before = table.carried, before.table == table.root.table else { continue }
      let same = Set(columns.filter { $0.carriedFrom == $0.column }.map(\.column))
      let others = StoreSQL.columnSlots(before, old).compactMap(\.column)
        .filter { !same.contains($0) }
      for row in StoreSQL.indexes(old)
      where row.table == before.table && wanted.contains(row)
        && !others.contains(where: { row.sql.contains(quoted($0)) })
      {
        kept.insert(row.name)
      }
    }
    return kept
  }

  private func pairIndexes(_ pairs: PairTable) -> [StoreSQL.IndexRow] {
    StoreSQL.pairTable(pairs).dropFirst().map {
      StoreSQL.IndexRow(
        name: pairs.table + PairTable.indexSuffix, table: pairs.table,
        columns: ["target", "source"],
        sql: $0)
    }
  }

  private func isPairIndexKept(_ table: String) -> Bool {
    links.contains { $0.carriedTable == table && $0.pairs?.table == table }
  }

  private func dropStaleIndexes(_ fates: [(MigrationMap.Table, [ColumnFate])]) {
    let kept = keptIndexes(fates)
    let stale =
      StoreSQL.indexes(old).map(\.name).filter { !kept.contains($0) }
      + old.pairTables.filter { !isPairIndexKept($0.table) }.flatMap(pairIndexes).map(\.name)
    for name in stale {
      add(
        "\(name): index dropped", ["DROP INDEX IF EXISTS \(quoted(name))"], changesTables: false)
    }
  }

  private func createIndexes(_ fates: [(MigrationMap.Table, [ColumnFate])]) {
    let kept = keptIndexes(fates)
    let missing =
      StoreSQL.indexes(new).filter { !kept.contains($0.name) }
      + new.pairTables.filter { !isPairIndexKept($0.table) }.flatMap(pairIndexes)
    for row in missing { add("\(row.name): index built", [row.sql], changesTables: false) }
  }
}

// MARK: Keys and numbers

extension MigrationPlanner {
  private func keySources() -> [String: [String]] {
    var sources: [String: [String]] = [:]
    for table in map.sortedTables {
      let old = Set(table.movers.map(\.old.table) + (table.carried.map { [$0.table] } ?? []))
      if !old.isEmpty { sources[table.root.table] = old.sorted() }
    }
    return sources
  }

  /// Where objects of an entity hold a property by another number than before: history is rewritten.
  private func renumbered() -> [Int: [Int: Int]] {
    var result: [Int: [Int: Int]] = [:]
    for entity in new.entities where map.oldEntity(entity) != nil {
      for (after, before) in map.sources[entity.index] ?? [:] where after != before {
        result[entity.number, default: [:]][before] = after
      }
    }
    return result
  }
}
