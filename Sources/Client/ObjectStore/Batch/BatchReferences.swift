import DataModel
import SQLiteDriver

/// Sets to-one relationships of many rows by identities: the other side is kept the same as a context
/// keeps it.
final class BatchReferences {
  private let layout: EntityLayout
  private let all: StoreLayout
  private let connection: Connection
  /// Slots with a reference in the row and a place in the order of the other side.
  private let ordered: [(slot: Int, order: Int, column: String, orderColumn: String)]
  /// Slots whose other side holds one object too.
  private let single: [Int]
  /// Slots whose other side may hold only so many.
  private let limited: [(slot: Int, inverse: Slot, max: Int)]
  private var known: [Int: Set<Int64>] = [:]
  private var lastPlaces: [Int: [Int64: Int64]] = [:]
  private var limitedTargets: [Int: Set<Int64>] = [:]

  /// Nil for an entity without to-one relationships.
  init?(_ layout: EntityLayout, _ all: StoreLayout, _ transaction: WriteTransaction) {
    let toOne = layout.slots.indices.filter {
      layout.slots[$0].relationship?.schema.isToMany == false
    }
    if toOne.isEmpty { return nil }
    self.layout = layout
    self.all = all
    connection = transaction.connection
    ordered = toOne.compactMap { slot in
      guard case .ownColumn(let column, let order?)? = layout.slots[slot].relationship?.place,
        let place = layout.slot(layout.slots[slot].name + Slot.orderSuffix)
      else { return nil }
      return (slot, place, column, order)
    }
    single = toOne.filter { layout.inverse($0, all)?.relationship?.schema.isToMany == false }
    limited = toOne.compactMap { slot in
      guard layout.slots[slot].kind == .reference, let inverse = layout.inverse(slot, all),
        let schema = inverse.relationship?.schema, schema.isToMany, schema.maximumCount > 0
      else { return nil }
      return (slot, inverse, schema.maximumCount)
    }
  }

  /// Why an object cannot be referred to; nil where it can.
  func failure(_ slot: Int, _ target: ObjectIdentity, _ store: Store) throws -> StoreError? {
    guard let relationship = layout.slots[slot].relationship else { return nil }
    let destination = all.entities[relationship.destination]
    let name = "\(layout.name).\(layout.slots[slot].name)"
    if target.store != store.identifier {
      return StoreError(.otherContext, name, "the object \(target) is of another store")
    }
    if known[destination.index]?.contains(target.key) == true { return nil }
    let family = destination.family.map { String(all.entities[$0].number) }
    let filter =
      destination.sharesTable ? " AND _entity IN (\(family.joined(separator: ", ")))" : ""
    let given = all.entity(target.entity)
    guard given?.table == destination.table else {
      return .wrongDestination(name, expected: destination.name, found: target.entity)
    }
    let statement = try connection.statement(
      "SELECT 1 FROM \(quoted(destination.table)) WHERE _id = ?1\(filter)")
    defer { statement.reset() }
    statement.bind(1, target.key)
    guard try statement.step() else {
      return StoreError(
        .missingObject, name, "the object \(target) is not in the store, or no \(destination.name)",
        fix: "insert it first, or leave the relationship empty")
    }
    if known[destination.index, default: []].count >= BatchLimits.knownTargetsMax {
      known[destination.index] = []
    }
    known[destination.index, default: []].insert(target.key)
    return nil
  }

  /// Puts a row behind all others in the orders that it comes to be in; with `old`, only where the
  /// reference differs from what it was.
  func place(_ row: Row, unlike old: Row? = nil) throws {
    for (slot, order, column, orderColumn) in ordered {
      if let old, old.isEqual(slot, row, layout) { continue }
      row.clear(order, layout)
      guard row.isPresent(slot) else { continue }
      let target = row.reference(slot, layout).key
      let last: Int64
      if let known = lastPlaces[slot]?[target] {
        last = known
      } else {
        let statement = try connection.statement(
          """
          SELECT ifnull(max(\(quoted(orderColumn))), 0) FROM \(quoted(layout.table)) \
          WHERE \(quoted(column)) = ?1
          """)
        defer { statement.reset() }
        statement.bind(1, target)
        last = try statement.step() ? statement.integer(0) : 0
      }
      let place = last > .max - SparseOrder.gap ? last : last + SparseOrder.gap
      row.set(order, place, layout)
      if (lastPlaces[slot]?.count ?? 0) >= BatchLimits.knownTargetsMax { lastPlaces[slot] = nil }
      lastPlaces[slot, default: [:]][target] = place
    }
  }

  /// Makes the other sides of a row that was written say the same; returns what must not be.
  func link(
    _ row: borrowing BatchRow, _ key: Int64, _ batch: BatchInserting
  ) throws -> [StoreError] {
    var failures: [StoreError] = []
    for (slot, _, _) in limited where row.row.isPresent(slot) {
      limitedTargets[slot, default: []].insert(row.row.reference(slot, layout).key)
    }
    for slot in single {
      switch layout.slots[slot].relationship?.place {
      case .ownColumn(let column, _):
        let target = row.row.isPresent(slot) ? row.row.reference(slot, layout).key : nil
        if let target {
          failures += try takeAway(slot, layout, column, target, keeping: key, batch)
        }
        // Where both ends are one relationship, both rows have the key of the other.
        guard let inverse = layout.inverse(slot, all), inverse.kind == .reference else { continue }
        if row.touched.contains(slot) {
          failures += try takeAway(slot, layout, column, key, keeping: target ?? 0, batch)
        }
        if let target { try give(inverse, layout.table, column, target, key, batch) }
      case .farColumn(let table, let column, _):
        guard let far = layout.farEntity(slot, all), let inverse = layout.inverse(slot, all),
          let farSlot = far.slot(inverse.name),
          let (_, target) = row.farTargets.first(where: { $0.slot == slot })
        else { continue }
        failures += try takeAway(farSlot, far, column, key, keeping: target?.key ?? 0, batch)
        if let target { try give(inverse, table, column, target.key, key, batch) }
      case .pairs, nil: continue
      }
    }
    return failures
  }

  /// Nobody but `kept` refers to `target` any longer.
  private func takeAway(
    _ slot: Int, _ entity: EntityLayout, _ column: String, _ target: Int64, keeping kept: Int64,
    _ batch: BatchInserting
  ) throws -> [StoreError] {
    let statement = try connection.statement(
      """
      UPDATE \(quoted(entity.table)) SET \(quoted(column)) = NULL, _version = _version + 1 \
      WHERE \(quoted(column)) = ?1 AND _id <> ?2 \
      RETURNING _id, \(entity.sharesTable ? "_entity" : String(entity.number))
      """)
    defer { statement.reset() }
    statement.bind(1, target)
    statement.bind(2, kept)
    var failures: [StoreError] = []
    while try statement.step() {
      note(statement, entity.table, [entity.slots[slot].number], batch)
      if entity.slots[slot].relationship?.schema.isOptional == false {
        failures.append(
          StoreError(
            .missingValue, "\(entity.name).\(entity.slots[slot].name)",
            "the object \(statement.integer(0)) would be left without one, and needs it"))
      }
    }
    return failures
  }

  /// The object with `key` refers to `target`.
  private func give(
    _ slot: Slot, _ table: String, _ column: String, _ key: Int64, _ target: Int64,
    _ batch: BatchInserting
  ) throws {
    let entity = all.entities.first { $0.table == table }
    let number =
      entity.map { $0.sharesTable ? SystemColumn.entity : String($0.number) } ?? "0"
    let statement = try connection.statement(
      """
      UPDATE \(quoted(table)) SET \(quoted(column)) = ?1, _version = _version + 1 \
      WHERE _id = ?2 AND \(quoted(column)) IS NOT ?1 RETURNING _id, \(number)
      """)
    defer { statement.reset() }
    statement.bind(1, target)
    statement.bind(2, key)
    while try statement.step() { note(statement, table, [slot.number], batch) }
  }

  private func note(
    _ statement: Statement, _ table: String, _ numbers: [Int], _ batch: BatchInserting
  ) {
    let key = statement.integer(0)
    if batch.isNew(key, table) { return }
    batch.updates.note(Int(clamping: statement.integer(1)), key, numbers)
  }

  /// Objects that more refer to by now than may.
  func tooManyFailures() throws -> [StoreError] {
    var failures: [StoreError] = []
    for (slot, inverse, maximum) in limited {
      guard let targets = limitedTargets[slot], let column = layout.slots[slot].column else {
        continue
      }
      let statement = try connection.statement(
        """
        SELECT \(quoted(column)), count(*) FROM \(quoted(layout.table)) \
        WHERE \(quoted(column)) IN (SELECT value FROM json_each(?1)) \
        GROUP BY 1 HAVING count(*) > ?2 LIMIT \(BatchLimits.failuresMax)
        """)
      defer { statement.reset() }
      statement.bind(1, KeyList.text(targets.sorted()))
      statement.bind(2, Int64(maximum))
      let owner = all.entities[layout.slots[slot].relationship?.destination ?? layout.index]
      while try statement.step() {
        failures.append(
          StoreError(
            .tooMany, "\(owner.name).\(inverse.name)",
            "the object \(statement.integer(0)) has "
              + "\(counted(Int(clamping: statement.integer(1)), "object")), and may have \(maximum)"
          ))
      }
    }
    return failures
  }
}

extension EntityLayout {
  /// The layout of the objects of a relationship.
  func farEntity(_ slot: Int, _ all: StoreLayout) -> EntityLayout? {
    slots[slot].relationship.map { all.entities[$0.destination] }
  }

  /// The slot at the other end of a relationship.
  func inverse(_ slot: Int, _ all: StoreLayout) -> Slot? {
    guard let name = slots[slot].relationship?.inverse, let far = farEntity(slot, all) else {
      return nil
    }
    return far.slot(name).map { far.slots[$0] }
  }
}
