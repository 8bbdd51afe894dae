extension JSONValue {
  /// Reads a whole text as a tree.
  package init(reading bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
    do {
      self = try JSONReader.read(bytes, limits: limits) { reader in try reader.readValue() }
    } catch let error as JSONError {
      throw error
    } catch {
      // Nothing above throws anything else; the compiler cannot know.
      throw JSONError(
        .misuse, at: JSONPosition(line: 1, column: 1, offset: 0), expected: "a problem of the text",
        found: "\(error)")
    }
  }

  /// Reads a whole text as a tree.
  package init(reading text: String, limits: JSONLimits = .standard) throws(JSONError) {
    try self.init(reading: Array(text.utf8), limits: limits)
  }
}

extension JSONReader {
  /// Reads the next value as a tree, with its positions.
  package mutating func readValue() throws(JSONError) -> JSONValue {
    let type = try peekType()
    let position = self.position
    switch type {
    case .null:
      _ = try readNull()
      return JSONValue(.null, at: position)
    case .boolean: return JSONValue(.boolean(try readBool()), at: position)
    case .number: return JSONValue(.number(try readNumber()), at: position)
    case .string: return JSONValue(.string(try readString()), at: position)
    case .array: return JSONValue(.array(try readElements()), at: position)
    case .object: return JSONValue(.object(try readMembers()), at: position)
    }
  }

  private mutating func readElements() throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    let array = try beginArray()
    while try nextElement(of: array) { elements.append(try readValue()) }
    return elements
  }

  private mutating func readMembers() throws(JSONError) -> [JSONMember] {
    var members: [JSONMember] = []
    let object = try beginObject()
    while let key = try nextKey(of: object) {
      let text = key.string
      let keyPosition = position
      members.append(JSONMember(text, try readValue(), at: keyPosition))
    }
    return members
  }
}
