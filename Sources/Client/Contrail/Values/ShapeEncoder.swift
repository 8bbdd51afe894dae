/// Notes what a value of an encodable type writes, without keeping any of it.
///
/// It is the other half of `ShapeDecoder`: a type that writes another key than it reads, or that key with
/// another type, has a coding of its own that columns cannot follow.
final class ShapeEncoder: Encoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// The types of what was written, by key; nil where it was written that there is no value.
  private(set) var written: [String: ObjectIdentifier?] = [:]
  /// Whether it was written in a way that columns cannot take.
  private(set) var isOpaque = false

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { opaque().unkeyedContainer() }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    opaque().singleValueContainer()
  }

  private func opaque() -> RefusingEncoder {
    isOpaque = true
    return RefusingEncoder()
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ShapeEncoder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws {
      encoder.written.updateValue(nil, forKey: key.stringValue)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      encoder.written[key.stringValue] = ObjectIdentifier(unwrapped(Value.self))
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder.opaque().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder.opaque().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder.opaque() }
    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.opaque() }
  }
}

/// The type that an optional one wraps, or the type itself.
func unwrapped(_ type: any Any.Type) -> any Any.Type {
  (type as? any OptionalValue.Type)?.wrappedType ?? type
}
