import DataModel
import Foundation

@testable import ObjectStore

// Does one step to the model and to the store.
extension ModelRun {
  static let entities = ["Item", "Gadget", "Item", "Person", "Person", "Box", "Passport", "Tag"]

  static let values: [String: [FieldValue]] = [
    "name": [
      .null, .string(""), .string("a"), .string("\u{e9}"), .string("e\u{301}"), .string("B"),
    ],
    "number": [.integer(0), .integer(-5), .integer(7), .integer(.max), .integer(.min)],
    "ratio": [.null, .double(.nan), .double(.infinity), .double(-0.5), .double(3)],
    "flag": [.null, .boolean(true), .boolean(false)],
    "when": [.null, .date(Date(timeIntervalSinceReferenceDate: 1.5)), .date(.distantPast)],
    "mark": [.null, .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))],
    "cost": [.null, .decimal(Decimal(string: "12.345678901234567890") ?? 1), .decimal(-7)],
    "bytes": [.null, .data([]), .data([0, 255])],
    "power": [.null, .integer(32767), .integer(-1)],
    "label": [.null, .string("box \u{1f4e6}")],
    "code": [.null, .string("x"), .string("y"), .string("z")],
    "word": [.null, .string("night"), .string("it's \"quoted\"")],
  ]

  func attributes(_ entity: String) -> [String] {
    (store.layout.entity(entity)?.slots ?? []).filter { $0.attribute != nil }.map(\.name)
  }

  func apply(_ step: ModelStep) throws {
    let (side, context) = (step.side, contexts[step.side])
    func note(_ words: String) { log.append("\(side): \(words)") }
    switch step.kind {
    case .insert:
      let entity = Self.entities[step.a % Self.entities.count]
      let label = nextLabel
      nextLabel += 1
      entities[label] = entity
      held[side][label] = try context.insert(entity)
      var row = ModelRow(entity: entity)
      if isKind(entity, "Item") { row.values["number"] = .integer(0) }
      sides[side].insert(label, row)
      note("insert \(entity) \(label)")
    case .set: try set(step, note)
    case .refer, .unrefer: try refer(step, note)
    case .add: try add(step, note)
    case .addPair, .removePair: try pair(step, note)
    case .order, .orderPairs: try order(step, note)
    case .delete:
      let entity = Self.entities[step.a % Self.entities.count]
      guard let label = pick(step.b, entity, side) else { return }
      note("delete \(entity) \(label)")
      try context.delete(hold(label, side))
      sides[side].delete(label)
    case .revive:
      let labels = sides[side].deleted.keys.sorted()
      guard !labels.isEmpty else { return }
      let label = labels[step.a % labels.count]
      note("revive \(label)")
      try context.insert(object(label, side))
      sides[side].revive(label)
    case .save: try save(side, note)
    case .rollback:
      note("rollback")
      context.rollback()
      for label in sides[side].inserted { held[side][label] = nil }
      sides[side].rollback()
    case .fetch: try fetch(step, note)
    case .forget:
      note("forget")
      for label in held[side].keys where keys[label] != nil && label % 2 == step.a % 2 {
        held[side][label] = nil
      }
    case .policy:
      let policy = MergePolicy.allCases[step.a % MergePolicy.allCases.count]
      context.mergePolicy = policy
      context.uniquePolicy = step.b % 3 == 0 ? .strict : .upsert
      note("policy \(policy) \(context.uniquePolicy)")
    }
  }

  private func set(_ step: ModelStep, _ note: (String) -> Void) throws {
    let side = step.side
    guard let label = pick(step.b, Self.entities[step.a % Self.entities.count], side),
      let entity = sides[side].row(label)?.entity
    else { return }
    let names = attributes(entity)
    let name = names[step.c % names.count]
    let values = Self.values[name] ?? [.null]
    let value = values[(step.c / 17) % values.count]
    let object = try hold(label, side)
    if step.a / 7 % 4 > 0, setLater(object, name, value) {
      note("set later \(label).\(name) = \(value.shown)")
    } else {
      note("set \(label).\(name) = \(value.shown)")
      try object.setValue(name, value)
    }
    sides[side].set(label, name, value)
  }

  /// Sets what takes long to write as a typed model does: it is encoded when it is needed.
  private func setLater(_ object: ManagedObject, _ name: String, _ value: FieldValue) -> Bool {
    object.settleKind()
    guard let slot = object.layout.slot(name) else { return false }
    return object.set(
      slot, unencoded: value, isPlain: { true },
      by: ValueEncoding { value, object, _ in try? object.setValue(name, value) })
  }

  private func refer(_ step: ModelStep, _ note: (String) -> Void) throws {
    let side = step.side
    let reference = ReferenceRow.rows[step.a % ReferenceRow.rows.count]
    guard let label = pick(step.b, reference.entity, side) else { return }
    if step.kind == .unrefer {
      note("\(label).\(reference.name) = nil")
      try hold(label, side).setRelated(reference.name, nil as ManagedObject?)
      return sides[side].refer(label, reference, nil)
    }
    guard let target = pick(step.c, reference.destination, side) else { return }
    // Either end may be set.
    if reference.isToOneThere, let inverse = reference.inverse, step.c % 2 == 0 {
      note("\(target).\(inverse) = \(label)")
      let isMirrored = inverse == reference.name
      try hold(target, side).setRelated(inverse, hold(label, side))
      if isMirrored { return sides[side].refer(target, reference, label) }
      if sides[side].row(label)?.references[reference.name] != target {
        for other in sides[side].list(target, reference) where other != label {
          sides[side].refer(other, reference, nil)
        }
      }
      return sides[side].refer(label, reference, target)
    }
    note("\(label).\(reference.name) = \(target)")
    try hold(label, side).setRelated(reference.name, hold(target, side))
    sides[side].refer(label, reference, target)
  }

  private func add(_ step: ModelStep, _ note: (String) -> Void) throws {
    let side = step.side
    let rows = ReferenceRow.rows.filter { $0.inverse != nil && !$0.isToOneThere }
    let reference = rows[step.a % rows.count]
    guard let label = pick(step.b, reference.entity, side), let inverse = reference.inverse,
      let target = pick(step.c, reference.destination, side)
    else { return }
    if step.c % 4 == 0, sides[side].reference(label, reference.name) == target {
      note("\(target).\(inverse).remove(\(label))")
      try hold(target, side).removeRelated(inverse, hold(label, side))
      return sides[side].refer(label, reference, nil)
    }
    note("\(target).\(inverse).add(\(label))")
    try hold(target, side).addRelated(inverse, hold(label, side))
    sides[side].refer(label, reference, target)
  }

  private func pair(_ step: ModelStep, _ note: (String) -> Void) throws {
    let side = step.side
    let table = PairRow.rows[step.a % PairRow.rows.count]
    guard let source = pick(step.b, table.source, side),
      let target = pick(step.c, table.target, side)
    else { return }
    let isAdded = step.kind == .addPair
    let isFromTarget = step.c % 2 == 0 && table.inverse != nil
    let (near, far) = isFromTarget ? (target, source) : (source, target)
    let name = isFromTarget ? table.inverse ?? "" : table.name
    note("\(near).\(name).\(isAdded ? "add" : "remove")(\(far))")
    if isAdded {
      try hold(near, side).addRelated(name, hold(far, side))
    } else {
      try hold(near, side).removeRelated(name, hold(far, side))
    }
    sides[side].pair(table, table.pair(source, target), isAdded: isAdded)
  }

  private func order(_ step: ModelStep, _ note: (String) -> Void) throws {
    let side = step.side
    var random = Seeded(UInt64(step.c))
    let (entity, name) =
      step.kind == .order
      ? ("Box", "things") : step.a % 2 == 0 ? ("Item", "fans") : ("Person", "favourites")
    guard let label = pick(step.b, entity, side) else { return }
    let holder = try hold(label, side)
    var objects = try holder.relatedObjects(name)
    if objects.count > 1, step.a % 3 == 0 {
      objects.insert(objects.removeLast(), at: 0)
    } else {
      objects.shuffle(using: &random)
    }
    let wanted = try objects.map { try self.label(of: $0, side) }
    note("\(label).\(name) = \(wanted)")
    try holder.setRelated(name, objects)
    let shown = try holder.relatedObjects(name).map { try self.label(of: $0, side) }
    guard shown == wanted else {
      throw ModelMismatch(description: "\(label).\(name) is \(shown) after it was set to \(wanted)")
    }
  }

  private func save(_ side: Int, _ note: (String) -> Void) throws {
    let context = contexts[side]
    note("save")
    let expected = ModelSave(sides[side], context.mergePolicy, context.uniquePolicy)
    var code: StoreError.Code?
    do { try context.save() } catch let error as StoreError { code = error.code }
    let isDenied = code == .validation && expected.failure == .deleteDenied
    guard code == expected.failure || isDenied else {
      throw ModelMismatch(
        description: "save: \(code?.rawValue ?? "done"), expected "
          + (expected.failure?.rawValue ?? "done"))
    }
    if code != nil { return note("  failed: \(code?.rawValue ?? "")") }
    if context.hasChanges { throw ModelMismatch(description: "there are changes after a save") }
    world = expected.world
    let inserted = sides[side].inserted
    for label in inserted {
      guard let object = held[side][label], object.key > 0, world.rows[label] != nil else {
        held[side][label] = nil
        continue
      }
      keys[label] = object.key
    }
    for (old, new) in expected.replaced {
      keys[old] = nil
      for other in 0..<3 where other != side {
        held[other][new] = held[other].removeValue(forKey: old)
        sides[other].rename(old, new)
      }
      held[side][old] = nil
    }
    sides[side] = Side()
    sides[side].world = world
    try readVersions()
    sides[side].world = world
    try compareTables()
    try compareFresh(side)
  }

  private func readVersions() throws {
    world.versions = [:]
    for (label, row) in world.rows {
      guard let key = keys[label], let entity = store.layout.entity(row.entity) else { continue }
      let found = try store.rows("SELECT _version FROM \(quoted(entity.table)) WHERE _id = \(key)")
      if case .integer(let version)? = found.first?.first { world.versions[label] = version }
    }
  }
}

extension Side {
  mutating func rename(_ old: Label, _ new: Label) {
    func renamed(_ row: ModelRow) -> ModelRow {
      var row = row
      row.references = row.references.mapValues { $0 == old ? new : $0 }
      return row
    }
    updated = updated.mapValues(renamed)
    originals = originals.mapValues(renamed)
    insertedRows = insertedRows.mapValues(renamed)
    updated[new] = updated.removeValue(forKey: old)
    originals[new] = originals.removeValue(forKey: old)
    originalVersions[new] = originalVersions.removeValue(forKey: old)
    deleted[new] = deleted.removeValue(forKey: old)
    touched = Set(touched.map { Touched(label: $0.label == old ? new : $0.label, name: $0.name) })
    // The same object under its new label, so that it does not look gone.
    world.rows[new] = world.rows.removeValue(forKey: old)
    world.versions[new] = world.versions.removeValue(forKey: old)
  }
}
