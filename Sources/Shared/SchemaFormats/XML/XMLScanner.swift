/// Walks over the bytes of an XML file: single bytes, words, names and white space.
struct XMLScanner {
  let source: XMLSource
  /// Where the next byte stands.
  private(set) var offset = 0
  /// The line that the last position was in; positions are mostly asked for in order.
  private var line = 0

  init(_ source: XMLSource) { self.source = source }

  /// The next byte; nil at the end.
  var next: UInt8? { offset < source.bytes.count ? source.bytes[offset] : nil }

  /// Passes over one byte.
  mutating func advance() { if offset < source.bytes.count { offset += 1 } }

  /// Goes on at `offset`, which lies between here and the end.
  mutating func advance(to newOffset: Int) {
    offset = min(max(newOffset, offset), source.bytes.count)
  }

  /// Whether `word` stands here.
  func stands(_ word: String) -> Bool { stands(word, at: offset) }

  /// Whether `word` stands at `start`.
  func stands(_ word: String, at start: Int) -> Bool {
    var place = start
    for byte in word.utf8 {
      guard place < source.bytes.count, source.bytes[place] == byte else { return false }
      place += 1
    }
    return true
  }

  /// Passes over `word` where it stands here.
  mutating func skip(_ word: String) -> Bool {
    guard stands(word) else { return false }
    offset += word.utf8.count
    return true
  }

  /// Passes over `byte`, which must stand here.
  mutating func require(_ byte: UInt8, _ expected: String) throws(SchemaFormatError) {
    guard next == byte else { throw error(expected: expected) }
    offset += 1
  }

  /// Passes over white space, and tells whether there was any.
  @discardableResult mutating func skipSpace() -> Bool {
    let start = offset
    while let byte = next, byte.isXMLSpace { offset += 1 }
    return offset > start
  }

  /// The bytes from `start` to `end` as text.
  func text(from start: Int, to end: Int) -> String {
    start < end ? String(decoding: source.bytes[start..<end], as: UTF8.self) : ""
  }

  /// Where `word` next stands, from here on.
  func find(_ word: String) -> Int? {
    guard let first = word.utf8.first else { return nil }
    var place = offset
    while place < source.bytes.count {
      if source.bytes[place] == first, stands(word, at: place) { return place }
      place += 1
    }
    return nil
  }

  /// The place of the byte at `place`.
  mutating func position(at place: Int) -> SourcePosition {
    let starts = source.lineStarts
    guard line < starts.count, starts[line] <= place else { return source.position(at: place) }
    while line + 1 < starts.count, starts[line + 1] <= place { line += 1 }
    return SourcePosition(line: line + 1, column: place - starts[line] + 1)
  }

  /// An error here; without `found`, the character that stands here.
  func error(expected: String, found: String? = nil) -> SchemaFormatError {
    source.error(at: offset, expected: expected, found: found)
  }
}

extension UInt8 {
  /// Whether the byte is one of XML's four white space characters.
  var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}
