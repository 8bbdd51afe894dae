/// An object that a reader is in: from `beginObject` until `nextKey(of:)` returns nil.
public struct JSONObjectScope: Sendable {
  let depth: Int
}

/// An array that a reader is in: from `beginArray` until `nextElement(of:)` returns false.
public struct JSONArrayScope: Sendable {
  let depth: Int
}

extension JSONReader {
  /// Reads a whole object, lending each key to `body`, which reads the key's value or leaves it to
  /// be skipped.
  ///
  /// The same as `beginObject` and `nextKey(of:)`, in one call.
  public mutating func readObject(
    _ body: (JSONText, inout JSONReader) throws -> Void
  ) throws {
    let object = try beginObject()
    while let key = try nextKey(of: object) { try body(key, &self) }
  }

  /// Reads a whole array; `body` reads one element or leaves it to be skipped.
  public mutating func readArray(_ body: (inout JSONReader) throws -> Void) throws {
    let array = try beginArray()
    while try nextElement(of: array) { try body(&self) }
  }

  /// Enters the object that is the next value.
  public mutating func beginObject() throws(JSONError) -> JSONObjectScope {
    guard try beginValue("an object") == .braceOpen else { throw wrongType(expected: "an object") }
    try enter(object: true)
    return JSONObjectScope(depth: nesting.depth)
  }

  /// Enters the array that is the next value.
  public mutating func beginArray() throws(JSONError) -> JSONArrayScope {
    guard try beginValue("an array") == .bracketOpen else { throw wrongType(expected: "an array") }
    try enter(object: false)
    return JSONArrayScope(depth: nesting.depth)
  }

  /// Moves to the next member of `object` and returns its key; nil, having left the object, when
  /// there is none.
  ///
  /// A value that was not read is skipped first.
  @_lifetime(copy self)
  public mutating func nextKey(of object: JSONObjectScope) throws(JSONError) -> JSONText? {
    if state == .value { _ = try skipValue() }
    guard nesting.depth == object.depth, nesting.isInObject else {
      throw misuse("the inner objects and arrays to be read to their end")
    }
    guard let literal = try nextMember() else { return nil }
    return JSONText(literal, of: self)
  }

  /// Moves to the next element of `array`; false, having left the array, when there is none.
  ///
  /// An element that was not read is skipped first.
  public mutating func nextElement(of array: JSONArrayScope) throws(JSONError) -> Bool {
    if state == .value { _ = try skipValue() }
    guard nesting.depth == array.depth, !nesting.isInObject else {
      throw misuse("the inner objects and arrays to be read to their end")
    }
    return try nextArrayElement()
  }
}

extension JSONReader {
  /// Steps over `{` or `[` at the cursor.
  @inline(__always)
  mutating func enter(object: Bool) throws(JSONError) {
    guard nesting.depth < depthMax else { throw tooDeep() }
    cursor += 1
    nesting.push(object: object)
    if object { ledger.open() }
    state = object ? .firstMember : .firstElement
  }

  /// Steps over `}` or `]` at the cursor.
  @inline(__always)
  mutating func leave(object: Bool) throws(JSONError) {
    if object, let duplicate = ledger.close() { throw duplicateKey(duplicate) }
    cursor += 1
    nesting.pop()
    state = .afterValue
  }

  /// Within an object, before a key or after a value: reads a comma, a key and its colon; nil after
  /// having left the object.
  @inline(__always)
  mutating func nextMember() throws(JSONError) -> StringLiteral? {
    skipWhitespace()
    guard cursor < end else { throw endWithin(object: true) }
    if cursor.pointee == .braceClose {
      try leave(object: true)
      return nil
    }
    if state == .afterValue {
      guard cursor.pointee == .comma else {
        throw unexpected(at: cursor, expected: "',' or '}' after a value")
      }
      cursor += 1
      skipWhitespace()
    }
    tokenStart = cursor
    guard cursor < end, cursor.pointee == .quote else { throw missingKey() }
    cursor += 1
    let key = try scanString()
    guard ledger.insert(key) else { throw duplicateKey(key.start) }
    skipWhitespace()
    guard cursor < end, cursor.pointee == .colon else {
      throw unexpected(at: cursor, expected: "':' after a key")
    }
    cursor += 1
    state = .value
    return key
  }

  /// Within an array, before the first element or after an element: moves to the next one; false
  /// after having left the array.
  @inline(__always)
  mutating func nextArrayElement() throws(JSONError) -> Bool {
    skipWhitespace()
    guard cursor < end else { throw endWithin(object: false) }
    if cursor.pointee == .bracketClose {
      try leave(object: false)
      return false
    }
    if state == .afterValue {
      guard cursor.pointee == .comma else {
        throw unexpected(at: cursor, expected: "',' or ']' after a value")
      }
      cursor += 1
    }
    state = .value
    return true
  }

  @inline(never)
  private mutating func endWithin(object: Bool) -> JSONError {
    if state == .afterValue {
      return unexpected(at: cursor, expected: "',' or '\(object ? "}" : "]")' after a value")
    }
    return unexpected(at: cursor, expected: object ? "a key in quotes or '}'" : "a value or ']'")
  }

  @inline(never)
  private mutating func missingKey() -> JSONError {
    unexpected(
      at: cursor,
      expected: state == .firstMember ? "a key in quotes or '}'" : "a key in quotes after ','")
  }

  /// The error for the key whose text begins at `place`, just after its quote.
  @inline(never)
  private mutating func duplicateKey(_ place: UnsafePointer<UInt8>) -> JSONError {
    failure(
      .duplicateKey, at: place - 1, expected: "a key that the object does not have yet",
      found: "the same key again")
  }

  @inline(never)
  private mutating func tooDeep() -> JSONError {
    failure(
      .tooDeep, at: cursor, expected: "at most \(depthMax) objects and arrays in each other",
      found: "")
  }
}
