import DataModel

@testable import ObjectStore

/// What a save makes of a side's changes: the new world, or why nothing is saved.
struct ModelSave {
  var world: World
  var failure: StoreError.Code?
  /// Objects that others were written over: the old label, and the new one that has its identity now.
  var replaced: [(old: Label, new: Label)] = []

  init(_ side: Side, _ policy: MergePolicy, _ unique: UniquePolicy) {
    world = side.world
    write(side, policy, unique)
  }

  private mutating func write(_ side: Side, _ policy: MergePolicy, _ unique: UniquePolicy) {
    var side = side
    for label in side.deleted.keys {
      guard let row = side.updated[label] ?? side.world.rows[label], row.entity == "Person" else {
        continue
      }
      let makers = side.labels("Gadget").filter { side.row($0)?.references["maker"] == label }
      if !makers.isEmpty {
        failure = .deleteDenied
        return
      }
    }
    let old = world
    for label in side.inserted {
      guard var row = side.insertedRows[label] else { continue }
      // What was never saved is referred to by nothing.
      row.references = row.references.filter { isKept($0.value, side, policy) }
      if unique == .upsert, let code = row.values["code"] {
        if let found = taken(code, side, before: label) {
          replaced.append((found, label))
          side.updated[found] = nil
          world.rows[found] = nil
          world.versions[found] = nil
        }
      }
      world.rows[label] = row
    }
    for (old, new) in replaced { rename(old, new, &side) }
    var conflicts = false
    for (label, row) in side.updated where side.deleted[label] == nil {
      conflicts = update(label, row, side, policy) || conflicts
    }
    for (table, pairs) in side.added {
      for pair in pairs where world.rows[pair.source] != nil && world.rows[pair.target] != nil {
        world.pairs[table, default: []].insert(pair)
      }
    }
    for (table, pairs) in side.removed { world.pairs[table]?.subtract(pairs) }
    var removed: [Label] = []
    for (label, version) in side.deleted {
      let isChanged = old.versions[label].map { $0 != version } ?? false
      if isChanged && policy == .error { conflicts = true }
      if isChanged && policy == .rollback { continue }
      removed.append(label)
      world.rows[label] = nil
    }
    for label in removed { finishRemoval(of: label) }
    for (table, pairs) in world.pairs {
      world.pairs[table] = pairs.filter {
        world.rows[$0.source] != nil && world.rows[$0.target] != nil
      }
    }
    let codes = world.rows.filter { $0.value.values["code"] != nil }
    let changed = codes.keys.filter {
      side.insertedRows[$0] != nil || side.touched.contains(Side.Touched(label: $0, name: "code"))
    }
    let isTaken = changed.contains { label in
      codes.contains { $0.key != label && $0.value.values["code"] == codes[label]?.values["code"] }
    }
    if isTaken { failure = .notUnique } else if conflicts { failure = .conflict }
    if failure != nil { world = old }
  }

  /// Does by the delete rules to those that are still related to what is gone, by another side.
  private mutating func finishRemoval(of label: Label) {
    for (other, row) in world.rows {
      for (name, target) in row.references where target == label {
        switch name {
        case "owner", "holder":
          world.rows[other] = nil
          finishRemoval(of: other)
        case "maker": failure = .deleteDenied
        case "boss": break
        default: world.rows[other]?.references[name] = nil
        }
      }
    }
  }

  private func isKept(_ label: Label, _ side: Side, _ policy: MergePolicy) -> Bool {
    if side.insertedRows[label] != nil { return true }
    if side.inserted.contains(label) { return false }
    guard side.world.rows[label] == nil else { return true }
    // Others have deleted it: it is made anew, or lost.
    guard let row = side.updated[label], side.deleted[label] == nil else { return false }
    switch policy {
    case .rollback, .mergeByPropertyStoreTrump: return false
    case .error, .overwrite, .mergeByPropertyObjectTrump:
      return !changedNames(label, row, side).isEmpty
    }
  }

  /// What differs from what was read.
  private func changedNames(_ label: Label, _ row: ModelRow, _ side: Side) -> [String] {
    guard let original = side.originals[label] else { return [] }
    return side.touched.filter { $0.label == label }.map(\.name)
      .filter { !row.isEqual(original, $0) }
  }

  /// Whose code a new passport takes over.
  private func taken(_ code: FieldValue, _ side: Side, before label: Label) -> Label? {
    world.rows.filter { other, row in
      guard row.values["code"] == code, other != label else { return false }
      if side.insertedRows[other] != nil { return true }
      return side.deleted[other] == nil
        && !(side.updated[other] != nil
          && side.touched.contains(Side.Touched(label: other, name: "code")))
    }.keys.min()
  }

  private mutating func rename(_ old: Label, _ new: Label, _ side: inout Side) {
    for (label, row) in world.rows {
      world.rows[label]?.references = row.references.mapValues { $0 == old ? new : $0 }
    }
    for (label, row) in side.updated {
      side.updated[label]?.references = row.references.mapValues { $0 == old ? new : $0 }
    }
    for (label, row) in side.originals {
      side.originals[label]?.references = row.references.mapValues { $0 == old ? new : $0 }
    }
  }

  /// Writes one updated object; true for a conflict.
  private mutating func update(
    _ label: Label, _ row: ModelRow, _ side: Side, _ policy: MergePolicy
  ) -> Bool {
    guard let original = side.originals[label] else { return false }
    var row = row
    row.references = row.references.filter { isKept($0.value, side, policy) }
    let changed = changedNames(label, row, side)
    if changed.isEmpty { return false }
    guard let stored = world.rows[label] else {
      if policy == .error { return true }
      if policy == .mergeByPropertyObjectTrump || policy == .overwrite { world.rows[label] = row }
      return false
    }
    if world.versions[label] == side.originalVersions[label] {
      world.rows[label] = row
      return false
    }
    switch policy {
    case .error: return true
    case .rollback: return false
    case .overwrite: world.rows[label] = row
    case .mergeByPropertyObjectTrump:
      for name in changed { world.rows[label]?.take(name, from: row) }
    case .mergeByPropertyStoreTrump:
      for name in changed where stored.isEqual(original, name) {
        world.rows[label]?.take(name, from: row)
      }
    }
    return false
  }
}

extension ModelRow {
  func isEqual(_ other: ModelRow, _ name: String) -> Bool {
    references[name] == other.references[name] && values[name].same(other.values[name])
  }

  mutating func take(_ name: String, from other: ModelRow) {
    values[name] = other.values[name]
    references[name] = other.references[name]
  }
}

extension FieldValue? {
  /// Equal, where a NaN equals a NaN.
  func same(_ other: FieldValue?) -> Bool {
    if case .double(let a)? = self, case .double(let b)? = other, a.isNaN && b.isNaN { return true }
    if case .string(let a)? = self, case .string(let b)? = other {
      return a.utf8.elementsEqual(b.utf8)
    }
    return self == other
  }
}
