extension JSONReader {
  /// Reads a string.
  public mutating func readString() throws(JSONError) -> String {
    try stringValue().text
  }

  /// Reads a string and lends its bytes without building a `String`: for names to be looked up,
  /// numbers in quotes, base64.
  ///
  /// They are valid only within `body`.
  public mutating func readStringBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) throws(JSONError) -> Result {
    let literal = try stringValue()
    if literal.isEscaped { return literal.unescapedBytes.withUnsafeBufferPointer(body) }
    return body(UnsafeBufferPointer(start: literal.start, count: literal.count))
  }

  /// Reads a string as bytes of the text, to compare it with names.
  @_lifetime(copy self)
  public mutating func readText() throws(JSONError) -> JSONText {
    let literal = try stringValue()
    return JSONText(literal, of: self)
  }

  @inline(__always)
  private mutating func stringValue() throws(JSONError) -> StringLiteral {
    guard try beginValue("a string") == .quote else { throw wrongType(expected: "a string") }
    cursor += 1
    let literal = try scanString()
    state = .afterValue
    return literal
  }

  /// Checks the string whose opening quote stands just before the cursor, and moves behind its
  /// closing quote.
  @inline(__always)
  mutating func scanString() throws(JSONError) -> StringLiteral {
    let first = cursor
    cursor = UTF8Check.endOfPlainRun(cursor, end)
    var isEscaped = false
    if cursor == end || cursor.pointee != .quote { isEscaped = try scanRestOfString() }
    let count = cursor - first
    cursor += 1
    if count > limits.stringBytesMax { throw stringTooLong(first, count) }
    return StringLiteral(start: first, count: count, isEscaped: isEscaped)
  }

  /// Goes on to the closing quote where the plain run ended before it; whether there are escapes.
  @inline(never)
  private mutating func scanRestOfString() throws(JSONError) -> Bool {
    var isEscaped = false
    while cursor < end {
      switch cursor.pointee {
      case .quote:
        return isEscaped
      case .backslash:
        isEscaped = true
        try scanEscape()
      case 0x80...:
        let length = UTF8Check.sequenceLength(cursor, end)
        guard length > 0 else { throw invalidUTF8() }
        cursor += length
      case ..<0x20:
        throw failure(
          .controlCharacter, at: cursor,
          expected: "a character of a string; control characters must be escaped", found: "")
      default:
        cursor = UTF8Check.endOfPlainRun(cursor, end)
      }
    }
    throw failure(.unexpectedEnd, at: cursor, expected: "a quote that ends the string", found: "")
  }

  private mutating func scanEscape() throws(JSONError) {
    let escape = cursor
    cursor += 1
    guard cursor < end else {
      throw failure(.unexpectedEnd, at: cursor, expected: "an escape after '\\'", found: "")
    }
    if EscapeTable.character(cursor.pointee) != nil {
      cursor += 1
      return
    }
    let first = try scanHexadecimal()
    guard first & 0xf800 == 0xd800 else { return }
    let pairs = first < 0xdc00 && end - cursor >= 2 && cursor[0] == .backslash
    guard pairs, cursor[1] == UInt8(ascii: "u") else { throw loneSurrogate(escape) }
    cursor += 1
    guard try scanHexadecimal() & 0xfc00 == 0xdc00 else { throw loneSurrogate(escape) }
  }

  /// Reads `u` and four hexadecimal digits.
  private mutating func scanHexadecimal() throws(JSONError) -> UInt32 {
    guard cursor.pointee == UInt8(ascii: "u") else {
      throw failure(
        .invalidEscape, at: cursor, expected: "one of \" \\ / b f n r t u after '\\'", found: "")
    }
    cursor += 1
    guard let value = EscapeTable.hexadecimal(cursor, end) else {
      while cursor < end, Character(Unicode.Scalar(cursor.pointee)).isHexDigit { cursor += 1 }
      throw failure(
        cursor < end ? .invalidEscape : .unexpectedEnd, at: cursor,
        expected: "four hexadecimal digits after '\\u'", found: "")
    }
    cursor += 4
    return value
  }

  private mutating func loneSurrogate(_ place: UnsafePointer<UInt8>) -> JSONError {
    failure(
      .loneSurrogate, at: place, expected: "both halves of a surrogate pair",
      found: "one half alone")
  }

  private mutating func invalidUTF8() -> JSONError {
    failure(.invalidUTF8, at: cursor, expected: "valid UTF-8", found: "")
  }

  @inline(never)
  private mutating func stringTooLong(
    _ place: UnsafePointer<UInt8>, _ count: Int
  ) -> JSONError {
    failure(
      .stringTooLong, at: place, expected: "a string of at most \(limits.stringBytesMax) bytes",
      found: "\(count) bytes")
  }
}
