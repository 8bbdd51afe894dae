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

  /// Sets data, of which bytes are made when somebody asks for them.
  ///
  /// Data is what it was made of for as long as it is used, also where that is memory of somebody else's. What begins
  /// within other data is copied: what is read begins at 0.
  public func setData(_ slot: Int, _ value: Data) {
    if value.startIndex == 0, layout.keptProperty(slot)?.isComposite == false,
      set(
        slot, unencoded: value, isPlain: { true },
        by: ValueEncoding(isExact: true) { $1.set($2, [UInt8]($0)) })
    {
      return
    }
    set(slot, [UInt8](value))
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

// What takes long to read is kept once it was read, for as long as nothing of it changes.
extension ManagedObject {
  /// A decimal number, if there is one.
  public func presentDecimal(_ slot: Int) -> Decimal? {
    let row = values(slot)
    guard layout.kinds[slot] == .decimal, row.isPresent(slot) else { return nil }
    return kept(slot, in: row) ?? read(slot, row) { Decimal(string: $0) }
  }

  /// The address of a resource, if there is one.
  public func presentURL(_ slot: Int) -> URL? {
    let row = values(slot)
    guard layout.kinds[slot] == .text, row.isPresent(slot) else { return nil }
    return kept(slot, in: row) ?? read(slot, row) { URL(string: $0) }
  }

  /// Data, if there is any, read from its file if it is in one.
  public func presentData(_ slot: Int) -> Data? { kept(slot) ?? readData(slot) }

  /// What was kept of the property that a slot is, or is a part of.
  @inlinable
  public func kept<Value>(_ slot: Int, as type: Value.Type = Value.self) -> Value? {
    guard let kept = keptValue(slot) else { return nil }
    return kept._withUnsafeGuaranteedRef { Self.value(of: $0) }
  }

  /// Reads the property that a slot is, or is a part of, and keeps what was read where that is what the row has.
  ///
  /// What reads may have the object read anew, or have found a part of it only: then nothing is kept.
  public func keeping<Value>(
    _ slot: Int, where isToBeKept: (Value) -> Bool = { _ in true }, _ read: () throws -> Value?
  ) rethrows -> Value? {
    _ = values(slot)
    let (before, version) = (heldRow?.base, version)
    guard let value = try read() else { return nil }
    if let row = heldRow, row.base == before, self.version == version, row.mayKeep(slot, layout),
      isToBeKept(value)
    {
      row.keep(slot, value, layout)
    }
    return value
  }

  /// What is kept of the property that a slot is, or is a part of.
  public func keptValue(_ slot: Int) -> Unmanaged<KeptObject>? {
    guard let row = heldRow else { return nil }
    if concurrencyDebugFlag != 0 { checkAccess(slot) }
    return row.kept(slot, layout)
  }

  @inline(__always)
  private func kept<Value>(_ slot: Int, in row: Row) -> Value? {
    guard let kept = row.kept(slot, layout) else { return nil }
    return kept._withUnsafeGuaranteedRef { Self.value(of: $0) }
  }

  /// The value that was kept, or that was set where reading gives it again.
  ///
  /// Nil where it is of another type, as one that another class of models has read.
  @inlinable @inline(__always)
  static func value<Value>(of kept: KeptObject) -> Value? {
    if Swift.type(of: kept) == KeptValue<Value>.self {
      return unsafeDowncast(kept, to: KeptValue<Value>.self).value
    }
    if Swift.type(of: kept) == UnencodedValue<Value>.self {
      let set = unsafeDowncast(kept, to: UnencodedValue<Value>.self)
      if set.isExact { return set.value }
    }
    return nil
  }

  @inline(never)
  private func readData(_ slot: Int) -> Data? {
    guard layout.kinds[slot] == .bytes, values(slot).isPresent(slot) else { return nil }
    if layout.keptProperty(slot)?.isComposite == true { return Data(bytes(slot)) }
    return keeping(slot) { Data(bytes(slot)) }
  }

  /// Reads what a text says, and keeps it; nil, which is not kept, where it says nothing of the kind.
  @inline(never)
  private func read<Value>(_ slot: Int, _ row: Row, by reading: (String) -> Value?) -> Value? {
    let found = reading(row.text(slot, layout))
    if let found, layout.keptProperty(slot)?.isComposite == false { row.keep(slot, found, layout) }
    return found
  }
}

/// Values that a detached object was given, and that its row may not give back.
final class GivenValues {
  var values: [Int: Any] = [:]
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
