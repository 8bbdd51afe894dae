import ObjectStore

/// Reads the parts of a composite value from their columns.
struct ColumnDecoder: Decoder {
  let object: ManagedObject
  /// The composite attribute's name, and for what is within it the names on the way.
  let path: String

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw ShapeDecoder.Refusal() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(decoder: self) }

  /// Whether any column of the value has one.
  var isPresent: Bool {
    let prefix = path + "."
    return object.layout.slots.indices.contains {
      object.layout.slots[$0].name.hasPrefix(prefix) && object.isPresent($0)
    }
  }

  fileprivate func isPresent(_ name: String) -> Bool {
    let path = "\(path).\(name)"
    return object.layout.slot(path).map(object.isPresent)
      ?? ColumnDecoder(object: object, path: path).isPresent
  }

  fileprivate func take<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
    let path = "\(path).\(name)"
    guard let slot = object.layout.slot(path) else {
      return try Value(from: ColumnDecoder(object: object, path: path))
    }
    return try CodableColumn.take(type, object, slot)
  }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ColumnDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] {
      let prefix = decoder.path + "."
      let names = decoder.object.layout.slots.lazy.map(\.name).filter { $0.hasPrefix(prefix) }
        .map { String($0.dropFirst(prefix.count).prefix { $0 != "." }) }
      return Set(names).filter(decoder.isPresent).compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { decoder.isPresent(key.stringValue) }
    func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try decoder.take(type, key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try ColumnDecoder(
        object: decoder.object, path: "\(decoder.path).\(key.stringValue)"
      ).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw ShapeDecoder.Refusal()
    }

    func superDecoder() throws -> any Decoder { throw ShapeDecoder.Refusal() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw ShapeDecoder.Refusal() }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoder: ColumnDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { !decoder.isPresent }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      // It would ask for the same again, without end.
      if StandIn.isSimple(Value.self) { throw ShapeDecoder.Refusal() }
      return try Value(from: decoder)
    }
  }
}
