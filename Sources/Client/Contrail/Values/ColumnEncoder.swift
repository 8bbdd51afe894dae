import ObjectStore

/// Writes the parts of a composite value into their columns.
struct ColumnEncoder: Encoder {
  let object: ManagedObject
  /// The composite attribute's name, and for what is within it the names on the way.
  let path: String

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    RefusingEncoder().unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  fileprivate func put<Value: Encodable>(_ value: Value, _ name: String) throws {
    let path = "\(path).\(name)"
    guard let slot = object.layout.slot(path) else {
      // Not one column, so parts of its own.
      return try value.encode(to: ColumnEncoder(object: object, path: path))
    }
    try CodableColumn.put(value, object, slot)
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ColumnEncoder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws {}

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      try encoder.put(value, key.stringValue)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      ColumnEncoder(object: encoder.object, path: "\(encoder.path).\(key.stringValue)")
        .container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      RefusingEncoder().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder }
    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder }
  }

  private struct Single: SingleValueEncodingContainer {
    let encoder: ColumnEncoder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() throws {}
    mutating func encode<Value: Encodable>(_ value: Value) throws {
      if StandIn.isSimple(Value.self) { throw ShapeDecoder.Refusal() }
      try value.encode(to: encoder)
    }
  }
}
