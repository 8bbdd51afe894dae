import DataModel

/// What the planner knows before it decides anything: both layouts, where each property comes from, and
/// which old table becomes which new one.
struct MigrationMap {
  let old: StoreLayout
  let new: StoreLayout
  let lineage: Lineage
  /// For each new entity, the number of what its objects had before, by a property's number now.
  private(set) var sources: [Int: [Int: Int]] = [:]
  /// The slots of an old entity by number, without those of places in an order.
  private var oldSlots: [Int: [Int: Int]] = [:]
  /// The new tables, by the positions of their entities at the top.
  private(set) var tables: [Int: Table] = [:]
  /// The old tables that become new ones, by the new ones' positions.
  private(set) var carried: [String: Int] = [:]

  /// An entity of both versions that has objects in both.
  struct Mover {
    var old: EntityLayout
    var new: EntityLayout
  }

  /// A new table and whose rows it gets.
  struct Table {
    var root: EntityLayout
    /// The old table that is kept and changed in place; nil for a table made anew.
    var carried: EntityLayout?
    var movers: [Mover] = []
    /// Numbers of the entities whose keys another entity in the table may have.
    var shifted: Set<Int> = []

    /// Those whose rows are in the kept table already.
    var staying: [Mover] { movers.filter { $0.old.table == carried?.table } }
    /// Those whose rows are copied from another table.
    var entering: [Mover] { movers.filter { $0.old.table != carried?.table } }
  }

  init(_ old: StoreLayout, _ new: StoreLayout, _ lineage: Lineage) {
    self.old = old
    self.new = new
    self.lineage = lineage
    for entity in old.entities {
      oldSlots[entity.index] = Dictionary(
        entity.slots.indices.filter { !entity.slots[$0].isOrder && entity.slots[$0].number > 0 }
          .map { (entity.slots[$0].number, $0) }, uniquingKeysWith: { first, _ in first })
    }
    for entity in new.entities { sources[entity.index] = numbers(of: entity) }
    assignTables()
  }

  private func numbers(of entity: EntityLayout) -> [Int: Int] {
    let pairs = (lineage.sources[entity.name] ?? [:]).compactMap { after, before -> (Int, Int)? in
      guard let number = new.catalogue.number(after), let source = old.catalogue.number(before)
      else { return nil }
      return (number, source)
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  private mutating func assignTables() {
    for entity in new.entities where entity.root == entity.index {
      tables[entity.index] = Table(root: entity)
    }
    for entity in new.entities where !entity.schema.isAbstract {
      guard let before = oldEntity(entity), !before.schema.isAbstract, before.hasTable(old) else {
        continue
      }
      tables[entity.root]?.movers.append(Mover(old: before, new: entity))
    }
    let roots = tables.keys.sorted()
    for isFirst in [true, false] {
      for index in roots { claim(index, rootsOnly: isFirst) }
    }
    for index in roots { noteShifts(index) }
  }

  /// Keeps the old table whose topmost entity is the same; else the first that nobody keeps.
  private mutating func claim(_ index: Int, rootsOnly: Bool) {
    guard let table = tables[index], table.carried == nil else { return }
    let candidates = table.movers.map { old.entities[$0.old.root] }
    let own = oldEntity(table.root).map { old.entities[$0.root] }
    let found =
      rootsOnly
      ? own.flatMap { own in
        own.hasTable(old) && (candidates.isEmpty || candidates.contains { $0 === own }) ? own : nil
      }
      : candidates.first { carried[$0.table] == nil }
    guard let found, carried[found.table] == nil else { return }
    carried[found.table] = index
    tables[index]?.carried = found
  }

  private mutating func noteShifts(_ index: Int) {
    guard let table = tables[index] else { return }
    let kept = table.carried?.table ?? table.movers.first?.old.table
    let shifted = table.movers.filter { $0.old.table != kept }
    tables[index]?.shifted = Set(shifted.map(\.new.number))
  }
}

extension MigrationMap {
  /// The entity before, of one that both versions have.
  func oldEntity(_ entity: EntityLayout) -> EntityLayout? {
    lineage.oldNames[entity.name].flatMap(old.entity)
  }

  /// The slot that objects of `entity` had before in place of one that they have now.
  func source(_ slot: Slot, of entity: EntityLayout) -> Slot? {
    guard slot.number > 0, let number = sources[entity.index]?[slot.number],
      let before = oldEntity(entity), let index = oldSlots[before.index]?[number]
    else { return nil }
    return before.slots[index]
  }

  /// A slot of any old entity that has the property with that number, and the entity.
  func oldSlot(_ number: Int) -> (entity: EntityLayout, slot: Slot)? {
    for entity in old.entities {
      if let index = oldSlots[entity.index]?[number] { return (entity, entity.slots[index]) }
    }
    return nil
  }

  /// The new entities that objects of an old one are of now; nil where there is none.
  func newEntity(_ entity: EntityLayout) -> EntityLayout? {
    for table in tables.values {
      if let mover = table.movers.first(where: { $0.old === entity }) { return mover.new }
    }
    return nil
  }

  /// The entities of an old table whose keys are shifted, each with its number.
  func shifted(inOldTable table: String) -> [Int] {
    tables.values.flatMap { new in
      new.movers.filter { $0.old.table == table && new.shifted.contains($0.new.number) }
        .map(\.new.number)
    }.sorted()
  }

  /// The tables in the order of their names, which is that of every list of steps.
  var sortedTables: [Table] {
    tables.values.sorted { $0.root.table.precedesInBytes($1.root.table) }
  }
}

extension EntityLayout {
  /// Whether there is a table; where parents run in a circle there is none.
  func hasTable(_ layout: StoreLayout) -> Bool { layout.entities[root].root == root }

  /// What selects the objects of this entity alone among the rows of its table.
  var ownRows: String {
    sharesTable ? "\(SystemColumn.entity) = \(number)" : "1"
  }
}

extension Slot {
  /// Whether it is the hidden slot with a place in an order.
  var isOrder: Bool { name.hasSuffix(Slot.orderSuffix) }
}
