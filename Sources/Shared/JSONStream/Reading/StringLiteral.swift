/// Where a string of the text lies, between its quotes, after it was checked.
struct StringLiteral {
  let start: UnsafePointer<UInt8>
  let count: Int
  /// Whether it has escapes, so that its bytes are not its text.
  let isEscaped: Bool

  /// The text.
  ///
  /// The bytes were checked, so nothing is repaired here.
  @inline(__always)
  var text: String {
    isEscaped
      ? unescapedText
      : String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  @inline(never)
  private var unescapedText: String {
    // No escape is shorter than what it stands for, so `count` bytes are room enough.
    String(unsafeUninitializedCapacity: count) { unescape(into: $0) }
  }

  /// The bytes of the text, for comparing.
  var unescapedBytes: [UInt8] {
    if !isEscaped { return Array(UnsafeBufferPointer(start: start, count: count)) }
    return Array(unsafeUninitializedCapacity: count) { buffer, length in
      length = unescape(into: buffer)
    }
  }

  /// Writes the text into `buffer`, which has room for `count` bytes, and returns its length.
  private func unescape(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard let target = buffer.baseAddress else { return 0 }
    let end = start + count
    var cursor = start
    var length = 0
    while cursor < end {
      let byte = cursor.pointee
      cursor += 1
      guard byte == .backslash, cursor < end else {
        target[length] = byte
        length += 1
        continue
      }
      let escape = cursor.pointee
      cursor += 1
      if let character = EscapeTable.character(escape) {
        target[length] = character
        length += 1
      } else {
        length += encode(Self.escapedScalar(&cursor, end), target + length)
      }
    }
    return length
  }

  /// Reads what follows `\u`: one scalar, from one escape or from a pair of surrogates.
  private static func escapedScalar(
    _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UInt32 {
    guard let first = EscapeTable.hexadecimal(cursor, end) else { return 0xfffd }
    cursor += 4
    guard first >= 0xd800, first < 0xdc00, end - cursor >= 6,
      let second = EscapeTable.hexadecimal(cursor + 2, end), second & 0xfc00 == 0xdc00
    else { return first }
    cursor += 6
    return 0x1_0000 + (first - 0xd800) << 10 + (second - 0xdc00)
  }

  private func encode(_ scalar: UInt32, _ target: UnsafeMutablePointer<UInt8>) -> Int {
    func continuation(_ shift: UInt32) -> UInt8 {
      0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3f)
    }
    func lead(_ mark: UInt8, _ shift: UInt32) -> UInt8 {
      mark | UInt8(truncatingIfNeeded: scalar >> shift)
    }
    switch scalar {
    case ..<0x80:
      target[0] = UInt8(truncatingIfNeeded: scalar)
      return 1
    case ..<0x800:
      target[0] = lead(0xc0, 6)
      target[1] = continuation(0)
      return 2
    case ..<0x1_0000:
      target[0] = lead(0xe0, 12)
      target[1] = continuation(6)
      target[2] = continuation(0)
      return 3
    default:
      target[0] = lead(0xf0, 18)
      target[1] = continuation(12)
      target[2] = continuation(6)
      target[3] = continuation(0)
      return 4
    }
  }
}

/// The escapes of JSON strings.
enum EscapeTable {
  /// What a one-letter escape stands for; nil for `u` and for what is no escape.
  static func character(_ letter: UInt8) -> UInt8? {
    switch letter {
    case .quote, .backslash, UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): .lineFeed
    case UInt8(ascii: "r"): .carriageReturn
    case UInt8(ascii: "t"): .tab
    default: nil
    }
  }

  /// The value of the four hexadecimal digits at `place`; nil when they are not there.
  static func hexadecimal(
    _ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UInt32? {
    guard end - place >= 4 else { return nil }
    var value: UInt32 = 0
    for index in 0..<4 {
      guard let digit = Character(Unicode.Scalar(place[index])).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
