/// The bytes of an XML file, known to be characters that XML allows, and where its lines begin.
struct XMLSource {
  let file: String
  let bytes: [UInt8]
  /// The offset of each line's first byte.
  let lineStarts: [Int]

  /// Checks the whole of `bytes` once, so that the scanner may look at single bytes.
  init(_ bytes: [UInt8], file: String, limits: XMLLimits) throws(SchemaFormatError) {
    self.file = file
    self.bytes = bytes
    guard bytes.count <= limits.bytesMax else {
      throw SchemaFormatError(
        at: SourceLocation(file: file, position: SourcePosition(line: 1, column: 1)),
        expected: "at most \(limits.bytesMax) bytes", found: "\(bytes.count)")
    }
    lineStarts = Self.lineStarts(of: bytes)
    try checkEncoding()
    try checkCharacters()
  }

  /// The place of the byte at `offset`.
  func position(at offset: Int) -> SourcePosition {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return SourcePosition(line: low + 1, column: offset - lineStarts[low] + 1)
  }

  /// An error at `offset`; without `found`, the character that stands there.
  func error(at offset: Int, expected: String, found: String? = nil) -> SchemaFormatError {
    SchemaFormatError(
      at: SourceLocation(file: file, position: position(at: offset)), expected: expected,
      found: found ?? shown(at: offset))
  }

  /// What stands at `offset`, for a message.
  private func shown(at offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the file" }
    switch bytes[offset] {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return "the end of the line"
    case UInt8(ascii: "\""): return "a double quote"
    default: break
    }
    let end = min(offset + 4, bytes.count)
    let text = String(decoding: bytes[offset..<end], as: UTF8.self)
    return text.unicodeScalars.first.map { "\"\($0)\"" } ?? "nothing"
  }
}

extension XMLSource {
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Lines end with LF, CRLF or CR alone, as XML has it.
  private static func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    starts.reserveCapacity(bytes.count / 64 + 1)
    for (offset, byte) in bytes.enumerated() where byte <= carriageReturn {
      if byte == lineFeed {
        starts.append(offset + 1)
      } else if byte == carriageReturn {
        let next = offset + 1
        if next == bytes.count || bytes[next] != lineFeed { starts.append(next) }
      }
    }
    return starts
  }

  private func checkEncoding() throws(SchemaFormatError) {
    let invalid: Int
    do {
      _ = try UTF8Span(validating: bytes.span)
      return
    } catch {
      invalid = error.byteOffsets.lowerBound
    }
    throw self.error(
      at: invalid, expected: "text in UTF-8",
      found: invalid < bytes.count ? Self.shownByte(bytes[invalid]) : "the end of the file")
  }

  /// Refuses what no XML file may hold: control characters, and the two last characters of the
  /// basic plane (https://www.w3.org/TR/xml/#charsets).
  private func checkCharacters() throws(SchemaFormatError) {
    for (offset, byte) in bytes.enumerated() {
      if byte < 0x20, byte != 0x09, byte != Self.lineFeed, byte != Self.carriageReturn {
        throw error(
          at: offset, expected: "a character that XML allows",
          found: "the control character \(Self.shownByte(byte))")
      }
      if byte == 0xEF, offset + 2 < bytes.count, bytes[offset + 1] == 0xBF,
        bytes[offset + 2] >= 0xBE
      {
        throw error(
          at: offset, expected: "a character that XML allows", found: "a non-character")
      }
    }
  }

  private static func shownByte(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "0x" + (digits.count < 2 ? "0" : "") + digits
  }
}
