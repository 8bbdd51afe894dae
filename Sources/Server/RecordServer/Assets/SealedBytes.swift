/// Writes parts one after another so that different parts never give the same bytes.
struct SealedWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends a number in eight bytes.
  mutating func append(_ number: Int64) {
    let bits = UInt64(bitPattern: number)
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
  }

  /// Appends a count and the bytes.
  mutating func append(_ part: [UInt8]) {
    append(Int64(part.count))
    bytes += part
  }

  /// Appends a text.
  mutating func append(_ text: String) { append(Array(text.utf8)) }

  /// Appends whether there is a text, and the text.
  mutating func append(ifPresent text: String?) {
    append(Int64(text == nil ? 0 : 1))
    if let text { append(text) }
  }
}

/// Reads parts in the order in which they were written; nil once they are not what was written.
struct SealedReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func number() -> Int64? {
    guard rest.count >= 8 else { return nil }
    let bits = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(8)
    return Int64(bitPattern: bits)
  }

  mutating func part() -> [UInt8]? {
    guard let count = number(), count >= 0, count <= Int64(rest.count) else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return Array(rest.prefix(Int(count)))
  }

  mutating func text() -> String? { part().map { String(decoding: $0, as: UTF8.self) } }

  /// A text that may be absent: nil in the outer sense when the bytes are wrong.
  mutating func textIfAny() -> String?? {
    switch number() {
    case 0: .some(nil)
    case 1: text().map { .some($0) }
    default: nil
    }
  }

  /// Whether everything was read.
  var isAtEnd: Bool { rest.isEmpty }
}
