public import ObjectStore

extension RawRepresentable where RawValue: StorableValue {
  /// The value whose raw value is in a slot; nil where there is none, or none that is a case.
  @inlinable @inline(__always)
  static func _case(_ object: ManagedObject, _ slot: Int) -> Self? {
    guard _isNoted else { return RawValue._value(object, slot).flatMap { Self(rawValue: $0) } }
    let note = object.note(slot)
    return note == 0 ? _notedCase(object, slot) : unsafeBitCast(note &- 1, to: Self.self)
  }

  /// Whether a value is noted beside its text: `init(rawValue:)` compares the text with that of each case.
  ///
  /// All of it is known when the code is compiled. A value of one plain byte can be kept as this byte;
  /// enumerations without associated values are such.
  @inlinable @inline(__always)
  static var _isNoted: Bool {
    RawValue.self == String.self && MemoryLayout<Self>.size == 1 && _isPOD(Self.self)
  }

  /// Searches for the value, and notes it.
  @inlinable @inline(never)
  static func _notedCase(_ object: ManagedObject, _ slot: Int) -> Self? {
    guard let found = RawValue._value(object, slot).flatMap({ Self(rawValue: $0) }) else {
      return nil
    }
    // Beyond 254 it is 0, which is no note.
    object.setNote(slot, unsafeBitCast(found, to: UInt8.self) &+ 1)
    return found
  }
}
