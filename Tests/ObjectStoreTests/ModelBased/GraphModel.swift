import DataModel

@testable import ObjectStore

/// An object of the model; the same number in every context, and before and after it is saved.
typealias Label = Int

/// What an object of the model holds: columns of values, and the labels that its references name.
struct ModelRow: Equatable {
  var entity: String
  var values: [String: FieldValue] = [:]
  var references: [String: Label] = [:]
}

/// A pair of a relationship with a table of its own; a mirrored one has its smaller label first.
struct ModelPair: Hashable {
  var source: Label
  var target: Label
}

/// A reference, and the list at its other end.
struct ReferenceRow {
  var entity: String
  var name: String
  var destination: String
  var inverse: String?
  var isToOneThere = false

  static let rows = [
    ReferenceRow(entity: "Item", name: "owner", destination: "Person", inverse: "items"),
    ReferenceRow(entity: "Item", name: "box", destination: "Box", inverse: "things"),
    ReferenceRow(entity: "Gadget", name: "maker", destination: "Person", inverse: "gadgets"),
    ReferenceRow(entity: "Person", name: "boss", destination: "Person", inverse: "reports"),
    ReferenceRow(entity: "Person", name: "mentor", destination: "Person"),
    ReferenceRow(
      entity: "Person", name: "partner", destination: "Person", inverse: "partner",
      isToOneThere: true),
    ReferenceRow(
      entity: "Passport", name: "holder", destination: "Person", inverse: "passport",
      isToOneThere: true),
  ]
}

/// A relationship with a table of pairs.
struct PairRow {
  var source: String
  var name: String
  var target: String
  var inverse: String?
  var isMirrored = false
  var isOrdered = false
  var table: String { "\(source)_\(name)" }

  static let rows = [
    PairRow(source: "Item", name: "tags", target: "Tag", inverse: "items"),
    PairRow(source: "Item", name: "fans", target: "Person", inverse: "favourites", isOrdered: true),
    PairRow(
      source: "Person", name: "friends", target: "Person", inverse: "friends", isMirrored: true),
    PairRow(source: "Person", name: "watched", target: "Item"),
  ]

  func pair(_ source: Label, _ target: Label) -> ModelPair {
    isMirrored && source > target
      ? ModelPair(source: target, target: source) : ModelPair(source: source, target: target)
  }
}

/// Whether an object of `entity` may stand where one of `wanted` is meant.
func isKind(_ entity: String, _ wanted: String) -> Bool {
  entity == wanted || (entity == "Gadget" && wanted == "Item")
}

/// What has been saved.
struct World {
  var rows: [Label: ModelRow] = [:]
  /// As the tables have them, since an order's places count too.
  var versions: [Label: Int64] = [:]
  var pairs: [String: Set<ModelPair>] = [:]
}

/// What one context shows: what has been saved, with its own changes over it.
///
/// An object with changes is as it was when it was first changed, whatever others do to it, until
/// it is saved or rolled back.
struct Side {
  struct Touched: Hashable {
    var label: Label
    var name: String
  }

  var world = World()
  var originals: [Label: ModelRow] = [:]
  var originalVersions: [Label: Int64] = [:]
  var updated: [Label: ModelRow] = [:]
  var inserted: [Label] = []
  var insertedRows: [Label: ModelRow] = [:]
  /// The versions that the deletions were made of.
  var deleted: [Label: Int64] = [:]
  var added: [String: Set<ModelPair>] = [:]
  var removed: [String: Set<ModelPair>] = [:]
  var touched: Set<Touched> = []

  /// The row as it is here; nil for what is not there.
  func row(_ label: Label) -> ModelRow? {
    if deleted[label] != nil { return nil }
    return insertedRows[label] ?? updated[label] ?? world.rows[label]
  }

  func isAlive(_ label: Label) -> Bool { row(label) != nil }

  /// The objects that are there, by label.
  func labels(_ entity: String) -> [Label] {
    Set(world.rows.keys).union(updated.keys).union(insertedRows.keys).sorted().filter {
      row($0).map { isKind($0.entity, entity) } ?? false
    }
  }

  func reference(_ label: Label, _ name: String) -> Label? {
    guard let target = row(label)?.references[name], isAlive(target) else { return nil }
    return target
  }

  func list(_ label: Label, _ reference: ReferenceRow) -> [Label] {
    labels(reference.entity).filter { row($0)?.references[reference.name] == label }
  }

  func pairs(_ table: PairRow) -> Set<ModelPair> {
    let all = (world.pairs[table.table] ?? []).union(added[table.table] ?? [])
    return all.subtracting(removed[table.table] ?? []).filter {
      isAlive($0.source) && isAlive($0.target)
    }
  }

  /// The objects at the other end of pairs, seen from either end.
  func partners(_ label: Label, _ table: PairRow, isSource: Bool) -> Set<Label> {
    var found: Set<Label> = []
    for pair in pairs(table) {
      if pair.source == label && (isSource || table.isMirrored) { found.insert(pair.target) }
      if pair.target == label && (!isSource || table.isMirrored) { found.insert(pair.source) }
    }
    return found
  }
}

// Changes.
extension Side {
  mutating func change(_ label: Label, _ body: (inout ModelRow) -> Void) {
    if insertedRows[label] != nil {
      if var row = insertedRows[label] {
        body(&row)
        insertedRows[label] = row
      }
      return
    }
    guard var row = updated[label] ?? world.rows[label] else { return }
    if originals[label] == nil {
      originals[label] = row
      originalVersions[label] = world.versions[label]
    }
    body(&row)
    updated[label] = row
  }

  mutating func insert(_ label: Label, _ row: ModelRow) {
    inserted.append(label)
    insertedRows[label] = row
  }

  mutating func set(_ label: Label, _ name: String, _ value: FieldValue) {
    change(label) { $0.values[name] = value == .null ? nil : value }
    touched.insert(Touched(label: label, name: name))
  }

  private mutating func put(_ label: Label, _ name: String, _ target: Label?) {
    change(label) { $0.references[name] = target }
    touched.insert(Touched(label: label, name: name))
  }

  mutating func refer(_ label: Label, _ reference: ReferenceRow, _ target: Label?) {
    let raw = row(label)?.references[reference.name]
    if raw == target { return }
    let isMirrored = reference.inverse == reference.name
    if isMirrored, let old = self.reference(label, reference.name) {
      put(old, reference.name, nil)
    }
    put(label, reference.name, target)
    guard let target, reference.isToOneThere else { return }
    if isMirrored {
      if let old = self.reference(target, reference.name), old != label {
        put(old, reference.name, nil)
      }
      put(target, reference.name, label)
    } else {
      for other in list(target, reference) where other != label { put(other, reference.name, nil) }
    }
  }

  mutating func pair(_ table: PairRow, _ pair: ModelPair, isAdded: Bool) {
    // What was asked for last holds, whatever others do meanwhile.
    if isAdded {
      added[table.table, default: []].insert(pair)
      removed[table.table]?.remove(pair)
    } else {
      removed[table.table, default: []].insert(pair)
      added[table.table]?.remove(pair)
    }
  }

  mutating func delete(_ label: Label) {
    var waiting = [label]
    while let next = waiting.popLast() {
      guard let entity = row(next)?.entity else { continue }
      for reference in ReferenceRow.rows {
        // What is deleted already is let go of when the object is revived without it.
        if isKind(entity, reference.entity), self.reference(next, reference.name) != nil {
          refer(next, reference, nil)
        }
        guard reference.destination == entity, let inverse = reference.inverse,
          inverse != reference.name
        else { continue }
        switch inverse {
        case "items", "passport": waiting += list(next, reference)
        case "gadgets", "reports": break
        default: for child in list(next, reference) { refer(child, reference, nil) }
        }
      }
      for table in PairRow.rows {
        for pair in pairs(table) where pair.source == next || pair.target == next {
          // A pair that only the other end knows is not undone, but goes with the object.
          if pair.target == next && table.inverse == nil { continue }
          self.pair(table, pair, isAdded: false)
        }
      }
      if insertedRows[next] != nil {
        insertedRows[next] = nil
      } else {
        deleted[next] = originalVersions[next] ?? world.versions[next] ?? 0
      }
    }
  }

  mutating func revive(_ label: Label) {
    deleted[label] = nil
    if updated[label] == nil && world.rows[label] == nil { return forget(label) }
    for reference in ReferenceRow.rows {
      if let target = row(label)?.references[reference.name], deleted[target] != nil {
        refer(label, reference, nil)
      }
    }
  }

  private mutating func forget(_ label: Label) {
    originals[label] = nil
    originalVersions[label] = nil
    updated[label] = nil
  }

  mutating func rollback() {
    let world = world
    self = Side()
    self.world = world
  }

  /// What others have saved.
  mutating func receive(_ new: World) {
    let gone = Set(world.rows.keys).subtracting(new.rows.keys)
    world = new
    for label in gone where updated[label] == nil && deleted[label] == nil {
      for reference in ReferenceRow.rows where reference.inverse != nil {
        for child in labels(reference.entity)
        where row(child)?.references[reference.name] == label
          && touched.contains(Touched(label: child, name: reference.name))
        {
          put(child, reference.name, nil)
        }
      }
    }
  }
}
