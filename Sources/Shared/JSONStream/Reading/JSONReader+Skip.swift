extension JSONReader {
  /// Skips one value of any type, checking all of it, and returns where its bytes are.
  @discardableResult
  public mutating func skipValue() throws(JSONError) -> Range<Int> {
    _ = try beginValue()
    let first = cursor
    let base = nesting.depth
    while true {
      if state == .value { try skipScalarOrEnter() }
      if nesting.depth == base { break }
      if nesting.isInObject {
        _ = try nextMember()
      } else {
        _ = try nextArrayElement()
      }
      if nesting.depth == base { break }
    }
    tokenStart = first
    return first - start..<cursor - start
  }

  /// Skips a scalar, or steps into an object or an array.
  @inline(__always)
  private mutating func skipScalarOrEnter() throws(JSONError) {
    switch try beginValue() {
    case .quote:
      cursor += 1
      _ = try scanString()
      state = .afterValue
    case .braceOpen: try enter(object: true)
    case .bracketOpen: try enter(object: false)
    case .minus, .zero ... .nine:
      _ = try scanNumber()
      state = .afterValue
    case UInt8(ascii: "t"): try readWord("true")
    case UInt8(ascii: "f"): try readWord("false")
    case UInt8(ascii: "n"): try readWord("null")
    default: throw unexpected(at: cursor, expected: "a value")
    }
  }
}
