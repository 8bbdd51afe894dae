/// One step through a JSON text.
public enum JSONToken: Hashable, Sendable {
  case beginObject, endObject, beginArray, endArray
  case key(String)
  case string(String)
  case number(JSONNumber)
  case boolean(Bool)
  case null
  /// The end of the text, or of the one value that a scope allows.
  case end
}

extension JSONReader {
  /// Reads the next token, whatever it is: for callers that do not know the shape of the text.
  ///
  /// Calls may be mixed with the typed ones, except that the end of an object or an array must be met
  /// by the way in which it was entered.
  public mutating func next() throws(JSONError) -> JSONToken {
    switch state {
    case .value:
      return try valueToken()
    case .firstMember, .firstElement, .afterValue:
      guard nesting.depth > 0 else { return .end }
      if nesting.isInObject {
        guard let key = try nextMember() else { return .endObject }
        return .key(key.text)
      }
      return try nextArrayElement() ? try valueToken() : .endArray
    }
  }

  private mutating func valueToken() throws(JSONError) -> JSONToken {
    switch try peekType() {
    case .null:
      return try readNull() ? .null : .end
    case .boolean: return .boolean(try readBool())
    case .number: return .number(try readNumber())
    case .string: return .string(try readString())
    case .array:
      try enter(object: false)
      return .beginArray
    case .object:
      try enter(object: true)
      return .beginObject
    }
  }
}
