import DataModel

/// What objects were like before the changes of one group.
final class UndoGroup {
  let number: Int
  var name: String?
  private(set) var entries: [Entry] = []
  private(set) var pairs: [Pair] = []
  /// What is to be done beside, in the order in which it was asked for.
  private(set) var actions: [UndoAction] = []
  private var places: [ObjectIdentifier: Int] = [:]
  private var pairKeys: Set<PairKey> = []

  /// One object that was changed.
  ///
  /// It is kept alive: undoing needs the very object.
  struct Entry {
    let object: ManagedObject
    /// Whether the object was there before; nil where that did not change.
    var existed: Bool?
    /// The values before, of those slots that changed.
    let values: SavedRow
    /// The slots that changed.
    var slots = SlotSet()
    /// Related objects before, for to-one relationships that changed and led somewhere.
    var references: [Int: ManagedObject] = [:]
    /// Lists of related objects before, of relationships that have an order of their own.
    var lists: [Int: [ManagedObject]] = [:]
  }

  /// One pair of related objects that was touched.
  struct Pair {
    let object: ManagedObject
    let slot: Int
    let other: ManagedObject
    let existed: Bool
  }

  private struct PairKey: Hashable {
    let object: ObjectIdentifier
    let slot: Int
    let other: ObjectIdentifier
  }

  init(number: Int, name: String?) {
    self.number = number
    self.name = name
  }

  /// Whether any object was changed.
  var hasChanges: Bool { !entries.isEmpty || !pairs.isEmpty }

  var isEmpty: Bool { !hasChanges && actions.isEmpty }

  func note(_ action: UndoAction) { actions.append(action) }

  func forgetActions(of target: AnyObject) { actions.removeAll { $0.target === target } }
}

/// Something that a program wants done when a group is undone, as long as its target is there.
struct UndoAction {
  weak var target: AnyObject?
  let body: () -> Void
}

/// A row that frees itself.
final class SavedRow {
  let row: Row
  private let layout: EntityLayout

  init(_ layout: EntityLayout) {
    self.layout = layout
    row = Row(layout)
  }

  deinit { row.free(layout) }
}

extension UndoGroup {
  private func place(of object: ManagedObject) -> Int {
    let identifier = ObjectIdentifier(object)
    if let place = places[identifier] { return place }
    places[identifier] = entries.count
    entries.append(Entry(object: object, values: SavedRow(object.layout)))
    return entries.count - 1
  }

  /// A slot is about to change for the first time, or again.
  func noteSlot(_ object: ManagedObject, _ slot: Int) {
    let place = place(of: object)
    // What was not there before has no values to go back to.
    if entries[place].existed == false || entries[place].slots.contains(slot) { return }
    keepSlot(place, slot)
  }

  private func keepSlot(_ place: Int, _ slot: Int) {
    let object = entries[place].object
    let row = object.values(slot)
    entries[place].slots.insert(slot)
    switch object.layout.slots[slot].kind {
    case .related: return
    case .reference:
      entries[place].references[slot] = object.storedReference(slot)
    default:
      row.copySlot(slot, to: entries[place].values.row, object.layout)
      row.copyRefusal(slot, to: entries[place].values.row, object.layout)
    }
  }

  func noteInserted(_ object: ManagedObject) {
    let place = place(of: object)
    if entries[place].existed == nil { entries[place].existed = false }
  }

  /// Keeps everything of an object that is about to be deleted.
  func noteDeleted(_ object: ManagedObject) {
    let place = place(of: object)
    guard entries[place].existed == nil else { return }
    entries[place].existed = true
    for (slot, detail) in object.layout.slots.enumerated() {
      if detail.kind != .related {
        if !entries[place].slots.contains(slot) { keepSlot(place, slot) }
      } else if case .pairs? = detail.relationship?.place {
        for other in object.relatedObjects(slot) { notePair(object, slot, other) }
      } else if detail.relationship?.schema.leavesOthers == true {
        noteLeft(object, slot)
      }
    }
  }

  /// Keeps what refers to an object that is about to be deleted, and will go on doing so.
  private func noteLeft(_ object: ManagedObject, _ slot: Int) {
    for other in object.relatedObjects(slot) {
      guard let inverse = object.inverseSlot(slot, of: other) else { continue }
      noteSlot(other, inverse)
      if let order = other.orderSlot(inverse) { noteSlot(other, order) }
    }
  }

  /// Keeps the members of a list and their order.
  func noteList(_ object: ManagedObject, _ slot: Int) {
    let place = place(of: object)
    if entries[place].existed == false || entries[place].lists[slot] != nil { return }
    entries[place].lists[slot] = object.relatedObjects(slot)
  }

  func notePair(_ object: ManagedObject, _ slot: Int, _ other: ManagedObject) {
    let inverse = object.inverseSlot(slot, of: other)
    let key = PairKey(
      object: ObjectIdentifier(object), slot: slot, other: ObjectIdentifier(other))
    guard pairKeys.insert(key).inserted else { return }
    if let inverse {
      pairKeys.insert(
        PairKey(object: key.other, slot: inverse, other: key.object))
    }
    pairs.append(
      Pair(
        object: object, slot: slot, other: other,
        existed: object.related(slot).contains(other.key)))
    for (object, slot) in [(object, Optional(slot)), (other, inverse)] {
      guard let slot, object.layout.slots[slot].relationship?.schema.isOrdered == true else {
        continue
      }
      noteList(object, slot)
    }
  }
}

extension Schema.Relationship {
  /// Whether what refers to a deleted object goes on referring to it.
  fileprivate var leavesOthers: Bool { deleteRule == .noAction || deleteRule == .deny }
}

extension ManagedObject {
  /// What a reference leads to, deleted or not.
  fileprivate func storedReference(_ slot: Int) -> ManagedObject? {
    let row = links()
    guard row.isPresent(slot), let relationship = layout.slots[slot].relationship else {
      return nil
    }
    let reference = row.reference(slot, layout)
    if let object = reference.object { return object }
    guard let context else { return nil }
    return context.object(reference.key, context.store.layout.entities[relationship.destination])
  }
}
