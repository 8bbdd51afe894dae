import JSONStream

/// Short ways to write a report's JSON as a tree.
extension JSONValue {
  static func text(_ text: String) -> JSONValue { JSONValue(.string(text)) }

  static func number(_ number: Int) -> JSONValue { JSONValue(.number(.integer(Int64(number)))) }

  static func list(_ values: [JSONValue]) -> JSONValue { JSONValue(.array(values)) }

  /// An object; members without a value are left out.
  static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    JSONValue(.object(members.compactMap { key, value in value.map { JSONMember(key, $0) } }))
  }

  /// The text of the tree, for people and for comparisons.
  var prettyText: String {
    get throws { String(decoding: try bytes(.pretty), as: UTF8.self) }
  }
}
