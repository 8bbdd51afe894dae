extension JSONWriter {
  /// Writes a string.
  ///
  /// Only what RFC 8259 demands is escaped: quotes, backslashes and control characters.
  public mutating func string(_ value: String) {
    value.withBytes { string(utf8: $0) }
  }

  /// Writes a string from its UTF-8, which the caller knows to be valid: bytes of a `String`, or
  /// bytes that a `JSONReader` has checked.
  public mutating func string(utf8: UnsafeBufferPointer<UInt8>) {
    beginValue()
    output.appendQuoted(utf8, comma: false, colon: false)
    endValue()
  }

  /// Writes the key of the next member.
  public mutating func key(_ key: StaticString) {
    if key.hasPointerRepresentation {
      self.key(utf8: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    } else {
      key.withUTF8Buffer { self.key(utf8: $0) }
    }
  }

  /// Writes the key of the next member.
  public mutating func key(_ key: String) {
    key.withBytes { self.key(utf8: $0) }
  }

  @inline(__always)
  private mutating func key(utf8: UnsafeBufferPointer<UInt8>) {
    if style == .compact && (state == .key || state == .firstKey) {
      output.appendQuoted(utf8, comma: state == .key, colon: true)
    } else {
      return otherKey(utf8)
    }
    state = .value
  }

  @inline(never)
  private mutating func otherKey(_ utf8: UnsafeBufferPointer<UInt8>) {
    beginKey()
    output.appendQuoted(utf8, comma: false, colon: true)
    if style == .pretty { output.append(.space) }
    state = .value
  }

  /// Writes bytes as a string of base64 with padding (RFC 4648, section 4).
  public mutating func base64(_ bytes: [UInt8]) {
    beginValue()
    output.append(.quote)
    bytes.withUnsafeBufferPointer { output.append(base64: $0) }
    output.append(.quote)
    endValue()
  }
}

extension OutputBytes {
  /// Appends a string with its quotes and escapes, a comma before it and a colon behind it if wanted.
  ///
  /// One reservation serves all but the escapes. Additions wrap, since a count of bytes in memory is
  /// far from overflowing.
  @inline(__always)
  mutating func appendQuoted(
    _ text: UnsafeBufferPointer<UInt8>, comma: Bool, colon: Bool
  ) {
    let count = text.count
    let target = reserve(count &+ 4)
    target[0] = .comma
    let first = comma ? 1 : 0
    target[first] = .quote
    let source = text.baseAddress
    let plain = source.map { Self.copyPlain($0, target + (first &+ 1), count) } ?? count
    if plain < count {
      advance(first &+ 1 &+ plain)
      appendEscaped(UnsafeBufferPointer(rebasing: text.dropFirst(plain)))
      append(.quote)
      if colon { append(.colon) }
    } else {
      let end = first &+ 1 &+ count
      target[end] = .quote
      target[end &+ 1] = .colon
      advance(end &+ (colon ? 2 : 1))
    }
  }

  /// Copies until a byte that must be escaped, or some bytes less; returns how many were copied.
  @inline(__always)
  private static func copyPlain(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> Int {
    if count < 8 { return copyShort(source, target, count) }
    var index = 0
    while count - index >= 8 {
      let word = Bytes.word(source + index)
      if Bytes.escaped(word) != 0 { return index }
      store(word, target + index)
      index += 8
    }
    // The last eight again, most of them copied already: one step for every length.
    let word = Bytes.word(source + count - 8)
    if Bytes.escaped(word) != 0 { return index }
    store(word, target + count - 8)
    return count
  }

  /// Copies less than eight bytes when none must be escaped, else none; returns how many.
  @inline(__always)
  private static func copyShort(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> Int {
    let word = Bytes.shortWord(source, count)
    if Bytes.escaped(word) != 0 { return 0 }
    if count >= 4 {
      let bytes = UnsafeMutableRawPointer(target)
      bytes.storeBytes(of: UInt32(truncatingIfNeeded: word).littleEndian, as: UInt32.self)
      bytes.storeBytes(
        of: UInt32(truncatingIfNeeded: word >> 32).littleEndian, toByteOffset: count - 4,
        as: UInt32.self)
    } else if count > 0 {
      target[0] = UInt8(truncatingIfNeeded: word)
      target[count >> 1] = UInt8(truncatingIfNeeded: word >> 8)
      target[count - 1] = UInt8(truncatingIfNeeded: word >> 16)
    }
    return count
  }

  @inline(__always)
  private static func store(_ word: UInt64, _ target: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(target).storeBytes(of: word.littleEndian, as: UInt64.self)
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

extension String {
  /// Lends the UTF-8, without the copy and the counting of references that `withUTF8` needs because
  /// it may have to change the string.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
  }
}
