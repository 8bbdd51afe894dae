import DataModel
import Foundation
import PredicateSQL

@testable import ObjectStore

// Compares what a context shows, a fresh one and the tables with the model.
extension ModelRun {
  func label(of object: ManagedObject, _ side: Int) throws -> Label {
    if object.key < 0 {
      if let found = held[side].first(where: { $0.value === object }) { return found.key }
    } else if let found = label(object.layout.root, object.key) {
      return found
    }
    throw ModelMismatch(
      description: "an object that the model has not: \(object.entity) \(object.key)")
  }

  private func label(_ root: Int, _ key: Int64) -> Label? {
    let name = store.layout.entities[root].name
    return keys.first { label, found in
      guard found == key, let entity = entities[label] else { return false }
      return (entity == "Gadget" ? "Item" : entity) == name
    }?.key
  }

  private func check(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
    if !isRight { throw ModelMismatch(description: what()) }
  }

  func compare(_ side: Int) throws {
    let model = sides[side]
    for label in model.labels("Item") + model.labels("Person") + model.labels("Box")
      + model.labels("Passport") + model.labels("Tag")
    {
      guard let row = model.row(label) else { continue }
      let object = try object(label, side)
      try compare(label, row, object, side, model, "side \(side)")
      try check(object.entity == row.entity, "\(label) is a \(object.entity), not a \(row.entity)")
    }
    for (label, object) in held[side] where !model.isAlive(label) {
      _ = object.values()
      try check(object.isDeleted, "side \(side): \(label) is not gone")
    }
    let problems = contexts[side].takeProblems().filter { $0.code != .missingObject }
    try check(problems.isEmpty, "side \(side): \(problems)")
  }

  private func compare(
    _ label: Label, _ row: ModelRow, _ object: ManagedObject, _ side: Int, _ model: Side,
    _ place: String
  ) throws {
    try check(object.isUsable, "\(place): \(label) is gone")
    for name in attributes(row.entity) {
      let value = try object.value(name)
      let wanted = row.values[name] ?? .null
      try check(
        Optional(value).same(wanted), "\(place): \(label).\(name) is \(value), not \(wanted)")
    }
    for reference in ReferenceRow.rows {
      if isKind(row.entity, reference.entity) {
        var found = try object.related(reference.name)
        _ = found?.values()
        if found?.isUsable == false { found = nil }
        let shown = try found.map { try self.label(of: $0, side) }
        let wanted = model.reference(label, reference.name)
        try check(
          shown == wanted,
          "\(place): \(label).\(reference.name) is \(shown as Any), not \(wanted as Any)")
      }
      guard row.entity == reference.destination, let inverse = reference.inverse,
        inverse != reference.name
      else { continue }
      let wanted = model.list(label, reference)
      if reference.isToOneThere {
        let shown = try object.related(inverse).map { try self.label(of: $0, side) }
        try check(
          shown.map(wanted.contains) ?? wanted.isEmpty,
          "\(place): \(label).\(inverse) is \(shown as Any), not one of \(wanted)")
        continue
      }
      let shown = try object.relatedObjects(inverse).map { try self.label(of: $0, side) }
      try check(
        shown.sorted() == wanted, "\(place): \(label).\(inverse) is \(shown), not \(wanted)")
      let slot = object.layout.slot(inverse) ?? 0
      try check(
        object.relatedCount(slot) == wanted.count,
        "\(place): \(label).\(inverse) counts \(object.relatedCount(slot)), not \(wanted.count)")
      if inverse == "things" {
        let places = shown.map { model.row($0)?.values["box@order"] ?? .null }
        let numbers = places.map { if case .integer(let number) = $0 { number } else { Int64.min } }
        try check(
          numbers == numbers.sorted(), "\(place): \(label).things \(shown) has places \(numbers)")
      }
    }
    for table in PairRow.rows {
      var ends = isKind(row.entity, table.source) ? [(table.name, true)] : []
      if isKind(row.entity, table.target), !table.isMirrored, let inverse = table.inverse {
        ends.append((inverse, false))
      }
      for (name, isSource) in ends {
        let shown = try object.relatedObjects(name).map { try self.label(of: $0, side) }
        let wanted = model.partners(label, table, isSource: isSource).sorted()
        try check(shown.sorted() == wanted, "\(place): \(label).\(name) is \(shown), not \(wanted)")
      }
    }
  }

  /// After a save: a context that has seen nothing yet shows the same, lists in the same order.
  func compareFresh(_ side: Int) throws {
    let fresh = ModelContext(store)
    var model = Side()
    model.world = world
    for (label, row) in world.rows {
      guard let key = keys[label],
        let object = fresh.object(
          ObjectIdentity(store: store.identifier, entity: row.entity, key: key))
      else { continue }
      try compare(label, row, object, side, model, "fresh")
      let here = try self.object(label, side)
      for name in ["things", "fans", "favourites"] where object.layout.slot(name) != nil {
        let order = try object.relatedObjects(name).map(\.key)
        let shown = try here.relatedObjects(name).map(\.key)
        try check(order == shown, "\(label).\(name) is \(order) in the store, and \(shown) here")
      }
    }
    for other in 0..<3 where other != side {
      contexts[other].receiveChanges()
      sides[other].receive(world)
      try compare(other)
    }
  }

  /// After a save: the tables hold what the model holds, and history leads to it.
  func compareTables() throws {
    for entity in store.layout.entities where entity.root == entity.index {
      let rows = world.rows.filter {
        ($0.value.entity == "Gadget" ? "Item" : $0.value.entity) == entity.name
      }
      let stored = try store.rows("SELECT _id FROM \(quoted(entity.table)) ORDER BY 1").map {
        $0[0]
      }
      let wanted = rows.keys.compactMap { keys[$0] }.sorted().map(FieldValue.integer)
      try check(stored == wanted, "\(entity.name) has \(stored), not \(wanted)")
      for reference in ReferenceRow.rows where isKind(reference.entity, entity.name) {
        for row in try store.rows("SELECT _id, \(reference.name) FROM \(quoted(entity.table))") {
          guard case .integer(let key) = row[0], let label = label(entity.index, key) else {
            continue
          }
          let target = world.rows[label]?.references[reference.name].flatMap { keys[$0] }
          try check(
            row[1] == (target.map(FieldValue.integer) ?? .null),
            "the column \(reference.name) of \(label) is \(row[1]), not \(target as Any)")
        }
      }
    }
    for table in PairRow.rows {
      let stored = Set(try store.rows("SELECT source, target FROM \(table.table)"))
      var wanted: Set<[FieldValue]> = []
      for pair in world.pairs[table.table] ?? [] {
        guard let source = keys[pair.source], let target = keys[pair.target] else { continue }
        wanted.insert([.integer(source), .integer(target)])
        if table.isMirrored { wanted.insert([.integer(target), .integer(source)]) }
      }
      try check(stored == wanted, "\(table.table) has \(stored), not \(wanted)")
    }
    let (replayed, stored) = (try store.replayedKeys(), try store.storedKeys())
    try check(replayed == stored, "history leads to \(replayed), not \(stored)")
  }

  static let filters: [(QueryExpression?, @Sendable (ModelRow, Side) -> Bool)] = [
    (nil, { _, _ in true }),
    (
      .compare(.greaterOrEqual, .property("number"), .literal(.integer(0))),
      { row, _ in row.values["number"].map { $0 != .integer(-5) && $0 != .integer(.min) } ?? false }
    ),
    (
      .compare(.equal, .property("name"), .literal(.string("\u{e9}"))),
      { row, _ in row.values["name"] == .string("\u{e9}") }
    ),
    (
      .compare(.equal, .property("name"), .literal(.null)), { row, _ in row.values["name"] == nil }
    ),
    (
      .compare(.greater, .property("ratio"), .literal(.double(0))),
      { row, _ in
        if case .double(let ratio)? = row.values["ratio"] { ratio > 0 } else { false }
      }
    ),
    (
      .compare(.equal, .property("flag"), .literal(.boolean(true))),
      { row, _ in row.values["flag"] == .boolean(true) }
    ),
    (
      .compare(.greater, .count(.property("tags")), .literal(.integer(0))),
      { _, _ in false }
    ),
  ]

  func fetch(_ step: ModelStep, _ note: (String) -> Void) throws {
    let (side, context, model) = (step.side, contexts[step.side], sides[step.side])
    let entity = step.b % 3 == 0 ? "Gadget" : "Item"
    let number = step.a % Self.filters.count
    let (filter, isMeant) = Self.filters[number]
    var request = FetchRequest(entity, where: filter)
    request.sort = [QuerySort(.property("number"), isAscending: step.c % 2 == 0)]
    note("fetch \(entity) filter \(number)")
    let tags = PairRow.rows[0]
    let wanted = model.labels(entity).filter { label in
      guard let row = model.row(label) else { return false }
      return number == 6
        ? !model.partners(label, tags, isSource: true).isEmpty : isMeant(row, model)
    }
    let found = try context.fetch(request)
    let labels = try found.map { try label(of: $0, side) }
    try check(labels.sorted() == wanted, "fetched \(labels), not \(wanted)")
    let numbers = try found.map { object in
      if case .integer(let number) = try object.value("number") { number } else { Int64(0) }
    }
    let sorted = step.c % 2 == 0 ? numbers.sorted() : numbers.sorted().reversed()
    try check(numbers == sorted, "fetched out of order: \(numbers)")
    try check(try context.fetchCount(request) == wanted.count, "counted otherwise")
    request.limit = step.c % 4
    request.offset = step.b % 3
    let some = try context.fetch(request).map { try label(of: $0, side) }
    let part = Array(labels.dropFirst(request.offset).prefix(step.c % 4))
    try check(some == part, "a part is \(some), not \(part)")
    request.limit = nil
    request.offset = 0
    request.includesPendingChanges = false
    let stored = try context.fetch(request).count
    var saved = Side()
    saved.world = world
    let expected = saved.labels(entity).filter { label in
      guard let row = world.rows[label] else { return false }
      return number == 6
        ? !saved.partners(label, tags, isSource: true).isEmpty : isMeant(row, saved)
    }
    try check(stored == expected.count, "the store has \(stored), not \(expected.count)")
  }
}
