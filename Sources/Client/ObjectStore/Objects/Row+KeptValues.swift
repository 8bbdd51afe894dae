/// What was read out of a slot's text.
final class KeptValue<Value> {
  let value: Value

  init(_ value: Value) { self.value = value }
}

// What was read out of texts that take long to read, for as long as the slots have these texts.
extension Row {
  /// The note of a slot whose value is kept; a slot without a place for it may have it as any other note.
  private static let keptNote = UInt8.max

  /// What is kept of a slot's text.
  ///
  /// `Value` is what this slot's kind is kept as.
  @inline(__always)
  func kept<Value>(_ slot: Int, _ layout: EntityLayout, as type: Value.Type) -> Value? {
    guard note(slot, layout) == Self.keptNote else { return nil }
    let place = layout.keptPlaces[slot]
    guard place != 0 else { return nil }
    return base.load(fromByteOffset: place, as: Unmanaged<KeptValue<Value>>.self)
      ._withUnsafeGuaranteedRef { $0.value }
  }

  /// Keeps what was read out of a slot's text, where there is a place for it and nothing in it yet.
  func keep<Value>(_ slot: Int, _ value: Value, _ layout: EntityLayout) {
    let place = layout.keptPlaces[slot]
    guard place != 0, note(slot, layout) == 0 else { return }
    base.storeBytes(
      of: Unmanaged.passRetained(KeptValue(value)), toByteOffset: place,
      as: Unmanaged<KeptValue<Value>>.self)
    setNote(slot, Self.keptNote, layout)
  }

  /// Forgets what was read out of a slot's text, which is about to go.
  @inline(__always)
  func dropNote(_ slot: Int, _ layout: EntityLayout) {
    if note(slot, layout) != 0 { forgetNote(slot, layout) }
  }

  @inline(never)
  private func forgetNote(_ slot: Int, _ layout: EntityLayout) {
    let place = layout.keptPlaces[slot]
    if place != 0, note(slot, layout) == Self.keptNote {
      base.load(fromByteOffset: place, as: Unmanaged<AnyObject>.self).release()
    }
    setNote(slot, 0, layout)
  }
}
