extension JSONWriter {
  /// Writes a string.
  ///
  /// Only what RFC 8259 demands is escaped: quotes, backslashes and control characters.
  package mutating func string(_ value: String) {
    var value = value
    value.withUTF8 { string(utf8: $0) }
  }

  /// Writes a string from its UTF-8, which the caller knows to be valid: bytes of a `String`, or
  /// bytes that a `JSONReader` has checked.
  package mutating func string(utf8: UnsafeBufferPointer<UInt8>) {
    beginValue()
    output.appendQuoted(utf8)
    endValue()
  }

  /// Writes the key of the next member.
  package mutating func key(_ key: StaticString) {
    beginKey()
    key.withUTF8Buffer { output.appendQuoted($0) }
    endKey()
  }

  /// Writes the key of the next member.
  package mutating func key(_ key: String) {
    var key = key
    beginKey()
    key.withUTF8 { output.appendQuoted($0) }
    endKey()
  }

  /// Writes bytes as a string of base64 with padding (RFC 4648, section 4).
  package mutating func base64(_ bytes: [UInt8]) {
    beginValue()
    output.append(.quote)
    bytes.withUnsafeBufferPointer { output.append(base64: $0) }
    output.append(.quote)
    endValue()
  }
}

extension OutputBytes {
  /// Appends a string with its quotes and escapes.
  @inline(__always)
  mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
    // Room for the text without escapes; `appendEscaped` makes its own.
    let target = reserve(text.count + 2)
    target[0] = .quote
    guard let source = text.baseAddress else {
      target[1] = .quote
      return advance(2)
    }
    let plain = Self.copyPlain(source, target + 1, text.count)
    advance(1 + plain)
    if plain < text.count {
      appendEscaped(UnsafeBufferPointer(start: source + plain, count: text.count - plain))
    }
    append(.quote)
  }

  /// Copies until a byte that must be escaped; returns how many bytes were copied.
  @inline(__always)
  private static func copyPlain(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> Int {
    var index = 0
    while count - index >= 8 {
      let word = UnsafeRawPointer(source + index).loadUnaligned(as: UInt64.self)
      if mustEscape(word) { break }
      UnsafeMutableRawPointer(target + index).storeBytes(of: word, as: UInt64.self)
      index += 8
    }
    while index < count, EscapeTable.isWrittenAsItIs(source[index]) {
      target[index] = source[index]
      index += 1
    }
    return index
  }

  /// Whether any of eight bytes is a quote, a backslash or a control character.
  @inline(__always)
  private static func mustEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(UInt8.quote))
    let backslashes = word ^ (ones &* UInt64(UInt8.backslash))
    let control = (word &- ones &* 0x20) & ~word
    let found = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | control
    return found & (ones &* 0x80) != 0
  }

  @inline(never)
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    let chunkBytes = 4_096
    var rest = text[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(chunkBytes)
      rest = rest.dropFirst(chunkBytes)
      // An escaped byte takes at most six.
      let target = reserve(chunk.count * 6)
      var length = 0
      for byte in chunk {
        if EscapeTable.isWrittenAsItIs(byte) {
          target[length] = byte
          length += 1
        } else {
          length += EscapeTable.write(byte, target + length)
        }
      }
      advance(length)
    }
  }
}

extension EscapeTable {
  @inline(__always)
  static func isWrittenAsItIs(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != .quote && byte != .backslash
  }

  /// Writes the shortest escape of `byte`, two or six bytes, and returns its length.
  static func write(_ byte: UInt8, _ target: UnsafeMutablePointer<UInt8>) -> Int {
    target[0] = .backslash
    if let letter = letter(byte) {
      target[1] = letter
      return 2
    }
    target[1] = UInt8(ascii: "u")
    target[2] = .zero
    target[3] = .zero
    target[4] = .zero + byte >> 4
    let low = byte & 15
    target[5] = low < 10 ? .zero + low : UInt8(ascii: "a") + low - 10
    return 6
  }

  private static func letter(_ byte: UInt8) -> UInt8? {
    switch byte {
    case .quote, .backslash: byte
    case 0x08: UInt8(ascii: "b")
    case 0x0c: UInt8(ascii: "f")
    case .lineFeed: UInt8(ascii: "n")
    case .carriageReturn: UInt8(ascii: "r")
    case .tab: UInt8(ascii: "t")
    default: nil
    }
  }
}
