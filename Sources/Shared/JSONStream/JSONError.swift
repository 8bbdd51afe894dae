/// A place in a JSON text.
public struct JSONPosition: Hashable, Sendable {
  /// The line, counted from 1; a line ends with LF, CR or CR LF.
  public var line: Int
  /// The column, counted from 1 in Unicode scalars, as SARIF's `unicodeCodePoints` counts it; bytes
  /// that are no valid UTF-8 count as one each unless they continue a sequence.
  public var column: Int
  /// The number of bytes before the place.
  public var offset: Int

  /// Makes a position from its parts.
  public init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }
}

extension JSONPosition: CustomStringConvertible {
  /// The line and the column: `3:14`.
  public var description: String { "\(line):\(column)" }
}

/// Why a JSON text was refused, and where: what was expected there and what was found.
public struct JSONError: Error, Hashable, Sendable {
  /// The kind of problem, for callers that decide by it.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A byte that the grammar does not allow at its place.
    case unexpectedByte
    /// The text ends before its value does, or is empty.
    case unexpectedEnd
    /// Something follows the one value of the text.
    case trailingContent
    /// The text begins with a byte order mark.
    case byteOrderMark
    /// A string or a key that is not UTF-8.
    case invalidUTF8
    /// A control character within a string, which must be escaped.
    case controlCharacter
    /// A backslash that is not followed by one of the nine escapes.
    case invalidEscape
    /// An escaped half of a surrogate pair without its other half.
    case loneSurrogate
    /// A number that the grammar of JSON does not allow, such as `01` or `1.`.
    case invalidNumber
    /// A number outside the range of the type that was asked for.
    case numberOutOfRange
    /// A value of another type than the one that was asked for.
    case wrongType
    /// The second member of an object with the same key.
    case duplicateKey
    /// Objects and arrays nested deeper than `JSONLimits.depthMax`.
    case tooDeep
    /// A text longer than `JSONLimits.textBytesMax`.
    case textTooLong
    /// A string longer than `JSONLimits.stringBytesMax`.
    case stringTooLong
    /// A number longer than `JSONLimits.numberBytesMax`.
    case numberTooLong
    /// A NaN or an infinity, which JSON cannot write.
    case notFinite
    /// The calling code broke the order of calls; the text itself may be sound.
    case misuse
    /// The JSON is sound, but its reader demands something else: see `JSONReader.refusal`.
    case refused
  }

  /// The kind of problem.
  public var code: Code
  /// Where it is.
  public var position: JSONPosition
  /// What would have been right, as a noun phrase: `',' or '}' after a value`.
  public var expected: String
  /// What is there instead, as a noun phrase: `'x'`, `the end of the text`.
  public var found: String

  /// Makes an error from its parts.
  public init(_ code: Code, at position: JSONPosition, expected: String, found: String) {
    self.code = code
    self.position = position
    self.expected = expected
    self.found = found
  }
}

extension JSONError: CustomStringConvertible {
  /// One line that an editor can jump from: `3:14: expected ',' or '}' after a value, found 'x'`.
  public var description: String { "\(position): expected \(expected), found \(found)" }
}
