extension JSONWriter {
  /// Writes a tree.
  package mutating func value(_ value: JSONValue) {
    switch value.content {
    case .null: null()
    case .boolean(let truth): boolean(truth)
    case .number(let number): self.number(number)
    case .string(let text): string(text)
    case .array(let elements):
      array { json in
        for element in elements { json.value(element) }
      }
    case .object(let members):
      object { json in
        for member in members {
          json.key(member.key)
          json.value(member.value)
        }
      }
    }
  }

  /// Writes a key and a tree as its value.
  package mutating func member(_ key: StaticString, tree: JSONValue) {
    self.key(key)
    value(tree)
  }
}

extension JSONValue {
  /// The text of a tree.
  package func bytes(_ style: JSONWriter.Style = .compact) throws(JSONError) -> [UInt8] {
    var json = JSONWriter(style)
    json.value(self)
    return try json.finish()
  }
}
