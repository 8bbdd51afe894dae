public import DataModel
public import FoundationEssentials

/// One object of a batch, to be filled: it begins with the entity's defaults.
///
/// Properties are set by name, or by slots, which costs no look-up:
///
/// ```swift
/// let hours = store.layout.entity("Entry")?.slot("hours") ?? -1
/// try store.insertBatch("Entry") { row in
///   guard let next = flights.next() else { return false }
///   row.set(hours, next.hours)
///   return true
/// }
/// ```
///
/// What cannot be set (no such slot, a value of another type) is a failure of the row, which the batch
/// reports with all others.
public struct BatchRow: ~Copyable {
  let layout: EntityLayout
  let row: Row
  /// What was set, even to nothing.
  var touched = SlotSet()
  /// Keys for to-one relationships whose keys are in the other object's row; nil for no object.
  var farTargets: [(slot: Int, target: ObjectIdentity?)] = []
  /// Targets of to-one relationships, to be looked for.
  var targets: [(slot: Int, target: ObjectIdentity)] = []
  var failures: [StoreError] = []
  private let defaults: Row
  private let defaultSlots: [Int]
  /// The kind of value that a slot takes; nil where none is taken.
  private let kinds: [SlotKind?]
  /// Whether what is set has to be known.
  private let isTouchNoted: Bool

  init(_ layout: EntityLayout) {
    self.layout = layout
    row = Row(layout)
    let defaults = Row(layout)
    for slot in layout.slots.indices where layout.slots[slot].kind != .related {
      if layout.slots[slot].defaultValue != .null {
        _ = defaults.setValue(slot, layout.slots[slot].defaultValue, layout)
      }
    }
    self.defaults = defaults
    defaultSlots = layout.slots.indices.filter { defaults.isPresent($0) }
    isTouchNoted = !layout.uniqueness.isEmpty
    kinds = layout.slots.map { slot in
      guard slot.attribute != nil, slot.column != nil, slot.attribute?.derivation == nil
      else { return nil }
      return slot.kind
    }
    begin()
  }

  deinit {
    row.free(layout)
    defaults.free(layout)
  }

  /// Makes the row one of defaults again.
  mutating func begin() {
    row.clearAll(layout)
    for slot in defaultSlots { defaults.copySlot(slot, to: row, layout) }
    if isTouchNoted { touched.removeAll() }
    if !farTargets.isEmpty { farTargets = [] }
    if !targets.isEmpty { targets = [] }
    if !failures.isEmpty { failures = [] }
  }

  @inline(__always)
  private mutating func mayTake(_ slot: Int, _ kind: SlotKind, _ other: SlotKind) -> Bool {
    if slot >= 0, slot < kinds.count, let own = kinds[slot], own == kind || own == other {
      if isTouchNoted { touched.insert(slot) }
      return true
    }
    refuse(slot, kind)
    return false
  }

  private mutating func refuse(_ slot: Int, _ kind: SlotKind) {
    guard layout.slots.indices.contains(slot) else {
      failures.append(
        StoreError(
          .unknownProperty, layout.name, "has no slot \(slot)",
          fix: "ask the store's layout for the slot of a property"))
      return
    }
    let name = "\(layout.name).\(layout.slots[slot].name)"
    if kinds[slot] == nil {
      failures.append(.readOnlyProperty(name, why: "it is no stored attribute"))
    } else {
      failures.append(
        StoreError(.wrongType, name, "holds \(layout.slots[slot].kind), not \(kind)"))
    }
  }
}

// By slots. Public, since only public functions are specialised across modules.
extension BatchRow {
  /// Sets a whole number, or a truth value as 0 or 1.
  @inline(__always)
  public mutating func set(_ slot: Int, _ value: Int64) {
    if mayTake(slot, .integer, .integer) { row.set(slot, value, layout) }
  }

  /// Sets a floating-point number, or a date as seconds since the reference date.
  public mutating func set(_ slot: Int, _ value: Double) {
    if mayTake(slot, .double, .date) { row.set(slot, value, layout) }
  }

  /// Sets a text, or a decimal as its text.
  public mutating func set(_ slot: Int, _ value: String) {
    if mayTake(slot, .text, .decimal) { row.set(slot, value, layout) }
  }

  /// Sets a UUID.
  public mutating func set(_ slot: Int, _ value: UUID) {
    if mayTake(slot, .uuid, .uuid) { row.set(slot, value, layout) }
  }

  /// Sets bytes.
  public mutating func set(_ slot: Int, _ value: [UInt8]) {
    if mayTake(slot, .bytes, .bytes) {
      row.set(slot, BytesSlot(bytes: value, file: nil), layout)
    }
  }

  /// Sets a truth value.
  public mutating func set(_ slot: Int, _ value: Bool) { set(slot, value ? 1 : 0 as Int64) }

  /// Sets a date.
  public mutating func set(_ slot: Int, _ value: Date) {
    set(slot, value.timeIntervalSinceReferenceDate)
  }

  /// Sets no value.
  public mutating func clear(_ slot: Int) {
    guard kinds.indices.contains(slot), let kind = kinds[slot] else {
      return refuse(slot, .integer)
    }
    if mayTake(slot, kind, kind) { row.clear(slot, layout) }
  }

  /// Sets the object of a to-one relationship.
  public mutating func setRelated(_ slot: Int, _ target: ObjectIdentity?) {
    guard layout.slots.indices.contains(slot), let relationship = layout.slots[slot].relationship
    else { return refuse(slot, .reference) }
    if relationship.schema.isToMany {
      failures.append(
        StoreError(
          .wrongCardinality, "\(layout.name).\(layout.slots[slot].name)",
          "holds several objects, which a batch does not set",
          fix: "set the other side's to-one relationship, or save through a context"))
      return
    }
    if isTouchNoted { touched.insert(slot) }
    targets.removeAll { $0.slot == slot }
    farTargets.removeAll { $0.slot == slot }
    if layout.slots[slot].kind == .related {
      farTargets.append((slot, target))
    } else if let target {
      row.set(slot, ReferenceSlot(key: target.key, object: nil), layout)
    } else {
      row.clear(slot, layout)
    }
    if let target { targets.append((slot, target)) }
  }
}

// By object.
extension BatchRow {
  /// Takes the values of an object that is in no context and related to no other.
  public mutating func take(_ object: ManagedObject) {
    guard let source = object.row, object.modelContext == nil else {
      return failures.append(
        StoreError(
          .otherContext, object.layout.name, "belongs to a context, which saves it",
          fix: "hand over new objects that were inserted nowhere"))
    }
    failures += object.refusals
    guard object.layout.name == layout.name, object.layout.hasSameSlots(as: layout) else {
      return failures.append(
        StoreError(
          .unknownEntity, object.layout.name, "is no \(layout.name)",
          fix: "insert the objects of each entity by a batch of their own"))
    }
    for slot in layout.slots.indices {
      if layout.slots[slot].relationship != nil {
        refuseRelated(slot, of: object)
      } else if kinds[slot] != nil {
        if isTouchNoted { touched.insert(slot) }
        source.copySlot(slot, to: row, layout)
      }
    }
  }

  private mutating func refuseRelated(_ slot: Int, of object: ManagedObject) {
    let isAlone =
      layout.slots[slot].relationship?.schema.isToMany == true
      ? object.relatedObjects(slot).isEmpty : object.relatedObject(slot) == nil
    if isAlone { return }
    failures.append(
      StoreError(
        .validation, "\(layout.name).\(layout.slots[slot].name)",
        "leads to other objects, which a batch does not insert",
        fix: "insert such objects into a context and save it"))
  }
}

// By name.
extension BatchRow {
  /// Sets a property: an attribute, all members of a composite one, or a to-one relationship, whose
  /// value is an object's identity.
  public mutating func set(_ name: String, _ value: FieldValue) {
    guard let slot = layout.slot(name) else { return setMembers(name, value) }
    if layout.slots[slot].relationship != nil {
      switch value {
      case .null: setRelated(slot, nil)
      case .objectID(let target): setRelated(slot, target)
      default:
        failures.append(
          .wrongType("\(layout.name).\(name)", expected: "an object's identity", found: value))
      }
      return
    }
    guard kinds[slot] != nil else { return refuse(slot, .integer) }
    if isTouchNoted { touched.insert(slot) }
    if !row.setValue(slot, value, layout) {
      failures.append(
        .wrongType(
          "\(layout.name).\(name)",
          expected: layout.slots[slot].attribute?.type.rawValue ?? "value", found: value))
    }
  }

  private mutating func setMembers(_ name: String, _ value: FieldValue) {
    let prefix = name + "."
    let members = layout.slots.filter { $0.name.hasPrefix(prefix) }.map(\.name)
    switch value {
    case .composite(let values) where !members.isEmpty:
      for (member, value) in values.sorted(by: { $0.key < $1.key }) { set(prefix + member, value) }
    case .null where !members.isEmpty:
      for member in members { set(member, .null) }
    default:
      failures.append(
        members.isEmpty
          ? .unknownProperty("\(layout.name).\(name)", among: layout.slots.map(\.name))
          : .wrongType("\(layout.name).\(name)", expected: "a composite", found: value))
    }
  }
}

extension Row {
  /// Makes every slot have no value.
  @inline(__always)
  func clearAll(_ layout: EntityLayout) {
    for slot in layout.owningSlots { clear(slot, layout) }
    base.initializeMemory(as: UInt8.self, repeating: 0, count: layout.slotsOffset)
  }
}
