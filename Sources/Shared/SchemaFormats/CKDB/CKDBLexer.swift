/// Cuts the bytes of a `.ckdb` file into tokens, passing over space and comments.
struct CKDBLexer {
  private let bytes: [UInt8]
  private let file: String
  private var index = 0
  private var line = 1
  private var lineStart = 0

  init(_ bytes: [UInt8], file: String) throws(SchemaFormatError) {
    self.bytes = bytes
    self.file = file
    // Some editors begin UTF-8 with a byte order mark; columns count from after it.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { (index, lineStart) = (3, 3) }
    try checkSize()
    try checkText()
  }

  mutating func next() throws(SchemaFormatError) -> CKDBToken {
    try skipSpaceAndComments()
    let position = self.position
    guard index < bytes.count else { return CKDBToken(kind: .end, position: position) }
    let byte = bytes[index]
    if CKDBWords.isLetter(byte) { return try word(at: position) }
    if byte == UInt8(ascii: "\"") { return try quotedName(at: position) }
    if Self.signs.contains(byte) {
      index += 1
      return CKDBToken(kind: .sign(byte), position: position)
    }
    throw error(at: position, expected: "a word, a quoted name or a sign", found: shownCharacter)
  }

  func error(
    at position: SourcePosition, expected: String, found: String
  ) -> SchemaFormatError {
    SchemaFormatError(
      at: SourceLocation(file: file, position: position), expected: expected, found: found)
  }

  private static let signs = Set("(),;<>".utf8)

  private var position: SourcePosition {
    SourcePosition(line: line, column: index - lineStart + 1)
  }
}

extension CKDBLexer {
  private mutating func word(at position: SourcePosition) throws(SchemaFormatError) -> CKDBToken {
    let start = index
    while index < bytes.count, CKDBWords.isNameByte(bytes[index]) { index += 1 }
    return CKDBToken(kind: .word(try text(from: start, at: position)), position: position)
  }

  private mutating func quotedName(
    at position: SourcePosition
  ) throws(SchemaFormatError) -> CKDBToken {
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\""),
      !CKDBWords.isControl(bytes[index])
    { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
      throw error(
        at: position, expected: "a quoted name that ends on its line",
        found: "one that does not end")
    }
    guard index > start else {
      throw error(at: position, expected: "a name in the quotes", found: "nothing")
    }
    let name = try text(from: start, at: position)
    index += 1
    return CKDBToken(kind: .quoted(name), position: position)
  }

  private func text(
    from start: Int, at position: SourcePosition
  ) throws(SchemaFormatError) -> String {
    guard index - start <= CKDB.Limits.nameBytesMax else {
      throw error(
        at: position, expected: "a name of at most \(CKDB.Limits.nameBytesMax) bytes",
        found: "one of \(index - start)")
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }
}

extension CKDBLexer {
  private mutating func skipSpaceAndComments() throws(SchemaFormatError) {
    while index < bytes.count {
      switch (bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0) {
      case (UInt8(ascii: "\n"), _): newLine()
      case (UInt8(ascii: " "), _), (UInt8(ascii: "\t"), _), (UInt8(ascii: "\r"), _): index += 1
      case (UInt8(ascii: "/"), UInt8(ascii: "/")), (UInt8(ascii: "-"), UInt8(ascii: "-")):
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): try skipBlockComment()
      default: return
      }
    }
  }

  private mutating func skipBlockComment() throws(SchemaFormatError) {
    let start = position
    index += 2
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
        index += 2
        return
      }
      if bytes[index] == UInt8(ascii: "\n") { newLine() } else { index += 1 }
    }
    throw error(at: start, expected: "a comment that ends with */", found: "one that does not end")
  }

  private mutating func newLine() {
    index += 1
    line += 1
    lineStart = index
  }
}

extension CKDBLexer {
  private func checkSize() throws(SchemaFormatError) {
    guard bytes.count > CKDB.Limits.fileBytesMax else { return }
    throw error(
      at: SourcePosition(line: 1, column: 1),
      expected: "a file of at most \(CKDB.Limits.fileBytesMax) bytes",
      found: "one of \(bytes.count)")
  }

  private func checkText() throws(SchemaFormatError) {
    do { _ = try UTF8Span(validating: bytes.span) } catch {
      let offset = error.byteOffsets.lowerBound
      let before = bytes[..<offset]
      let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? self.lineStart
      let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
      throw self.error(
        at: SourcePosition(line: line, column: offset - lineStart + 1), expected: "UTF-8 text",
        found: "the byte \(hexadecimal(bytes[offset]))")
    }
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// The character at hand; bytes are known to be UTF-8.
  private var shownCharacter: String {
    if CKDBWords.isControl(bytes[index]) { return "the byte \(hexadecimal(bytes[index]))" }
    let ahead = String(decoding: bytes[index..<min(index + 16, bytes.count)], as: UTF8.self)
    return ahead.first.map { "'\($0)'" } ?? "nothing"
  }
}
