/// Reads one JSON text from bytes that stay where they are: a pull parser that checks everything
/// RFC 8259 demands and builds only what its caller asks for.
///
/// ```swift
/// let names = try JSONReader.read(bytes) { reader in
///   var names: [String] = []
///   let object = try reader.beginObject()
///   while let key = try reader.nextKey(of: object) {
///     switch key {
///     case "recordName": names.append(try reader.readString())
///     default: try reader.skipValue()
///     }
///   }
///   return names
/// }
/// ```
///
/// A value that nobody read is skipped, and checked, by the next `nextKey` or `nextElement`.
///
/// Memory safety: `cursor` never passes `end`. Every read of a byte is behind a comparison with
/// `end`, and every wide load behind a comparison that leaves room for it. The reader can be neither
/// copied nor kept, so the pointers cannot outlive the bytes.
///
/// NB: this type and what it shows are `public` although only this package uses them: Swift 6.3 neither
/// inlines nor specialises a `package` function in another module, not even an `@inlinable` one, which
/// made reading records a fifth slower. No product of the package lets its users import this module.
public struct JSONReader: ~Copyable, ~Escapable {
  /// What the grammar allows next.
  enum State: UInt8 {
    /// A value: at the beginning, after a key, after a comma in an array.
    case value
    /// A key or `}`: just after `{`.
    case firstMember
    /// A value or `]`: just after `[`.
    case firstElement
    /// A comma, the end of the container, or the end of the text.
    case afterValue
  }

  let start: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  var cursor: UnsafePointer<UInt8>
  /// Where the token that was read last begins.
  var tokenStart: UnsafePointer<UInt8>
  var state = State.value
  var nesting = Nesting()
  var ledger = KeyLedger()
  var lines = LineCounter()
  let depthMax: Int
  package let limits: JSONLimits

  @_lifetime(borrow bytes)
  init(
    _ bytes: borrowing UnsafeBufferPointer<UInt8>, start: UnsafePointer<UInt8>, limits: JSONLimits
  ) {
    self.start = start
    end = start + bytes.count
    cursor = start
    tokenStart = start
    depthMax = min(limits.depthMax, JSONLimits.depthCeiling)
    self.limits = limits
  }
}

extension JSONReader {
  /// Lends a reader of `bytes` to `body`, which reads the text's one value; then makes sure that
  /// nothing but white space follows it.
  ///
  /// A value that `body` leaves unread is skipped and checked.
  public static func read<Result>(
    _ bytes: [UInt8], limits: JSONLimits = .standard,
    _ body: (inout JSONReader) throws -> Result
  ) throws -> Result {
    try bytes.withUnsafeBufferPointer { buffer in try read(buffer, limits: limits, body) }
  }

  /// The same for a part of a larger buffer.
  ///
  /// Positions count from the beginning of the part.
  public static func read<Result>(
    _ bytes: ArraySlice<UInt8>, limits: JSONLimits = .standard,
    _ body: (inout JSONReader) throws -> Result
  ) throws -> Result {
    try bytes.withUnsafeBufferPointer { buffer in try read(buffer, limits: limits, body) }
  }

  /// The same for borrowed memory, which must stay unchanged while `body` runs.
  public static func read<Result>(
    _ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits = .standard,
    _ body: (inout JSONReader) throws -> Result
  ) throws -> Result {
    guard let first = bytes.baseAddress, !bytes.isEmpty else {
      throw JSONError(
        .unexpectedEnd, at: JSONPosition(line: 1, column: 1, offset: 0),
        expected: "a value", found: "the end of the text")
    }
    var reader = JSONReader(bytes, start: first, limits: limits)
    try reader.checkBeginning()
    let result = try body(&reader)
    try reader.finish()
    return result
  }

  /// Checks a whole text and builds nothing.
  public static func validate(_ bytes: [UInt8], limits: JSONLimits = .standard) throws {
    try read(bytes, limits: limits) { reader in _ = try reader.skipValue() }
  }

  private mutating func checkBeginning() throws(JSONError) {
    if end - start > limits.textBytesMax {
      throw failure(
        .textTooLong, at: start, expected: "a text of at most \(limits.textBytesMax) bytes",
        found: "\(end - start) bytes")
    }
    if end - start >= 3, start[0] == 0xef, start[1] == 0xbb, start[2] == 0xbf {
      throw failure(.byteOrderMark, at: start, expected: "a value", found: "a byte order mark")
    }
  }

  private mutating func finish() throws(JSONError) {
    if state == .value && nesting.depth == 0 { _ = try skipValue() }
    guard nesting.depth == 0 else {
      throw misuse("the body to read every object and array to its end")
    }
    skipWhitespace()
    guard cursor == end else {
      throw failure(
        .trailingContent, at: cursor, expected: "the end of the text after its value",
        found: foundByte(at: cursor))
    }
  }
}

extension JSONReader {
  /// Moves to the next byte that is not white space, or to the end.
  @inline(__always)
  mutating func skipWhitespace() {
    while cursor < end {
      switch cursor.pointee {
      case .space, .lineFeed, .carriageReturn, .tab: cursor += 1
      default: return
      }
    }
  }

  /// Moves to the first byte of a value and returns it; throws when the grammar or the order of
  /// calls wants no value here.
  @inline(__always)
  mutating func beginValue(_ expected: StaticString = "a value") throws(JSONError) -> UInt8 {
    guard state == .value else { throw misuse("no second value for one key or element") }
    skipWhitespace()
    tokenStart = cursor
    guard cursor < end else {
      throw failure(.unexpectedEnd, at: cursor, expected: "\(expected)", found: "")
    }
    return cursor.pointee
  }

  /// The byte offset of the next value, key or punctuation.
  public var offset: Int {
    mutating get {
      skipWhitespace()
      return cursor - start
    }
  }

  /// Where the value or key that was read last begins, for a caller's own report about it.
  public var position: JSONPosition {
    mutating get { position(of: tokenStart) }
  }

  /// Where the next value, key or punctuation begins.
  public var nextPosition: JSONPosition {
    mutating get {
      skipWhitespace()
      return position(of: cursor)
    }
  }

  /// The line and column of a byte offset within the text; offsets outside it are clamped.
  public mutating func position(atOffset offset: Int) -> JSONPosition {
    position(of: start + max(0, min(offset, end - start)))
  }

  /// A copy of the bytes in `range`, such as the range that `skipValue` returned.
  public func bytes(in range: Range<Int>) -> [UInt8] {
    Array(UnsafeBufferPointer(rebasing: whole[range.clamped(to: 0..<whole.count)]))
  }

  /// Lends the bytes in `range` without a copy; they are valid only within `body`.
  public func withBytes<Result, Failure: Error>(
    in range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeBufferPointer(rebasing: whole[range.clamped(to: 0..<whole.count)]))
  }

  private var whole: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: end - start)
  }
}

extension UInt8 {
  static let space = UInt8(ascii: " ")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let tab = UInt8(ascii: "\t")
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let braceOpen = UInt8(ascii: "{")
  static let braceClose = UInt8(ascii: "}")
  static let bracketOpen = UInt8(ascii: "[")
  static let bracketClose = UInt8(ascii: "]")
  static let minus = UInt8(ascii: "-")
  static let point = UInt8(ascii: ".")
  static let zero = UInt8(ascii: "0")
  static let nine = UInt8(ascii: "9")
}
