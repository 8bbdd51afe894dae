/// Finds out what an encodable type is made of, by letting it read from nowhere: what it asks for is noted,
/// and it gets values that stand in.
final class ShapeDecoder: Decoder {
  /// How deep types may be nested within one another.
  static let depthMax = 16

  /// A member as the type asked for it.
  struct Member {
    var name: String
    var type: any Any.Type
    var isOptional: Bool
  }

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let depth: Int
  /// What was asked for, in its order.
  private(set) var members: [Member] = []
  /// Whether it was asked for in a way that columns cannot answer.
  private(set) var isOpaque = false
  fileprivate var asksForNil: String?

  init(depth: Int = 0) { self.depth = depth }

  /// Something that the type asked for is not made of columns.
  struct Refusal: Error, CustomStringConvertible {
    var description: String { "its type reads another form than was stored" }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    isOpaque = true
    return EmptyList(decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    isOpaque = true
    return Single(decoder: self)
  }

  fileprivate func note(_ name: String, _ type: any Any.Type, isOptional: Bool) {
    if members.contains(where: { $0.name == name }) { return }
    members.append(Member(name: name, type: type, isOptional: isOptional))
  }

  fileprivate func standIn<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard depth < Self.depthMax else { throw Refusal() }
    if let value = StandIn.simple(type) { return value }
    return try Value(from: ShapeDecoder(depth: depth + 1))
  }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ShapeDecoder
    var codingPath: [any CodingKey] { [] }
    /// The first key, where keys are cases: an enumeration with payloads has one of them.
    var allKeys: [Key] {
      decoder.isOpaque = true
      return StandIn.firstKey(Key.self).map { [$0] } ?? []
    }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool {
      decoder.asksForNil = key.stringValue
      return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      let isOptional = decoder.asksForNil == key.stringValue
      decoder.asksForNil = nil
      decoder.note(key.stringValue, type, isOptional: isOptional)
      return try decoder.standIn(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
      decoder.note(key.stringValue, type, isOptional: true)
      return nil
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      decoder.isOpaque = true
      return KeyedDecodingContainer(Keyed<Nested>(decoder: ShapeDecoder(depth: decoder.depth + 1)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder.unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
      decoder.isOpaque = true
      return ShapeDecoder(depth: decoder.depth + 1)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder() }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoder: ShapeDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try decoder.standIn(type)
    }
  }

  /// A list that is at its end, and gives values all the same to a type that does not ask whether there
  /// are any: one with a fixed number of them, such as a range.
  private struct EmptyList: UnkeyedDecodingContainer {
    let decoder: ShapeDecoder
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    mutating func decodeNil() throws -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try decoder.standIn(type)
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try inner().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try inner().unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { try inner() }

    private func inner() throws -> ShapeDecoder {
      guard decoder.depth < ShapeDecoder.depthMax else { throw Refusal() }
      return ShapeDecoder(depth: decoder.depth + 1)
    }
  }
}
