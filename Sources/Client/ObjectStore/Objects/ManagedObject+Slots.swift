public import FoundationEssentials

// What a typed model's accessors call, each with a slot of the kind that the property's type has.
// Public, since the compiler specialises and inlines only public functions across modules.
extension ManagedObject {
  /// Whether a slot has a value.
  public func isPresent(_ slot: Int) -> Bool { values(slot).isPresent(slot) }

  /// A whole number; 0 where there is none.
  public func integer(_ slot: Int) -> Int64 {
    let row = values(slot)
    return row.isPresent(slot) ? row.integer(slot, layout) : 0
  }

  /// A floating-point number, or a date as seconds; 0 where there is none.
  public func double(_ slot: Int) -> Double {
    let row = values(slot)
    return row.isPresent(slot) ? row.double(slot, layout) : 0
  }

  /// A text, or a decimal as text; empty where there is none.
  public func text(_ slot: Int) -> String {
    let row = values(slot)
    return row.isPresent(slot) ? row.text(slot, layout) : ""
  }

  /// A UUID; nil where there is none.
  public func uuid(_ slot: Int) -> UUID? {
    let row = values(slot)
    return row.isPresent(slot) ? row.uuid(slot, layout) : nil
  }

  /// Bytes, read from their file if they are in one; empty where there are none.
  public func bytes(_ slot: Int) -> [UInt8] {
    let row = values(slot)
    guard row.isPresent(slot) else { return [] }
    let value = row.bytes(slot, layout)
    guard let file = value.file, value.bytes.isEmpty else { return value.bytes }
    return context?.externalBytes(file, of: self, slot) ?? []
  }

  /// Sets a whole number.
  public func set(_ slot: Int, _ value: Int64) { changing(slot).set(slot, value, layout) }

  /// Sets a floating-point number, or a date as seconds.
  public func set(_ slot: Int, _ value: Double) { changing(slot).set(slot, value, layout) }

  /// Sets a text, or a decimal as text.
  public func set(_ slot: Int, _ value: String) { changing(slot).set(slot, value, layout) }

  /// Sets a UUID.
  public func set(_ slot: Int, _ value: UUID) { changing(slot).set(slot, value, layout) }

  /// Sets bytes.
  public func set(_ slot: Int, _ value: [UInt8]) {
    changing(slot).set(slot, BytesSlot(bytes: value, file: nil), layout)
  }

  /// Sets no value.
  public func clear(_ slot: Int) { changing(slot).clear(slot, layout) }
}

// The same for properties that may be without a value, in one call.
extension ManagedObject {
  /// A whole number, if there is one.
  public func presentInteger(_ slot: Int) -> Int64? {
    let row = values(slot)
    return row.isPresent(slot) ? row.integer(slot, layout) : nil
  }

  /// A floating-point number, or a date as seconds, if there is one.
  public func presentDouble(_ slot: Int) -> Double? {
    let row = values(slot)
    return row.isPresent(slot) ? row.double(slot, layout) : nil
  }

  /// A text, or a decimal as text, if there is one.
  public func presentText(_ slot: Int) -> String? {
    let row = values(slot)
    return row.isPresent(slot) ? row.text(slot, layout) : nil
  }

  /// Bytes, if there are any, read from their file if they are in one.
  public func presentBytes(_ slot: Int) -> [UInt8]? {
    values(slot).isPresent(slot) ? bytes(slot) : nil
  }
}

// What a reader made of a text, beside the text: the text of an enumeration is searched for once.
extension ManagedObject {
  /// What was noted of a text; 0 where nothing was since the text was set.
  public func note(_ slot: Int) -> UInt8 { values(slot).note(slot, layout) }

  /// Notes something of a text, for as long as the slot has this text.
  public func setNote(_ slot: Int, _ note: UInt8) {
    let row = values(slot)
    if row.isPresent(slot) { row.setNote(slot, note, layout) }
  }
}

// Numbers and addresses take long to read out of their texts, so that is done once for each text.
extension ManagedObject {
  /// A decimal number, if there is one.
  public func presentDecimal(_ slot: Int) -> Decimal? {
    let row = values(slot)
    guard layout.kinds[slot] == .decimal, row.isPresent(slot) else { return nil }
    return row.kept(slot, layout, as: Decimal.self)
      ?? read(slot, row) { Decimal(string: $0) }
  }

  /// The address of a resource, if there is one.
  public func presentURL(_ slot: Int) -> URL? {
    let row = values(slot)
    guard layout.kinds[slot] == .text, row.isPresent(slot) else { return nil }
    return row.kept(slot, layout, as: URL.self) ?? read(slot, row) { URL(string: $0) }
  }

  /// Reads what a text says, and keeps it; nil, which is not kept, where it says nothing of the kind.
  @inline(never)
  private func read<Value>(_ slot: Int, _ row: Row, by reading: (String) -> Value?) -> Value? {
    let found = reading(row.text(slot, layout))
    if let found { row.keep(slot, found, layout) }
    return found
  }
}

/// Values that a detached object was given, and that its row may not give back.
final class GivenValues {
  var values: [Int: Any] = [:]
  /// What kept a value from being written, by slot.
  var refusals: [Int: StoreError] = [:]
}

extension ManagedObject {
  /// Keeps a value beside the row while the object is in no context, where nothing else could stand for it.
  public func keepGiven(_ slot: Int, _ value: Any) {
    guard state == .detached, keptModel == nil || keptModel is GivenValues else { return }
    let given = keptModel as? GivenValues ?? GivenValues()
    given.values[slot] = value
    keptModel = given
  }

  /// What was kept beside the row.
  public func given(_ slot: Int) -> Any? { (keptModel as? GivenValues)?.values[slot] }
}
