/// Refuses every value: what columns do not hold.
struct RefusingEncoder: Encoder {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keys<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { List(encoder: self) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  private func refuse() throws { throw ShapeDecoder.Refusal() }

  private struct List: UnkeyedEncodingContainer {
    let encoder: RefusingEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    mutating func encodeNil() throws { try encoder.refuse() }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try encoder.refuse() }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { encoder.container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    mutating func superEncoder() -> any Encoder { encoder }
  }

  private struct Keys<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RefusingEncoder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws { try encoder.refuse() }
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      try encoder.refuse()
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder.container(keyedBy: type) }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder.unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { encoder }
    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder }
  }

  private struct Single: SingleValueEncodingContainer {
    let encoder: RefusingEncoder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() throws { try encoder.refuse() }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try encoder.refuse() }
  }
}
