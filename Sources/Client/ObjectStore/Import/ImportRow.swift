import DataModel
public import FoundationEssentials

/// Values for one object that come from elsewhere: a new object as a whole, or some properties of one
/// that is there.
///
/// It holds what its setters were given, by slots, and nothing else: neither defaults nor rules of the
/// schema are applied, since what comes from elsewhere is to be shown as it is. One row serves many
/// objects: `removeAll` empties it. Setters return false, and change nothing, for a slot that has no
/// column, is derived, or holds another kind of value.
public struct ImportRow: ~Copyable {
  /// The entity of the object.
  public let layout: EntityLayout
  let row: Row
  /// What was set, even to nothing.
  private(set) var touched = SlotSet()
  /// Objects for to-one relationships whose keys are in the other object's row; nil for none.
  private(set) var farTargets: [(slot: Int, target: Int64?)] = []
  /// What slots take; nil for those that take nothing.
  // NB: copied from the layout once, since a `Slot` is expensive to look at for each value.
  private let kinds: [SlotKind?]

  /// A row of `layout` in which nothing is set.
  public init(_ layout: EntityLayout) {
    self.layout = layout
    row = Row(layout)
    kinds = layout.slots.map { slot in
      slot.column == nil || slot.attribute?.derivation != nil ? nil : slot.kind
    }
  }

  deinit { row.free(layout) }

  /// Whether nothing is set.
  public var isEmpty: Bool { touched.isEmpty && farTargets.isEmpty }

  /// Forgets all that was set.
  public mutating func removeAll() {
    row.clearAll(layout)
    touched.removeAll()
    farTargets.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ slot: Int, _ kind: SlotKind, or other: SlotKind) -> Bool {
    guard kinds.indices.contains(slot), let own = kinds[slot], own == kind || own == other else {
      return false
    }
    touched.insert(slot)
    return true
  }
}

extension ImportRow {
  /// Sets a whole number, a truth value as 0 or 1, or a place in an order.
  @discardableResult
  public mutating func set(_ slot: Int, _ value: Int64) -> Bool {
    guard take(slot, .integer, or: .integer) else { return false }
    row.set(slot, value, layout)
    return true
  }

  /// Sets a floating-point number, or a date as seconds since the reference date.
  @discardableResult
  public mutating func set(_ slot: Int, _ value: Double) -> Bool {
    guard take(slot, .double, or: .date) else { return false }
    row.set(slot, value, layout)
    return true
  }

  /// Sets a text, or a decimal as its text.
  @discardableResult
  public mutating func set(_ slot: Int, _ value: String) -> Bool {
    guard take(slot, .text, or: .decimal) else { return false }
    row.set(slot, value, layout)
    return true
  }

  /// Sets a UUID.
  @discardableResult
  public mutating func set(_ slot: Int, _ value: UUID) -> Bool {
    guard take(slot, .uuid, or: .uuid) else { return false }
    row.set(slot, value, layout)
    return true
  }

  /// Sets bytes.
  @discardableResult
  public mutating func set(_ slot: Int, _ value: [UInt8]) -> Bool {
    guard take(slot, .bytes, or: .bytes) else { return false }
    row.set(slot, BytesSlot(bytes: value, file: nil), layout)
    return true
  }

  /// Sets the value that `WriteTransaction.adoptExternal` has taken as a file; only for attributes with
  /// external storage.
  @discardableResult
  public mutating func set(_ slot: Int, externalName name: String) -> Bool {
    guard layout.externalSlots.contains(slot), take(slot, .bytes, or: .bytes) else { return false }
    row.set(slot, BytesSlot(bytes: [], file: ExternalValue(name: name)), layout)
    return true
  }

  /// Sets no value.
  @discardableResult
  public mutating func clear(_ slot: Int) -> Bool {
    guard kinds.indices.contains(slot), let kind = kinds[slot], kind != .reference,
      take(slot, kind, or: kind)
    else { return false }
    row.clear(slot, layout)
    return true
  }

  /// Sets the object of a to-one relationship, whichever side has the key; nil for none.
  ///
  /// Where the other side holds one object too, both sides are the same once the row is written.
  @discardableResult
  public mutating func setTarget(_ slot: Int, _ target: Int64?) -> Bool {
    guard layout.slots.indices.contains(slot) else { return false }
    if kinds[slot] == .reference {
      touched.insert(slot)
      if let target, target > 0 {
        row.set(slot, ReferenceSlot(key: target, object: nil), layout)
      } else {
        row.clear(slot, layout)
      }
      return true
    }
    guard let relationship = layout.slots[slot].relationship, !relationship.schema.isToMany,
      case .farColumn = relationship.place
    else { return false }
    farTargets.removeAll { $0.slot == slot }
    farTargets.append((slot, target))
    return true
  }

  /// The object that a to-one relationship with a column was set to.
  func target(_ slot: Int) -> Int64? {
    row.isPresent(slot) ? row.reference(slot, layout).key : nil
  }
}
