public import DataModel
public import Foundation
public import ObjectStore

/// A type whose values are in one column as they are: numbers, texts, dates, identifiers, bytes, and
/// optionals of these.
///
/// The accessors that `@Model` writes find their way by it; other types are no use to it.
public protocol StorableValue {
  /// What the schema calls the type.
  static var _attributeType: SchemaAttributeType { get }
  /// Whether there may be no value.
  static var _isOptional: Bool { get }
  /// The value of a slot; nil where there is none, or none of this type.
  static func _value(_ object: ManagedObject, _ slot: Int) -> Self?
  /// Writes the value into a slot.
  func _set(_ object: ManagedObject, _ slot: Int)
  /// What stands for a value where there is none.
  static var _empty: Self { get }
}

extension StorableValue {
  /// There is always a value.
  @inlinable public static var _isOptional: Bool { false }
}

extension StorableValue where Self: FixedWidthInteger {
  /// The value of a slot; nil for a number that this type cannot hold.
  @inlinable
  public static func _value(_ object: ManagedObject, _ slot: Int) -> Self? {
    object.presentInteger(slot).flatMap { Self(_stored: $0) }
  }

  /// Writes the value into a slot.
  @inlinable
  public func _set(_ object: ManagedObject, _ slot: Int) {
    object.set(slot, Int64(truncatingIfNeeded: self))
  }

  /// Zero.
  @inlinable public static var _empty: Self { 0 }

  /// Takes what was stored: numbers without a sign beyond `Int64.max` are stored as negative ones.
  @inlinable
  init?(_stored number: Int64) {
    if Self.isSigned || Self.bitWidth < 64 {
      self.init(exactly: number)
    } else {
      self.init(truncatingIfNeeded: number)
    }
  }
}

extension Int: StorableValue {
  /// 64 bits.
  public static var _attributeType: SchemaAttributeType { .integer64 }
}
extension Int8: StorableValue {
  /// The smallest that holds it.
  public static var _attributeType: SchemaAttributeType { .integer16 }
}
extension Int16: StorableValue {
  /// 16 bits.
  public static var _attributeType: SchemaAttributeType { .integer16 }
}
extension Int32: StorableValue {
  /// 32 bits.
  public static var _attributeType: SchemaAttributeType { .integer32 }
}
extension Int64: StorableValue {
  /// 64 bits.
  public static var _attributeType: SchemaAttributeType { .integer64 }
}
extension UInt: StorableValue {
  /// 64 bits.
  public static var _attributeType: SchemaAttributeType { .integer64 }
}
extension UInt8: StorableValue {
  /// The smallest that holds it.
  public static var _attributeType: SchemaAttributeType { .integer16 }
}
extension UInt16: StorableValue {
  /// The smallest that holds it.
  public static var _attributeType: SchemaAttributeType { .integer32 }
}
extension UInt32: StorableValue {
  /// The smallest that holds it.
  public static var _attributeType: SchemaAttributeType { .integer64 }
}
extension UInt64: StorableValue {
  /// 64 bits.
  public static var _attributeType: SchemaAttributeType { .integer64 }
}

extension Bool: StorableValue {
  /// A truth value.
  public static var _attributeType: SchemaAttributeType { .boolean }
  /// The value of a slot.
  @inlinable
  public static func _value(_ object: ManagedObject, _ slot: Int) -> Bool? {
    object.presentInteger(slot).map { $0 != 0 }
  }
  /// Writes the value into a slot.
  @inlinable
  public func _set(_ object: ManagedObject, _ slot: Int) { object.set(slot, Int64(self ? 1 : 0)) }
  /// False.
  @inlinable public static var _empty: Bool { false }
}

extension StorableValue where Self: BinaryFloatingPoint {
  /// The value of a slot.
  @inlinable
  public static func _value(_ object: ManagedObject, _ slot: Int) -> Self? {
    object.presentDouble(slot).map { Self($0) }
  }

  /// Writes the value into a slot.
  @inlinable
  public func _set(_ object: ManagedObject, _ slot: Int) { object.set(slot, Double(self)) }

  /// Zero.
  @inlinable public static var _empty: Self { 0 }
}

extension Double: StorableValue {
  /// Double precision.
  public static var _attributeType: SchemaAttributeType { .double }
}
extension Float: StorableValue {
  /// Single precision.
  public static var _attributeType: SchemaAttributeType { .float }
}
extension CGFloat: StorableValue {
  /// Double precision.
  public static var _attributeType: SchemaAttributeType { .double }
}

extension String: StorableValue {
  /// A text.
  public static var _attributeType: SchemaAttributeType { .string }
  /// The value of a slot.
  @inlinable
  public static func _value(_ object: ManagedObject, _ slot: Int) -> String? {
    object.presentText(slot)
  }
  /// Writes the value into a slot.
  @inlinable
  public func _set(_ object: ManagedObject, _ slot: Int) { object.set(slot, self) }
  /// No characters.
  @inlinable public static var _empty: String { "" }
}

extension Date: StorableValue {
  /// A point in time.
  public static var _attributeType: SchemaAttributeType { .date }
  /// The value of a slot.
  @inlinable
  public static func _value(_ object: ManagedObject, _ slot: Int) -> Date? {
    object.presentDouble(slot).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
  /// Writes the value into a slot.
  @inlinable
  public func _set(_ object: ManagedObject, _ slot: Int) {
    object.set(slot, timeIntervalSinceReferenceDate)
  }
  /// The reference date.
  @inlinable public static var _empty: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension UUID: StorableValue {
  /// A universally unique identifier.
  public static var _attributeType: SchemaAttributeType { .uuid }
  /// The value of a slot.
  @inlinable
  public static func _value(_ object: ManagedObject, _ slot: Int) -> UUID? { object.uuid(slot) }
  /// Writes the value into a slot.
  @inlinable
  public func _set(_ object: ManagedObject, _ slot: Int) { object.set(slot, self) }
  /// All zero.
  @inlinable public static var _empty: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}

extension Data: StorableValue {
  /// Bytes.
  public static var _attributeType: SchemaAttributeType { .binaryData }
  /// The value of a slot.
  @inlinable
  public static func _value(_ object: ManagedObject, _ slot: Int) -> Data? {
    object.presentData(slot)
  }
  /// Writes the value into a slot.
  @inlinable
  public func _set(_ object: ManagedObject, _ slot: Int) { object.setData(slot, self) }
  /// No bytes.
  @inlinable public static var _empty: Data { Data() }
}

extension URL: StorableValue {
  /// A uniform resource identifier.
  public static var _attributeType: SchemaAttributeType { .uri }
  /// The value of a slot; nil for a text that is no URL.
  @inlinable
  public static func _value(_ object: ManagedObject, _ slot: Int) -> URL? {
    object.presentURL(slot)
  }
  /// Writes the value into a slot.
  @inlinable
  public func _set(_ object: ManagedObject, _ slot: Int) { object.set(slot, absoluteString) }
  /// A URL that leads nowhere.
  @inlinable public static var _empty: URL { URL(fileURLWithPath: "/") }
}

extension Decimal: StorableValue {
  /// An exact decimal number.
  public static var _attributeType: SchemaAttributeType { .decimal }
  /// The value of a slot; nil for a text that is no number.
  @inlinable
  public static func _value(_ object: ManagedObject, _ slot: Int) -> Decimal? {
    object.presentDecimal(slot)
  }
  /// Writes the value into a slot.
  @inlinable
  public func _set(_ object: ManagedObject, _ slot: Int) { object.set(slot, _keptText) }
  /// Zero.
  @inlinable public static var _empty: Decimal { 0 }
}

extension Optional: StorableValue where Wrapped: StorableValue {
  /// That of the value.
  public static var _attributeType: SchemaAttributeType { Wrapped._attributeType }
  /// There may be no value.
  @inlinable public static var _isOptional: Bool { true }
  /// The value of a slot.
  @inlinable
  public static func _value(_ object: ManagedObject, _ slot: Int) -> Wrapped?? {
    .some(Wrapped._value(object, slot))
  }
  /// Writes the value into a slot, or none.
  @inlinable
  public func _set(_ object: ManagedObject, _ slot: Int) {
    switch self {
    case .none: object.clear(slot)
    case .some(let value): value._set(object, slot)
    }
  }
  /// No value.
  @inlinable public static var _empty: Wrapped? { nil }
}
