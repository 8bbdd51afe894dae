extension JSONReader {
  /// The type of the next value, which stays unread.
  public mutating func peekType() throws(JSONError) -> JSONType {
    let first = try beginValue()
    guard let type = JSONType(firstByte: first) else {
      throw unexpected(at: cursor, expected: "a value")
    }
    return type
  }

  /// Reads `null` if that is the next value, and says whether it was.
  ///
  /// ```swift
  /// remarks = try reader.readNull() ? nil : try reader.readString()
  /// ```
  public mutating func readNull() throws(JSONError) -> Bool {
    guard try beginValue() == UInt8(ascii: "n") else { return false }
    try readWord("null")
    return true
  }

  /// Reads `true` or `false`.
  public mutating func readBool() throws(JSONError) -> Bool {
    switch try beginValue("a truth value") {
    case UInt8(ascii: "t"):
      try readWord("true")
      return true
    case UInt8(ascii: "f"):
      try readWord("false")
      return false
    default:
      throw wrongType(expected: "a truth value")
    }
  }

  /// Reads an integer that fits 64 bits with a sign.
  ///
  /// A fraction or an exponent is refused, even where the value is whole.
  public mutating func readInt64() throws(JSONError) -> Int64 {
    let number = try numberValue("an integer")
    guard number.isInteger else { throw notAnInteger() }
    guard let value = number.int64 else { throw outOfRange("an integer of 64 bits with a sign") }
    return value
  }

  /// Reads an integer that fits 64 bits without a sign.
  public mutating func readUInt64() throws(JSONError) -> UInt64 {
    let number = try numberValue("an integer")
    guard number.isInteger else { throw notAnInteger() }
    guard let value = number.uint64 else { throw outOfRange("an integer of 64 bits, not negative") }
    return value
  }

  /// Reads a number as the double nearest to it, also when it is an integer with more digits than a
  /// double holds.
  ///
  /// What rounds to an infinity is refused; what is too small becomes zero.
  public mutating func readDouble() throws(JSONError) -> Double {
    guard let value = try numberValue("a number").double else {
      throw outOfRange("a number within the range of a double")
    }
    return value
  }

  /// Reads a number as what it is: see `JSONNumber`.
  public mutating func readNumber() throws(JSONError) -> JSONNumber {
    JSONNumber(try numberValue("a number"))
  }

  /// Reads a number as the text it is spelled with, for types that hold more digits than a double.
  public mutating func readNumberText() throws(JSONError) -> String {
    try numberValue("a number").text
  }

  @inline(__always)
  private mutating func numberValue(
    _ expected: StaticString
  ) throws(JSONError) -> NumberLiteral {
    switch try beginValue(expected) {
    case .minus, .zero ... .nine: break
    default: throw wrongType(expected: "\(expected)")
    }
    let number = try scanNumber()
    state = .afterValue
    return number
  }

  /// Reads `null`, `true` or `false`, whose first letter stands at the cursor.
  @inline(__always)
  mutating func readWord(_ word: StaticString) throws(JSONError) {
    let count = word.utf8CodeUnitCount
    let letters = word.utf8Start
    var index = 0
    while index < count {
      guard cursor + index < end, cursor[index] == letters[index] else {
        throw unexpected(at: cursor + index, expected: "'\(word)'")
      }
      index += 1
    }
    cursor += count
    state = .afterValue
  }

  @inline(never)
  private mutating func notAnInteger() -> JSONError {
    failure(
      .wrongType, at: tokenStart, expected: "an integer",
      found: "a number with a fraction or an exponent")
  }

  @inline(never)
  private mutating func outOfRange(_ expected: String) -> JSONError {
    failure(.numberOutOfRange, at: tokenStart, expected: expected, found: "a number beyond it")
  }
}
