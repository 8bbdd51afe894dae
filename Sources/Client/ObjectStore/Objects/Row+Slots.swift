import DataModel
import FoundationEssentials

// Reads and writes slots by their kinds. The caller knows the kind: from the layout, or because a
// macro has put the slot's number beside the property's type.
extension Row {
  @inline(__always)
  func integer(_ slot: Int, _ layout: EntityLayout) -> Int64 {
    address(slot, layout).assumingMemoryBound(to: Int64.self).pointee
  }

  @inline(__always)
  func double(_ slot: Int, _ layout: EntityLayout) -> Double {
    address(slot, layout).assumingMemoryBound(to: Double.self).pointee
  }

  @inline(__always)
  func text(_ slot: Int, _ layout: EntityLayout) -> String {
    address(slot, layout).assumingMemoryBound(to: String.self).pointee
  }

  @inline(__always)
  func uuid(_ slot: Int, _ layout: EntityLayout) -> UUID {
    address(slot, layout).assumingMemoryBound(to: UUID.self).pointee
  }

  @inline(__always)
  func bytes(_ slot: Int, _ layout: EntityLayout) -> BytesSlot {
    address(slot, layout).assumingMemoryBound(to: BytesSlot.self).pointee
  }

  @inline(__always)
  func reference(_ slot: Int, _ layout: EntityLayout) -> ReferenceSlot {
    address(slot, layout).assumingMemoryBound(to: ReferenceSlot.self).pointee
  }

  @inline(__always)
  func related(_ slot: Int, _ layout: EntityLayout) -> RelatedObjects {
    address(slot, layout).assumingMemoryBound(to: RelatedObjects.self).pointee
  }

  @inline(__always)
  func set(_ slot: Int, _ value: Int64, _ layout: EntityLayout) {
    address(slot, layout).initializeMemory(as: Int64.self, to: value)
    markPresent(slot)
  }

  @inline(__always)
  func set(_ slot: Int, _ value: Double, _ layout: EntityLayout) {
    address(slot, layout).initializeMemory(as: Double.self, to: value)
    markPresent(slot)
  }

  @inline(__always)
  func set(_ slot: Int, _ value: UUID, _ layout: EntityLayout) {
    address(slot, layout).initializeMemory(as: UUID.self, to: value)
    markPresent(slot)
  }

  @inline(__always)
  func set(_ slot: Int, _ value: String, _ layout: EntityLayout) { own(slot, value, layout) }

  @inline(__always)
  func set(_ slot: Int, _ value: BytesSlot, _ layout: EntityLayout) { own(slot, value, layout) }

  @inline(__always)
  func set(_ slot: Int, _ value: ReferenceSlot, _ layout: EntityLayout) { own(slot, value, layout) }

  @inline(__always)
  func set(_ slot: Int, _ value: RelatedObjects, _ layout: EntityLayout) {
    own(slot, value, layout)
  }

  /// Puts a value that owns memory into a slot of a row that has nothing in it yet.
  @inline(__always)
  func begin<Value>(_ slot: Int, _ value: Value, _ layout: EntityLayout) {
    address(slot, layout).initializeMemory(as: Value.self, to: value)
    markPresent(slot)
  }

  /// Puts a value that owns memory into a slot: over the old one, or into bytes that hold none.
  @inline(__always)
  private func own<Value>(_ slot: Int, _ value: Value, _ layout: EntityLayout) {
    let place = address(slot, layout)
    setNote(slot, 0, layout)
    if isPresent(slot) {
      place.assumingMemoryBound(to: Value.self).pointee = value
    } else {
      place.initializeMemory(as: Value.self, to: value)
      markPresent(slot)
    }
  }
}

extension Row {
  /// An attribute's value, whatever its kind; what is in a file is not read.
  func value(_ slot: Int, _ layout: EntityLayout) -> FieldValue {
    guard isPresent(slot) else { return .null }
    switch layout.slots[slot].kind {
    case .integer:
      let number = integer(slot, layout)
      return layout.slots[slot].attribute?.type == .boolean
        ? .boolean(number != 0) : .integer(number)
    case .double: return .double(double(slot, layout))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: double(slot, layout)))
    case .text:
      let text = text(slot, layout)
      switch layout.slots[slot].attribute?.type {
      case .uri: return .uri(text)
      case .objectID: return ObjectIdentity(text).map { .objectID($0) } ?? .string(text)
      default: return .string(text)
      }
    case .decimal:
      let text = text(slot, layout)
      return Decimal(string: text).map { .decimal($0) } ?? .string(text)
    case .uuid: return .uuid(uuid(slot, layout))
    case .bytes: return .data(bytes(slot, layout).bytes)
    case .reference, .related: return .null
    }
  }

  /// Sets an attribute to a value of its kind; false for a value of another kind.
  func setValue(_ slot: Int, _ value: FieldValue, _ layout: EntityLayout) -> Bool {
    switch (layout.slots[slot].kind, value) {
    case (.related, _), (.reference, _): return false
    case (_, .null): clear(slot, layout)
    case (.integer, .integer(let number)): set(slot, number, layout)
    case (.integer, .boolean(let flag)): set(slot, flag ? 1 : 0 as Int64, layout)
    case (.double, .double(let number)): set(slot, number, layout)
    case (.double, .integer(let number)): set(slot, Double(number), layout)
    case (.date, .date(let date)): set(slot, date.timeIntervalSinceReferenceDate, layout)
    case (.text, .string(let text)), (.text, .uri(let text)): set(slot, text, layout)
    case (.text, .objectID(let identity)): set(slot, identity.description, layout)
    case (.decimal, .decimal(let number)): set(slot, number.description, layout)
    case (.decimal, .integer(let number)): set(slot, String(number), layout)
    case (.uuid, .uuid(let value)): set(slot, value, layout)
    case (.bytes, .data(let bytes)): set(slot, BytesSlot(bytes: bytes, file: nil), layout)
    default: return false
    }
    return true
  }

  /// Whether a slot holds the same in two rows of one layout.
  func isEqual(_ slot: Int, _ other: Row, _ layout: EntityLayout) -> Bool {
    let isPresent = isPresent(slot)
    guard isPresent == other.isPresent(slot) else { return false }
    guard isPresent else { return true }
    switch layout.slots[slot].kind {
    case .integer: return integer(slot, layout) == other.integer(slot, layout)
    case .double, .date:
      let (a, b) = (double(slot, layout), other.double(slot, layout))
      return a == b || (a.isNaN && b.isNaN)
    case .text, .decimal:
      // By bytes: another spelling of the same text is an edit that has to be kept.
      return text(slot, layout).utf8.elementsEqual(other.text(slot, layout).utf8)
    case .uuid: return uuid(slot, layout) == other.uuid(slot, layout)
    case .bytes:
      let (a, b) = (bytes(slot, layout), other.bytes(slot, layout))
      // One file has one value. Where only one of them is in a file, `Store.isEqual` reads it.
      if let name = a.file?.name, name == b.file?.name { return true }
      return a.file == nil && b.file == nil && a.bytes == b.bytes
    case .reference:
      let (a, b) = (reference(slot, layout), other.reference(slot, layout))
      return a.object === b.object && a.key == b.key
    case .related: return true
    }
  }
}
