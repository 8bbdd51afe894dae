extension JSONReader {
  /// An error about the value that was read last: its JSON is sound, but the caller demands
  /// something else of it.
  ///
  /// ```swift
  /// guard let type = AttributeType(name) else {
  ///   throw reader.refusal(expected: "the name of an attribute type", found: "'\(name)'")
  /// }
  /// ```
  public mutating func refusal(expected: String, found: String) -> JSONError {
    JSONError(.refused, at: position, expected: expected, found: found)
  }

  @inline(never)
  mutating func failure(
    _ code: JSONError.Code, at place: UnsafePointer<UInt8>, expected: String, found: String
  ) -> JSONError {
    JSONError(
      code, at: position(of: place), expected: expected,
      found: found.isEmpty ? foundByte(at: place) : found)
  }

  /// The error for a byte, or the end of the text, where the grammar allows only `expected`.
  @inline(never)
  mutating func unexpected(at place: UnsafePointer<UInt8>, expected: String) -> JSONError {
    failure(
      place < end ? .unexpectedByte : .unexpectedEnd, at: place, expected: expected, found: "")
  }

  /// The error for the value at `tokenStart` when another type was asked for; for what begins no
  /// value at all, the grammar's error.
  @inline(never)
  mutating func wrongType(expected: String) -> JSONError {
    guard let type = JSONType(firstByte: tokenStart.pointee) else {
      return unexpected(at: tokenStart, expected: expected)
    }
    return failure(.wrongType, at: tokenStart, expected: expected, found: type.nounPhrase)
  }

  @inline(never)
  mutating func misuse(_ expected: String) -> JSONError {
    failure(.misuse, at: cursor, expected: expected, found: "another order of calls")
  }

  mutating func position(of place: UnsafePointer<UInt8>) -> JSONPosition {
    lines.position(of: place, start: start, end: end)
  }

  /// Names what stands at `place` without quoting more than one character of it.
  func foundByte(at place: UnsafePointer<UInt8>) -> String {
    guard place < end else { return "the end of the text" }
    let byte = place.pointee
    switch byte {
    case .lineFeed, .carriageReturn: return "a line break"
    case .tab: return "a tab"
    case 0x20..<0x7f: return "'\(Character(Unicode.Scalar(byte)))'"
    default: break
    }
    let length = UTF8Check.sequenceLength(place, end)
    if length > 1 {
      return
        "'\(String(decoding: UnsafeBufferPointer(start: place, count: length), as: UTF8.self))'"
    }
    return "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

/// The six types of JSON values.
public enum JSONType: Hashable, Sendable {
  case null, boolean, number, string, array, object

  /// The type of a value by its first byte; nil when no value begins with it.
  init?(firstByte: UInt8) {
    switch firstByte {
    case .quote: self = .string
    case .braceOpen: self = .object
    case .bracketOpen: self = .array
    case .minus, .zero ... .nine: self = .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
    case UInt8(ascii: "n"): self = .null
    default: return nil
    }
  }

  /// The type with its article, for messages.
  public var nounPhrase: String {
    switch self {
    case .null: "null"
    case .boolean: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
