extension XMLScanner {
  private static let ampersand = UInt8(ascii: "&")
  private static let lessThan = UInt8(ascii: "<")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Reads a quoted value, and tells where it begins.
  ///
  /// White space characters in it become spaces, as XML has it; a line break that is meant stands
  /// there as a reference.
  mutating func quotedValue() throws(SchemaFormatError) -> (value: String, start: Int) {
    guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw error(expected: "a value in quotes")
    }
    advance()
    let start = offset
    var isPlain = true
    var end = start
    scan: while end < source.bytes.count {
      switch source.bytes[end] {
      case quote: break scan
      case Self.lessThan:
        throw source.error(at: end, expected: "&lt; inside a value")
      case Self.ampersand, 0x09, 0x0A, 0x0D: isPlain = false
      default: break
      }
      end += 1
    }
    guard end < source.bytes.count else {
      throw source.error(at: end, expected: "a quote that ends the value")
    }
    let value = isPlain ? text(from: start, to: end) : try decoded(upTo: end, spaces: true)
    advance(to: end + 1)
    return (value, start)
  }

  /// Reads text up to the next `<`, or to the end.
  mutating func characterData() throws(SchemaFormatError) -> String {
    let start = offset
    var isPlain = true
    var end = start
    while end < source.bytes.count, source.bytes[end] != Self.lessThan {
      let byte = source.bytes[end]
      if byte == Self.ampersand || byte == Self.carriageReturn { isPlain = false }
      if byte == UInt8(ascii: "]"), stands("]]>", at: end) {
        throw source.error(at: end, expected: "]]&gt; inside text", found: "]]>")
      }
      end += 1
    }
    let text = isPlain ? text(from: start, to: end) : try decoded(upTo: end, spaces: false)
    advance(to: end)
    return text
  }

  /// Reads the rest of a CDATA section, whose opening was passed.
  mutating func rawCharacterData() throws(SchemaFormatError) -> String {
    guard let end = find("]]>") else {
      throw source.error(at: source.bytes.count, expected: "]]>, which ends a CDATA section")
    }
    var bytes: [UInt8] = []
    while offset < end { appendNormalised(to: &bytes, spaces: false) }
    advance(to: end + 3)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text from here to `end`, with references and line ends replaced.
  private mutating func decoded(upTo end: Int, spaces: Bool) throws(SchemaFormatError) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end - offset)
    while offset < end {
      if next == Self.ampersand {
        bytes.append(contentsOf: String(try reference(before: end)).utf8)
      } else {
        appendNormalised(to: &bytes, spaces: spaces)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Passes over one byte; CR and CRLF count as one LF, and white space as a space where asked.
  private mutating func appendNormalised(to bytes: inout [UInt8], spaces: Bool) {
    guard var byte = next else { return }
    advance()
    if byte == Self.carriageReturn {
      if next == 0x0A { advance() }
      byte = 0x0A
    }
    bytes.append(spaces && byte.isXMLSpace ? 0x20 : byte)
  }
}
