// What takes long to write is kept as it was set, and encoded once somebody needs it in its slots: a save, undo, a
// predicate, a reader. Whoever asks for the row, or for such a slot of it, has it encoded first.
extension ManagedObject {
  /// Sets a property whose slots are made of the value when somebody asks for them.
  ///
  /// Returns false, and has done nothing, where the value must be encoded at once: others may change it, or there
  /// is no row to keep it in.
  @inlinable
  public func set<Value>(
    _ slot: Int, unencoded value: Value, isPlain: () -> Bool,
    by encoding: @autoclosure () -> ValueEncoding<Value>
  ) -> Bool {
    guard
      holdsUnencoded(slot, Value.self) || isPlainType(slot, ObjectIdentifier(Value.self), isPlain),
      willSetWhole(slot)
    else { return false }
    // Asked again: who is told of the change may have had the value before encoded.
    if let kept = keptValue(slot), Self.isUnencoded(kept, Value.self) {
      kept._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: UnencodedValue<Value>.self).value = value
      }
    } else {
      keepUnencoded(slot, UnencodedValue(value, by: encoding()))
    }
    return true
  }

  @inlinable @inline(__always)
  func holdsUnencoded<Value>(_ slot: Int, _ type: Value.Type) -> Bool {
    keptValue(slot).map { Self.isUnencoded($0, type) } ?? false
  }

  @inlinable @inline(__always)
  static func isUnencoded<Value>(_ kept: Unmanaged<KeptObject>, _ type: Value.Type) -> Bool {
    kept._withUnsafeGuaranteedRef { Swift.type(of: $0) == UnencodedValue<Value>.self }
  }

  /// Whether a property has a place for values, and those of a type are changed by nobody who has a copy.
  @usableFromInline @inline(never)
  func isPlainType(_ slot: Int, _ type: ObjectIdentifier, _ isPlain: () -> Bool) -> Bool {
    layout.keptProperty(slot)?.isPlain(type, isPlain) ?? false
  }

  /// Tells that all of a property is about to change; false where there is no row that could keep what it is set to.
  @usableFromInline
  func willSetWhole(_ slot: Int) -> Bool {
    if concurrencyDebugFlag != 0 { checkAccess(slot) }
    if heldRow == nil { _ = fulfilled(nil) }
    // What stands in for an object that cannot be read is no row of it.
    guard heldRow != nil else { return false }
    if state != .detached, let context, let property = layout.keptProperty(slot) {
      for part in property.slots { context.willChange(self, part) }
    }
    return true
  }

  @usableFromInline @inline(never)
  func keepUnencoded(_ slot: Int, _ value: KeptObject) {
    guard let row = heldRow else { return }
    let place = layout.keptPlaces[slot]
    row.forget(at: place)
    row.keep(at: place, value)
    hasUnencoded = true
  }
}

extension ManagedObject {
  /// How often everything is encoded that is not, where the code of a type sets something while it is encoded.
  private static let passesMax = 4

  /// Encodes everything that is not yet.
  @inline(never)
  func encodeAll() {
    for _ in 0..<Self.passesMax where hasUnencoded {
      for place in layout.allKeptPlaces { encode(at: place) }
    }
  }

  /// Encodes the property that a slot is, or is a part of.
  @inline(never)
  func encode(_ slot: Int) {
    // A damaged file may name an object of another entity, which has fewer slots.
    guard slot < layout.keptPlaces.count, layout.keptPlaces[slot] != 0 else { return }
    encode(at: layout.keptPlaces[slot])
  }

  private func encode(at place: Int) {
    guard isKept(at: place, .unencoded), let row = heldRow, let value = row.take(at: place) else {
      return
    }
    row.keep(at: place, ValueInWork())
    value.encode(into: self, at: layout.keptProperty(at: place).slots[0])
    // A type's own code ran: it may have done anything to the object.
    if isKept(at: place, .encoding) { heldRow?.forget(at: place) }
    hasUnencoded = layout.allKeptPlaces.contains {
      isKept(at: $0, .unencoded) || isKept(at: $0, .encoding)
    }
  }

  /// The row to write into without telling anybody, where a slot is written while its property is encoded.
  ///
  /// Who was to be told was when it was set. Where somebody else writes the slot there is none, and what is set of
  /// the property is encoded first: the slot may be a part of it.
  @inline(never)
  func rowToEncode(_ slot: Int) -> Row? {
    let place = layout.keptPlaces[slot]
    guard place != 0 else { return nil }
    if isKept(at: place, .encoding) { return heldRow }
    encode(at: place)
    return nil
  }

  /// Whether what is kept at a place is in a state.
  func isKept(at place: Int, _ state: KeptObject.State) -> Bool {
    heldRow?.kept(at: place)?._withUnsafeGuaranteedRef { $0.state == state } ?? false
  }
}
