/// The values of one object in memory: bits that say which slots have a value, a byte of notes for each
/// slot, references to what takes long to read, then 16 bytes for each slot.
///
/// Typed and dynamic access read the same bytes, so neither looks up a name, boxes a value or
/// allocates. The layout says what lies in a slot; only this file and `Row+Slots.swift` touch memory.
///
/// - A row is an address. It has one owner, a property of a `ManagedObject`, which calls `free` exactly
///   once, with the layout that the row was made for and that the object keeps alive.
/// - A slot whose kind owns memory is initialised exactly while its bit of presence is set. Slots of
///   other kinds are plain bytes.
/// - A note is what somebody read out of a text, such as the case of an enumeration that the text names;
///   0 where nothing was. It lives as long as the text does.
/// - What was read of a property, or what it was set to, is an object that the row owns, for as long as nothing of the
///   property changes; see `Row+KeptValues.swift`.
struct Row {
  /// How many bytes a slot takes: a `String`, a `UUID` or two words.
  static let slotBytes = 16

  let base: UnsafeMutableRawPointer

  /// A row in which no slot has a value.
  init(_ layout: EntityLayout) {
    base = UnsafeMutableRawPointer.allocate(byteCount: layout.rowBytes, alignment: 16)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: layout.slotsOffset)
  }

  /// Gives back what the slots own, and the memory itself.
  func free(_ layout: EntityLayout) {
    for place in layout.allKeptPlaces { forget(at: place) }
    for slot in layout.owningSlots where isPresent(slot) { release(slot, layout) }
    base.deallocate()
  }

  /// Whether a slot has a value.
  @inline(__always)
  func isPresent(_ slot: Int) -> Bool {
    let words = base.assumingMemoryBound(to: UInt64.self)
    return words[slot >> 6] & (1 << UInt64(slot & 63)) != 0
  }

  @inline(__always)
  func markPresent(_ slot: Int) {
    let words = base.assumingMemoryBound(to: UInt64.self)
    words[slot >> 6] |= 1 << UInt64(slot & 63)
  }

  @inline(__always)
  private func markAbsent(_ slot: Int) {
    let words = base.assumingMemoryBound(to: UInt64.self)
    words[slot >> 6] &= ~(1 << UInt64(slot & 63))
  }

  /// What was noted of a slot's text; 0 where nothing was.
  @inline(__always)
  func note(_ slot: Int, _ layout: EntityLayout) -> UInt8 {
    base.load(fromByteOffset: layout.notesOffset + slot, as: UInt8.self)
  }

  @inline(__always)
  func setNote(_ slot: Int, _ note: UInt8, _ layout: EntityLayout) {
    base.storeBytes(of: note, toByteOffset: layout.notesOffset + slot, as: UInt8.self)
  }

  /// The address of a slot.
  @inline(__always)
  func address(_ slot: Int, _ layout: EntityLayout) -> UnsafeMutableRawPointer {
    base + layout.slotsOffset + slot * Self.slotBytes
  }

  /// Makes a slot have no value.
  func clear(_ slot: Int, _ layout: EntityLayout) {
    guard isPresent(slot) else { return }
    setNote(slot, 0, layout)
    release(slot, layout)
    markAbsent(slot)
  }

  private func release(_ slot: Int, _ layout: EntityLayout) {
    let place = address(slot, layout)
    switch layout.kinds[slot] {
    case .integer, .double, .date, .uuid: break
    case .text, .decimal: place.assumingMemoryBound(to: String.self).deinitialize(count: 1)
    case .bytes: place.assumingMemoryBound(to: BytesSlot.self).deinitialize(count: 1)
    case .reference: place.assumingMemoryBound(to: ReferenceSlot.self).deinitialize(count: 1)
    case .related: place.assumingMemoryBound(to: RelatedObjects.self).deinitialize(count: 1)
    }
  }

  /// A row with the same values.
  ///
  /// Collections of related objects are not copied: they keep their own record of what changed.
  func copy(_ layout: EntityLayout) -> Row {
    let result = Row(layout)
    for slot in layout.slots.indices where isPresent(slot) {
      copySlot(slot, to: result, layout)
    }
    return result
  }

  /// Copies the value of one slot, or its absence, into `other`, a row of the same layout.
  func copySlot(_ slot: Int, to other: Row, _ layout: EntityLayout) {
    other.clear(slot, layout)
    guard isPresent(slot) else { return }
    let source = address(slot, layout)
    let target = other.address(slot, layout)
    switch layout.slots[slot].kind {
    case .integer, .double, .date, .uuid:
      target.copyMemory(from: source, byteCount: Self.slotBytes)
    case .text, .decimal:
      target.initializeMemory(
        as: String.self, to: source.assumingMemoryBound(to: String.self).pointee)
    case .bytes:
      target.initializeMemory(
        as: BytesSlot.self, to: source.assumingMemoryBound(to: BytesSlot.self).pointee)
    case .reference:
      target.initializeMemory(
        as: ReferenceSlot.self, to: source.assumingMemoryBound(to: ReferenceSlot.self).pointee)
    case .related: return
    }
    other.markPresent(slot)
  }
}

/// What a slot of kind `bytes` holds.
struct BytesSlot {
  /// The bytes; empty while they are still in the file.
  var bytes: [UInt8]
  /// The file beside the store that has the bytes; nil where they are in `bytes`.
  var file: ExternalValue?
}

/// Bytes that are in a file beside the store and have not been read yet.
final class ExternalValue: Sendable {
  /// The file's name within the store's folder of values.
  let name: String

  init(name: String) { self.name = name }
}

/// What a slot of kind `reference` holds.
struct ReferenceSlot {
  /// The object's key; negative while the object has never been saved.
  var key: Int64
  /// The object itself while it has no lasting key or belongs to no context; else nil, so that
  /// objects that refer to one another do not keep one another alive.
  var object: ManagedObject?
}
