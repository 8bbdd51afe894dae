/// A key or a string of the text, as long as its reader lives: compared as bytes, so that what is
/// known by name costs no `String`.
///
/// ```swift
/// switch key {
/// case "recordName": name = try reader.readString()
/// default: unknown.append(key.string)
/// }
/// ```
///
/// Texts are compared byte by byte, not by canonical equivalence as `String` does: a caller that puts
/// keys into a dictionary of strings must expect two keys that the dictionary takes for one.
public struct JSONText: ~Escapable {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int
  @usableFromInline let isEscaped: Bool

  @inline(__always)
  @_lifetime(copy reader)
  init(_ literal: StringLiteral, of reader: borrowing JSONReader) {
    start = literal.start
    count = literal.count
    isEscaped = literal.isEscaped
  }

  /// The text as a `String`.
  public var string: String { literal.text }

  /// Whether the text is `name`.
  @inlinable
  @inline(__always)
  public static func ~= (name: StaticString, text: JSONText) -> Bool { text == name }

  /// Whether the text is `name`.
  @inlinable
  @inline(__always)
  public static func == (text: JSONText, name: StaticString) -> Bool {
    // Lengths differ more often than not, so that most names cost one comparison.
    if text.isEscaped { return text.unescapedEquals(name) }
    return text.count == name.utf8CodeUnitCount && text.equals(name)
  }

  /// Whether the text is `name`.
  public static func == (text: JSONText, name: String) -> Bool {
    text.withBytes { bytes in name.utf8.elementsEqual(bytes) }
  }

  /// Lends the bytes of the text, to look it up in a table; they are valid only within `body`.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isEscaped {
      let bytes = literal.unescapedBytes
      return try bytes.withUnsafeBufferPointer { buffer throws(Failure) in try body(buffer) }
    }
    return try body(UnsafeBufferPointer(start: start, count: count))
  }

  /// Compares with a name of the same length.
  @usableFromInline
  func equals(_ name: StaticString) -> Bool {
    name.withUTF8Buffer { buffer in
      guard let bytes = buffer.baseAddress else { return true }
      return Bytes.areEqual(start, bytes, min(count, buffer.count))
    }
  }

  @usableFromInline
  func unescapedEquals(_ name: StaticString) -> Bool {
    name.withUTF8Buffer { literal.unescapedBytes.elementsEqual($0) }
  }

  private var literal: StringLiteral {
    StringLiteral(start: start, count: count, isEscaped: isEscaped)
  }
}
