import DataModel

/// What becomes of a column of a kept table, or where a new one gets its values.
struct ColumnFate {
  /// One entity's values: the old column, and how its values become new ones.
  struct Origin {
    var mover: MigrationMap.Mover
    var column: String
    var conversion: ValueConversion
  }

  /// The column's name in the new table, and a slot that describes it.
  var column: String
  var slot: Slot
  /// The old column that is renamed, or stays; nil for a new column.
  var carriedFrom: String?
  /// The entities whose rows hold their values in some old column.
  var origins: [Origin]
  /// The entities that have the property.
  var holders: [MigrationMap.Mover]
}

extension MigrationPlanner {
  /// The columns of a new table, each with what it comes from.
  func columnFates(_ table: MigrationMap.Table) -> [ColumnFate] {
    var claimed: Set<String> = []
    return StoreSQL.columnSlots(table.root, new).map { slot in
      let column = slot.column ?? ""
      let holders = table.movers.filter { $0.new.slots.contains { $0.column == column } }
      let origins = holders.filter { $0.old.table == table.carried?.table }
        .compactMap { origin($0, column) }
      var fate = ColumnFate(
        column: column, slot: slot, carriedFrom: nil, origins: origins, holders: holders)
      let sources = Set(origins.map(\.column))
      let only = sources.isEmpty ? restingColumn(table, column) : sources.first
      if let only, sources.count < 2,
        origins.allSatisfy(\.conversion.isInPlace), claimed.insert(only).inserted
      {
        fate.carriedFrom = only
      }
      return fate
    }
  }

  /// Without rows to ask, the column that the property had, if it may stay.
  private func restingColumn(_ table: MigrationMap.Table, _ column: String) -> String? {
    guard let before = table.carried else { return nil }
    for entity in table.root.family.map({ new.entities[$0] }) {
      guard let old = map.oldEntity(entity), old.table == before.table,
        let origin = origin(MigrationMap.Mover(old: old, new: entity), column),
        origin.conversion.isInPlace
      else { continue }
      return origin.column
    }
    return nil
  }

  /// The old column of one entity's values; nil where there is none, or links are made anew.
  private func origin(_ mover: MigrationMap.Mover, _ column: String) -> ColumnFate.Origin? {
    guard let slot = mover.new.slots.first(where: { $0.column == column }),
      let source = map.source(slot, of: mover.new)
    else { return nil }
    if slot.isOrder {
      guard isPlainLink(slot.number), case .ownColumn(_, let order?)? = source.relationship?.place,
        !order.isEmpty
      else { return nil }
      return ColumnFate.Origin(mover: mover, column: order, conversion: .same)
    }
    guard let from = source.column else { return nil }
    if slot.relationship != nil {
      guard source.kind == .reference, isPlainLink(slot.number) else { return nil }
      return ColumnFate.Origin(mover: mover, column: from, conversion: .same)
    }
    guard let before = source.attribute, let after = slot.attribute else { return nil }
    if after.derivation != nil {
      // What is derived in another way is computed anew; a time that was noted is kept.
      guard before.derivation == after.derivation, source.kind == slot.kind else { return nil }
      return ColumnFate.Origin(mover: mover, column: from, conversion: .same)
    }
    var conversion = ValueConversion(before, after)
    // Without a stage nothing runs while a value has no equal, so what is left are values that have.
    if !keepsRemoved && conversion.isIdentity { conversion.violation = nil }
    conversion.changesType = source.kind.columnType != slot.kind.columnType
    return ColumnFate.Origin(mover: mover, column: from, conversion: conversion)
  }

  private func isPlainLink(_ number: Int) -> Bool {
    links.first { $0.number == number }?.isPlainColumn == true
  }

  /// What all existing rows of a new column read without being touched; nil where not all read the same.
  func constantDefault(_ fate: ColumnFate, _ table: MigrationMap.Table) -> String? {
    guard fate.origins.isEmpty, !fate.slot.isOptional, fate.holders.count == table.movers.count,
      let holder = table.root.hasColumn(fate.column) ? table.root : fate.holders.first?.new,
      let slot = holder.slots.firstIndex(where: { $0.column == fate.column }),
      holder.slots[slot].attribute?.derivation == nil,
      let literal = SQLLiteral.defaultValue(slot, holder), SQLLiteral.isConstant(literal)
    else { return nil }
    return literal
  }

  /// Copies values into new columns of a kept table, and empties what is no longer held.
  func fillColumns(_ table: MigrationMap.Table, _ fates: [ColumnFate]) {
    guard let before = table.carried else { return }
    let name = quoted(table.root.table)
    for fate in fates where fate.carriedFrom == nil {
      let sql = fate.origins.map { origin in
        let value = quoted(current(origin.column, in: before.table))
        return "UPDATE \(name) SET \(quoted(fate.column)) = \(origin.conversion.converted(value))"
          + whereRows(origin.mover, table)
      }
      add("\(table.root.table).\(fate.column): values converted or moved", sql)
    }
    for fate in fates {
      guard let source = fate.carriedFrom else { continue }
      let strangers = table.staying.filter { mover in
        mover.old.hasColumn(source)
          && !fate.origins.contains { $0.mover.old === mover.old && $0.column == source }
      }
      add(
        "\(table.root.table).\(fate.column): emptied where it is held no longer",
        strangers.map {
          "UPDATE \(name) SET \(quoted(fate.column)) = NULL" + whereRows($0, table)
        })
    }
  }

  /// What selects an entity's rows in a kept table.
  private func whereRows(_ mover: MigrationMap.Mover, _ table: MigrationMap.Table) -> String {
    table.carried?.sharesTable == true ? " WHERE \(SystemColumn.entity) = \(mover.new.number)" : ""
  }

  /// Copies the rows of entities that come from other tables.
  func copyRows(_ table: MigrationMap.Table) {
    for mover in table.entering {
      var columns = [SystemColumn.key, SystemColumn.version]
      let isShifted = table.shifted.contains(mover.new.number)
      var values = [
        isShifted ? Self.shifted(SystemColumn.key, mover.new.number) : SystemColumn.key,
        SystemColumn.version,
      ]
      if table.root.sharesTable {
        columns.append(SystemColumn.entity)
        values.append(String(mover.new.number))
      }
      for slot in mover.new.slots {
        guard let column = slot.column, let origin = origin(mover, column) else { continue }
        columns.append(quoted(column))
        values.append(
          origin.conversion.converted(quoted(current(origin.column, in: mover.old.table))))
      }
      add(
        "\(mover.new.name): rows moved to \(table.root.table)",
        [
          """
          INSERT INTO \(quoted(table.root.table)) (\(columns.joined(separator: ", "))) \
          SELECT \(values.joined(separator: ", ")) FROM \(quoted(current(mover.old.table))) \
          WHERE \(mover.old.ownRows)
          """
        ])
    }
  }

  /// Deletes rows that have left a kept table, or whose entity is gone.
  func deleteRows(_ table: MigrationMap.Table, _ fates: [ColumnFate]) {
    guard let before = table.carried else { return }
    let staying = Set(table.staying.map { ObjectIdentifier($0.old) })
    let gone = before.family.map { old.entities[$0] }
      .filter { !$0.schema.isAbstract && !staying.contains(ObjectIdentifier($0)) }
    for entity in gone {
      let rows =
        before.sharesTable ? " WHERE \(SystemColumn.entity) = \(entity.number)" : ""
      // A table that was one entity's alone may have taken in others by now.
      let others = table.entering.isEmpty || before.sharesTable
      let isMoved = map.newEntity(entity) != nil
      var sql: [String] = []
      if keepsRemoved && !isMoved {
        let hidden = "contrail_old_rows_\(entity.number)"
        sql.append(
          "CREATE TABLE \(quoted(hidden)) AS SELECT * FROM \(quoted(table.root.table))" + rows)
        noteRemovedRows(entity, hidden)
      }
      sql.append(
        "DELETE FROM \(quoted(table.root.table))"
          + (others ? rows : " WHERE \(SystemColumn.entity) = \(table.root.number)"))
      add("\(entity.name): rows \(isMoved ? "have left" : "deleted from") \(before.table)", sql)
    }
  }

  /// Gives what must have a value, and has none, its default; that is a change of the object.
  func fillMissing(_ table: MigrationMap.Table) {
    let name = quoted(table.root.table)
    for mover in table.movers {
      for (index, slot) in mover.new.slots.enumerated() {
        guard let column = slot.column, let attribute = slot.attribute, !slot.isOptional,
          attribute.derivation == nil, let literal = SQLLiteral.defaultValue(index, mover.new)
        else { continue }
        let source = map.source(slot, of: mover.new)
        let had = source?.attribute.map { $0.derivation == nil && source?.column != nil } == true
        if !had && isConstantColumn(column, table) { continue }
        // What was required, and is kept as it was, has its values.
        if had, source?.isOptional == false, let old = source?.attribute,
          ValueConversion(old, attribute).violation == nil
        {
          continue
        }
        let rows =
          "\(quoted(column)) IS NULL"
          + (table.root.sharesTable ? " AND \(SystemColumn.entity) = \(mover.new.number)" : "")
        let update =
          "UPDATE \(name) SET \(quoted(column)) = \(literal), _version = _version + 1 WHERE \(rows)"
        let changes = MigrationPlan.ChangedRows(
          keys: "SELECT _id FROM \(name) WHERE \(rows)", entity: mover.new.number,
          property: slot.number)
        add(
          "\(mover.new.name).\(slot.name): objects without a value get \(literal)", [update],
          changes: had ? [changes] : [])
      }
    }
  }

  private func isConstantColumn(_ column: String, _ table: MigrationMap.Table) -> Bool {
    guard table.carried != nil, table.entering.isEmpty,
      let fate = columnFates(table).first(where: { $0.column == column })
    else { return false }
    return fate.carriedFrom == nil && constantDefault(fate, table) != nil
  }

  /// A key as it is once its object has moved to a table where another may have it.
  static func shifted(_ key: String, _ entity: Int) -> String {
    """
    (\(key) + (SELECT shift FROM contrail_moved WHERE entity = \(entity) \
    ORDER BY number DESC LIMIT 1))
    """
  }

  /// Says by how much keys are shifted: beyond every key of both tables, so that an old key and a new
  /// one of the same entity are never the same number.
  func noteShifts(_ table: MigrationMap.Table) {
    let tables = Set(table.movers.map(\.old.table)).union(table.carried.map { [$0.table] } ?? [])
    let names = tables.sorted().map(SQLLiteral.text).joined(separator: ", ")
    for number in table.shifted.sorted() {
      add(
        "\(new.entity(number: number)?.name ?? ""): keys go on after those of \(table.root.table)",
        [
          """
          INSERT INTO contrail_moved (entity, shift) SELECT \(number), ifnull(max(next), 1) \
          FROM contrail_key WHERE table_name IN (\(names))
          """
        ])
    }
  }
}

extension EntityLayout {
  func hasColumn(_ name: String) -> Bool { slots.contains { $0.column == name } }
}
