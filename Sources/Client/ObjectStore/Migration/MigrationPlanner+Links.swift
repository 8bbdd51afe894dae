import DataModel

/// What becomes of the links that a column of keys or a table of pairs of the new schema holds.
struct LinkPlan {
  /// The number of the relationship that holds them.
  var number: Int
  var owner: EntityLayout
  var slot: Slot
  var relationship: RelationshipLayout
  /// Where the links were.
  var sources: [LinkSource]
  /// Whether keys are copied, or stay, like any other column.
  var isPlainColumn = false
  /// The old table of pairs that stays, perhaps under another name.
  var carriedTable: String?
  /// Whether some links may lead to, or come from, objects that are of the entity no longer.
  var needsCleaning = false

  var pairs: PairTable? {
    if case .pairs(let pairs) = relationship.place { pairs } else { nil }
  }

  var column: (name: String, order: String?)? {
    if case .ownColumn(let name, let order) = relationship.place { (name, order) } else { nil }
  }
}

/// Links of the old schema, seen from the end that holds them now.
struct LinkSource {
  /// The entity and the relationship, or for a reversed source its inverse.
  var entity: EntityLayout
  var slot: Slot
  var relationship: RelationshipLayout
  /// Whether the relationship is the inverse of the one that the links are for.
  var isReversed: Bool
}

extension MigrationPlanner {
  /// One plan for each relationship that holds keys.
  func linkPlans() -> [LinkPlan] {
    new.entities.flatMap { entity -> [LinkPlan] in
      guard entity.hasTable(new) else { return [] }
      return entity.slots.compactMap { slot in
        guard let relationship = slot.relationship, relationship.owner == entity.name,
          slot.number > 0
        else { return nil }
        if case .farColumn = relationship.place { return nil }
        if case .pairs(let pairs) = relationship.place, pairs.near != "source" { return nil }
        return linkPlan(entity, slot, relationship)
      }
    }
  }

  private func linkPlan(
    _ entity: EntityLayout, _ slot: Slot, _ relationship: RelationshipLayout
  ) -> LinkPlan {
    var plan = LinkPlan(
      number: slot.number, owner: entity, slot: slot, relationship: relationship,
      sources: linkSources(entity, slot, relationship))
    plan.needsCleaning = plan.sources.contains { needsCleaning($0, plan) }
    guard plan.sources.count == 1, let source = plan.sources.first else { return plan }
    let isShifted =
      !map.shifted(inOldTable: old.entities[source.relationship.destination].table).isEmpty
    if isShifted { return plan }
    switch (source.relationship.place, relationship.place) {
    case (.ownColumn, .ownColumn): plan.isPlainColumn = !source.isReversed
    case (.pairs(let before), .pairs(let after)):
      let isSame = (before.near == "source") != source.isReversed
      let isNearShifted = !map.shifted(inOldTable: source.entity.table).isEmpty
      if isSame && !isNearShifted && before.isMirrored == after.isMirrored {
        plan.carriedTable = before.table
      }
    default: break
    }
    return plan
  }

  /// The old relationships whose links become those of a new one: what it was, and what its inverse was
  /// where that held links of its own.
  private func linkSources(
    _ entity: EntityLayout, _ slot: Slot, _ relationship: RelationshipLayout
  ) -> [LinkSource] {
    var sources: [LinkSource] = []
    var seen: Set<Int> = []
    func add(_ holders: EntityLayout, _ number: Int, _ far: EntityLayout, isReversed: Bool) {
      for holder in holders.family.map({ new.entities[$0] }) {
        guard let before = map.sources[holder.index]?[number], let found = map.oldSlot(before),
          let link = found.slot.relationship, link.ownerNumber > 0,
          seen.insert(link.ownerNumber).inserted, survives(link, in: far), survives(holder)
        else { continue }
        sources.append(
          LinkSource(
            entity: found.entity, slot: found.slot, relationship: link, isReversed: isReversed))
      }
    }
    let destination = new.entities[relationship.destination]
    add(entity, slot.number, destination, isReversed: false)
    let inverse = new.schema.inverse(of: relationship.schema)
    if let inverse, let holder = new.entity(inverse.entity.name),
      let far = holder.slots.first(where: {
        $0.name == inverse.end.name && $0.relationship?.owner == inverse.entity.name
      }), far.number != slot.number, far.number > 0
    {
      add(holder, far.number, entity, isReversed: true)
    }
    return sources
  }

  private func survives(_ holder: EntityLayout) -> Bool { map.oldEntity(holder) != nil }

  /// Whether any of the old related objects are in the table of the new ones.
  private func survives(_ link: RelationshipLayout, in far: EntityLayout) -> Bool {
    let root = far.root
    return old.entities[link.destination].family.contains { index in
      let entity = old.entities[index]
      return map.tables[root]?.movers.contains { $0.old === entity } == true
        || (entity.schema.isAbstract && map.tables[root]?.carried?.table == entity.table)
    }
  }

  /// Whether objects at either end may have left the entity that the relationship is of.
  private func needsCleaning(_ source: LinkSource, _ plan: LinkPlan) -> Bool {
    let far = old.entities[source.relationship.destination]
    let near = old.entity(source.relationship.owner) ?? source.entity
    let (from, to) = source.isReversed ? (far, near) : (near, far)
    let destination = new.entities[plan.relationship.destination]
    let isFromLeft = plan.pairs != nil && leaves(from, plan.owner)
    return isFromLeft || leaves(to, destination)
  }

  private func leaves(_ before: EntityLayout, _ after: EntityLayout) -> Bool {
    before.family.contains { index in
      let entity = old.entities[index]
      guard !entity.schema.isAbstract else { return false }
      guard let now = map.newEntity(entity) else { return true }
      return !after.family.contains(now.index)
    }
  }
}

// MARK: SQL

extension MigrationPlanner {
  /// A select of links: `a` the key at the end that holds them, `b` the other, and the places of each
  /// in the other's list.
  ///
  /// Before anything ran with `isBefore`.
  func select(_ source: LinkSource, isBefore: Bool) -> String {
    func table(_ name: String) -> String { quoted(isBefore ? name : current(name)) }
    func column(_ name: String, _ of: String) -> String {
      quoted(isBefore ? name : current(name, in: of))
    }
    let near: String
    let far: String
    let farPlace: String
    let nearPlace: String
    let from: String
    switch source.relationship.place {
    case .ownColumn(let name, let order):
      let of = source.entity.table
      (near, far, from) = ("_id", column(name, of), table(of))
      (farPlace, nearPlace) = ("NULL", order.map { column($0, of) } ?? "NULL")
    case .farColumn(let of, let name, let order):
      (near, far, from) = (column(name, of), "_id", table(of))
      (farPlace, nearPlace) = (order.map { column($0, of) } ?? "NULL", "NULL")
    case .pairs(let pairs):
      let isNear = pairs.near == "source"
      (near, far, from) = (pairs.near, pairs.far, table(pairs.table))
      (farPlace, nearPlace) =
        isNear ? ("target_order", "source_order") : ("source_order", "target_order")
    }
    let nearTable = source.entity.table
    let farTable = old.entities[source.relationship.destination].table
    let nearKey = isBefore ? near : shifted(near, nearTable)
    let farKey = isBefore ? far : shifted(far, farTable)
    let (a, b) = source.isReversed ? (farKey, nearKey) : (nearKey, farKey)
    let (aPlace, bPlace) = source.isReversed ? (farPlace, nearPlace) : (nearPlace, farPlace)
    return """
      SELECT \(a) AS a, \(b) AS b, \(aPlace) AS a_place, \(bPlace) AS b_place FROM \(from) \
      WHERE \(near) IS NOT NULL AND \(far) IS NOT NULL
      """
  }

  /// A key of an old table as it is once objects have moved.
  private func shifted(_ key: String, _ table: String) -> String {
    let numbers = map.shifted(inOldTable: table)
    guard let first = numbers.first else { return key }
    guard old.entities.first(where: { $0.table == table })?.sharesTable == true else {
      return Self.shifted(key, first)
    }
    let cases = numbers.map { "WHEN \($0) THEN \(Self.shifted(key, $0))" }
    return """
      CASE (SELECT o._entity FROM \(quoted(current(table))) AS o WHERE o._id = \(key)) \
      \(cases.joined(separator: " ")) ELSE \(key) END
      """
  }

  /// All links that a plan's sources have.
  func allLinks(_ link: LinkPlan, isBefore: Bool) -> String {
    link.sources.map { select($0, isBefore: isBefore) }.joined(separator: " UNION ALL ")
  }

  /// Brings links to where they are from now on.
  func fill(_ link: LinkPlan) {
    let name = "\(link.owner.name).\(link.slot.name)"
    if let pairs = link.pairs {
      fillPairs(link, pairs, name)
    } else if let column = link.column {
      let table = link.owner.table
      if !link.isPlainColumn && !link.sources.isEmpty {
        let order = column.order.map { ", \(quoted($0)) = l.place" } ?? ""
        // Where a stage has left several, the first is kept.
        add(
          "\(name): links moved to a column",
          [
            """
            UPDATE \(quoted(table)) SET \(quoted(column.name)) = l.b\(order) FROM \
            (SELECT a, min(b) AS b, min(a_place) AS place FROM (\(allLinks(link, isBefore: false))) \
            GROUP BY a) AS l WHERE l.a = \(quoted(table))._id
            """
          ])
      }
      if let order = column.order, isNewlyOrdered(link, reversed: true) {
        add(
          "\(name): links get the order of their objects' creation",
          [
            """
            UPDATE \(quoted(table)) SET \(quoted(order)) = _id * \(SparseOrder.gap) \
            WHERE \(quoted(column.name)) IS NOT NULL AND \(quoted(order)) IS NULL
            """
          ])
      }
    }
  }

  /// Whether a list had no order before; `reversed` asks for the list at the other end.
  private func isNewlyOrdered(_ link: LinkPlan, reversed: Bool) -> Bool {
    !link.sources.allSatisfy { source in
      let isNear = source.isReversed == reversed
      if isNear { return source.relationship.schema.isOrdered }
      return old.schema.inverse(of: source.relationship.schema)?.end.isOrdered == true
    }
  }

  private func fillPairs(_ link: LinkPlan, _ pairs: PairTable, _ name: String) {
    let isOrdered = link.relationship.schema.isOrdered
    let isInverseOrdered =
      !pairs.isMirrored && new.schema.inverse(of: link.relationship.schema)?.end.isOrdered == true
    let table = quoted(pairs.table)
    if link.carriedTable == nil && !link.sources.isEmpty {
      let all = allLinks(link, isBefore: false)
      let mirrored = "\(all) UNION ALL SELECT b, a, b_place, a_place FROM (\(all))"
      add(
        "\(name): links moved to a table of pairs",
        [
          """
          INSERT OR IGNORE INTO \(table) (source, target, source_order, target_order) \
          SELECT a, b, \(isInverseOrdered ? "a_place" : "NULL"), \(isOrdered ? "b_place" : "NULL") \
          FROM (\(pairs.isMirrored ? mirrored : all))
          """
        ])
    }
    for (column, key, isWanted, reversed) in [
      ("target_order", "target", isOrdered, false),
      ("source_order", "source", isInverseOrdered, true),
    ] {
      let isNew = isNewlyOrdered(link, reversed: reversed)
      if isWanted && isNew {
        add(
          "\(name): links get the order of their objects' creation",
          ["UPDATE \(table) SET \(column) = \(key) * \(SparseOrder.gap) WHERE \(column) IS NULL"])
      } else if !isWanted && link.carriedTable != nil && wasOrdered(link, reversed: reversed) {
        add("\(name): links lose their order", ["UPDATE \(table) SET \(column) = NULL"])
      }
    }
  }

  private func wasOrdered(_ link: LinkPlan, reversed: Bool) -> Bool {
    !link.sources.isEmpty && !isNewlyOrdered(link, reversed: reversed)
  }

  /// Takes out links to objects that are gone, or of the entity no longer; that changes their holders.
  func clean(_ link: LinkPlan) {
    guard link.needsCleaning else { return }
    let name = "\(link.owner.name).\(link.slot.name)"
    let destination = members(new.entities[link.relationship.destination])
    if let pairs = link.pairs {
      let owners = members(link.owner)
      let lost = "target NOT IN (\(destination))"
      let changes = link.owner.family.map { new.entities[$0] }.map { entity in
        MigrationPlan.ChangedRows(
          keys: """
            SELECT DISTINCT source FROM \(quoted(pairs.table)) WHERE \(lost) AND source IN \
            (\(ownMembers(entity)))
            """, entity: entity.number, property: link.number)
      }
      add(
        "\(name): links to objects that are gone dropped",
        [
          "DELETE FROM \(quoted(pairs.table)) WHERE \(lost) OR source NOT IN (\(owners))"
        ], changes: changes)
    } else if let column = link.column {
      let table = quoted(link.owner.table)
      let lost =
        "\(quoted(column.name)) IS NOT NULL AND \(quoted(column.name)) NOT IN (\(destination))"
      let changes = link.owner.family.map { new.entities[$0] }.map { entity in
        MigrationPlan.ChangedRows(
          keys: "SELECT _id FROM \(table) WHERE \(lost) AND _id IN (\(ownMembers(entity)))",
          entity: entity.number, property: link.number)
      }
      let order = column.order.map { ", \(quoted($0)) = NULL" } ?? ""
      add(
        "\(name): links to objects that are gone dropped",
        ["UPDATE \(table) SET \(quoted(column.name)) = NULL\(order) WHERE \(lost)"],
        changes: changes)
    }
  }

  /// The keys of the objects of an entity and all that inherit from it.
  private func members(_ entity: EntityLayout) -> String {
    let numbers = entity.family.map { String(new.entities[$0].number) }.joined(separator: ", ")
    return "SELECT _id FROM \(quoted(entity.table))"
      + (entity.sharesTable ? " WHERE \(SystemColumn.entity) IN (\(numbers))" : "")
  }

  private func ownMembers(_ entity: EntityLayout) -> String {
    "SELECT _id FROM \(quoted(entity.table)) WHERE \(entity.ownRows)"
  }
}
