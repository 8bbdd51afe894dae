/// The key of a member, as long as its reader lives: compared as bytes, so that a key that is known
/// costs no `String`.
///
/// ```swift
/// switch key {
/// case "recordName": name = try reader.readString()
/// default: unknown.append(key.text)
/// }
/// ```
///
/// Keys are compared byte by byte, not by canonical equivalence as `String` does: a caller that puts
/// them into a dictionary of strings must expect two keys that the dictionary takes for one.
package struct JSONKey: ~Escapable {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int
  @usableFromInline let isEscaped: Bool

  @_lifetime(copy reader)
  init(_ literal: StringLiteral, of reader: borrowing JSONReader) {
    start = literal.start
    count = literal.count
    isEscaped = literal.isEscaped
  }

  /// The key as a `String`.
  package var text: String { literal.text }

  /// Whether the key is `name`.
  @inlinable
  package static func ~= (name: StaticString, key: JSONKey) -> Bool { key == name }

  /// Whether the key is `name`.
  @inlinable
  package static func == (key: JSONKey, name: StaticString) -> Bool {
    if key.isEscaped { return key.unescapedEquals(name) }
    guard name.hasPointerRepresentation, key.count == name.utf8CodeUnitCount else { return false }
    let bytes = name.utf8Start
    for index in 0..<key.count where key.start[index] != bytes[index] { return false }
    return true
  }

  /// Whether the key is `name`.
  package static func == (key: JSONKey, name: String) -> Bool {
    var name = name
    let literal = key.literal
    return name.withUTF8 { bytes in
      literal.isEscaped
        ? literal.unescapedBytes.elementsEqual(bytes)
        : UnsafeBufferPointer(start: literal.start, count: literal.count).elementsEqual(bytes)
    }
  }

  /// Lends the bytes of the key, to look it up in a table; they are valid only within `body`.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isEscaped {
      let bytes = literal.unescapedBytes
      return try bytes.withUnsafeBufferPointer { buffer throws(Failure) in try body(buffer) }
    }
    return try body(UnsafeBufferPointer(start: start, count: count))
  }

  @usableFromInline
  func unescapedEquals(_ name: StaticString) -> Bool {
    name.withUTF8Buffer { literal.unescapedBytes.elementsEqual($0) }
  }

  private var literal: StringLiteral {
    StringLiteral(start: start, count: count, isEscaped: isEscaped)
  }
}
