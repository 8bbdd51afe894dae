import JSONStream

extension JSONValue {
  /// A truth value.
  static func truth(_ value: Bool) -> JSONValue { JSONValue(.boolean(value)) }

  /// A text, or null.
  static func maybe(_ text: String?) -> JSONValue { text.map { JSONValue(.string($0)) } ?? nil }

  /// A number, or null.
  static func maybe(_ number: Int64?) -> JSONValue {
    number.map { JSONValue(.number(.integer($0))) } ?? nil
  }
}
