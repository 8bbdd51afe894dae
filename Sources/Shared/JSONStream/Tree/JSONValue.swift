/// A JSON text as a tree, for files whose every part has a place worth naming: schemas and
/// configuration.
///
/// Where there are many values, read them with `JSONReader` instead.
///
/// Values that were read know their positions. Two values are equal when their contents are, wherever
/// they stand.
package struct JSONValue: Sendable {
  /// What a value is.
  package enum Content: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
  }

  package var content: Content
  /// Where the value begins in its text; nil for a value that was made.
  package var position: JSONPosition?

  package init(_ content: Content, at position: JSONPosition? = nil) {
    self.content = content
    self.position = position
  }
}

/// A key and its value in an object, in the order of the text.
package struct JSONMember: Sendable {
  package var key: String
  package var value: JSONValue
  /// Where the key begins in its text, with its quote; nil for a member that was made.
  package var keyPosition: JSONPosition?

  package init(_ key: String, _ value: JSONValue, at keyPosition: JSONPosition? = nil) {
    self.key = key
    self.value = value
    self.keyPosition = keyPosition
  }
}

extension JSONValue: Hashable {
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    left.content == right.content
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension JSONMember: Hashable {
  package static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.key == right.key && left.value == right.value
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(value)
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) { self.init(.null) }
  package init(booleanLiteral value: Bool) { self.init(.boolean(value)) }
  package init(integerLiteral value: Int64) { self.init(.number(.integer(value))) }
  package init(floatLiteral value: Double) { self.init(.number(.double(value))) }
  package init(stringLiteral value: String) { self.init(.string(value)) }
  package init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(.object(members.map { JSONMember($0, $1) }))
  }
}
