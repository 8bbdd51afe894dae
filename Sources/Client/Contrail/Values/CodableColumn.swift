import DataModel
import Foundation
import ObjectStore

/// Encodable values in columns: each part in its own where the type can be taken apart, else whole.
///
/// What is whole is JSON with sorted keys, so that equal values are equal bytes.
enum CodableColumn {
  /// What the schema names as the transformer of what is whole.
  static let transformerName = "ContrailCodable"

  /// The value of a property.
  static func read<Value: Decodable>(
    _ type: Value.Type, _ object: ManagedObject, _ slot: Int
  ) throws -> Value? {
    let name = object.layout.slots[slot].name
    if let dot = name.firstIndex(of: ".") {
      let decoder = ColumnDecoder(object: object, path: String(name[..<dot]))
      if type is any OptionalValue.Type, !decoder.isPresent {
        return (type as? any OptionalValue.Type)?.noValue as? Value
      }
      return try Value(from: decoder)
    }
    guard object.isPresent(slot) else {
      return (type as? any OptionalValue.Type)?.noValue as? Value
    }
    return try take(type, object, slot)
  }

  /// Sets a property.
  static func write<Value: Encodable>(_ value: Value, _ object: ManagedObject, _ slot: Int) throws {
    let name = object.layout.slots[slot].name
    guard let dot = name.firstIndex(of: ".") else { return try put(value, object, slot) }
    for part in object.layout.parts(with: slot) where object.isPresent(part) { object.clear(part) }
    try value.encode(to: ColumnEncoder(object: object, path: String(name[..<dot])))
  }

  /// Writes a value into one column.
  static func put<Value: Encodable>(_ value: Value, _ object: ManagedObject, _ slot: Int) throws {
    if isNone(value) { return object.clear(slot) }
    if object.layout.slots[slot].attribute?.type == .transformable {
      return object.set(slot, [UInt8](try encoder.encode(value)))
    }
    if let storable = value as? any StorableValue {
      return try putStorable(storable, object, slot)
    }
    guard let raw = value as? any RawRepresentable, try putRaw(raw, object, slot) else {
      throw ShapeDecoder.Refusal()
    }
  }

  /// Reads a value from one column.
  static func take<Value: Decodable>(
    _ type: Value.Type, _ object: ManagedObject, _ slot: Int
  ) throws -> Value {
    if object.layout.slots[slot].attribute?.type == .transformable {
      return try decoder.decode(type, from: Data(object.presentBytes(slot) ?? []))
    }
    if let storable = type as? any StorableValue.Type {
      if isColumn(of: storable, object, slot), let value = storable._value(object, slot) as? Value {
        return value
      }
    } else if let raw = type as? any RawRepresentable.Type,
      let value = takeRaw(raw, object, slot) as? Value
    {
      return value
    }
    throw ShapeDecoder.Refusal()
  }

  /// A value as it is encoded whole; nil for one that cannot be.
  static func bytes(of value: Any) -> [UInt8]? {
    (value as? any Encodable).flatMap { try? [UInt8](encoder.encode($0)) }
  }

  private static func isNone(_ value: Any) -> Bool {
    (value as? any OptionalValue)?.isNone ?? false
  }

  /// Whether a column holds values of a type: the bytes of another one are not its values.
  private static func isColumn(
    of type: any StorableValue.Type, _ object: ManagedObject, _ slot: Int
  ) -> Bool {
    object.layout.slots[slot].attribute?.type == type._attributeType
  }

  private static func putStorable<Value: StorableValue>(
    _ value: Value, _ object: ManagedObject, _ slot: Int
  ) throws {
    guard isColumn(of: Value.self, object, slot) else { throw ShapeDecoder.Refusal() }
    value._set(object, slot)
  }

  private static func putRaw<Raw: RawRepresentable>(
    _ value: Raw, _ object: ManagedObject, _ slot: Int
  ) throws -> Bool {
    guard let raw = value.rawValue as? any StorableValue else { return false }
    try putStorable(raw, object, slot)
    return true
  }

  private static func takeRaw<Raw: RawRepresentable>(
    _ type: Raw.Type, _ object: ManagedObject, _ slot: Int
  ) -> Any? {
    guard let storable = Raw.RawValue.self as? any StorableValue.Type,
      isColumn(of: storable, object, slot), let raw = storable._value(object, slot) as? Raw.RawValue
    else { return nil }
    return Raw(rawValue: raw)
  }

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }()

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }()
}
