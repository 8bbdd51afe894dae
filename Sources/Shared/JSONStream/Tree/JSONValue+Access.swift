extension JSONValue {
  package var isNull: Bool { content == .null }

  /// The truth value; nil when the value is something else.
  ///
  /// The others are alike.
  package var boolean: Bool? {
    if case .boolean(let value) = content { value } else { nil }
  }

  package var string: String? {
    if case .string(let value) = content { value } else { nil }
  }

  package var number: JSONNumber? {
    if case .number(let value) = content { value } else { nil }
  }

  package var integer: Int64? {
    if case .number(.integer(let value)) = content { value } else { nil }
  }

  /// The number as a double, also when it is an integer.
  package var double: Double? {
    switch content {
    case .number(.integer(let value)): Double(value)
    case .number(.unsigned(let value)): Double(value)
    case .number(.double(let value)): value
    default: nil
    }
  }

  package var elements: [JSONValue]? {
    if case .array(let values) = content { values } else { nil }
  }

  package var members: [JSONMember]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The member of an object with this key; nil when there is none, or the value is no object.
  package subscript(key: String) -> JSONValue? {
    members?.first { $0.key == key }?.value
  }

  package var type: JSONType {
    switch content {
    case .null: .null
    case .boolean: .boolean
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

/// The same with an error that names the place: `4:11: expected a string, found a number`.
extension JSONValue {
  package func requireBoolean() throws(JSONError) -> Bool { try require(boolean, "a truth value") }
  package func requireString() throws(JSONError) -> String { try require(string, "a string") }
  package func requireInteger() throws(JSONError) -> Int64 {
    try require(integer, "an integer of 64 bits")
  }
  package func requireDouble() throws(JSONError) -> Double { try require(double, "a number") }
  package func requireElements() throws(JSONError) -> [JSONValue] {
    try require(elements, "an array")
  }
  package func requireMembers() throws(JSONError) -> [JSONMember] {
    try require(members, "an object")
  }

  /// The value of a key that must be there.
  package func require(_ key: String) throws(JSONError) -> JSONValue {
    for member in try requireMembers() where member.key == key { return member.value }
    throw refusal(expected: "a member '\(key)'", found: "none in this object")
  }

  /// An error about this value, for a caller that demands more than its type.
  package func refusal(expected: String, found: String) -> JSONError {
    JSONError(
      .refused, at: position ?? JSONPosition(line: 1, column: 1, offset: 0), expected: expected,
      found: found)
  }

  private func require<Wanted>(
    _ value: Wanted?, _ expected: String
  ) throws(JSONError) -> Wanted {
    guard let value else {
      var error = refusal(expected: expected, found: type.nounPhrase)
      error.code = .wrongType
      throw error
    }
    return value
  }
}
