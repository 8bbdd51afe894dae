extension XMLScanner {
  /// Reads a name; `what` says whose, as in "an attribute's name".
  mutating func name(_ what: String) throws(SchemaFormatError) -> String {
    let start = offset
    var end = start
    while end < source.bytes.count {
      let byte = source.bytes[end]
      if byte.isXMLName {
        end += 1
      } else if byte >= 0x80, isNameScalar(at: end) {
        end = endOfScalar(at: end)
      } else {
        break
      }
    }
    advance(to: end)
    guard offset > start, Self.startsName(source.bytes[start]) else {
      throw source.error(at: start, expected: what)
    }
    return text(from: start, to: offset)
  }

  /// Whether a name may begin with `byte`; letters beyond ASCII are checked as they are read.
  private static func startsName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte.isXMLName && byte != 0x2D && byte != 0x2E && !(0x30...0x39 ~= byte))
  }

  private func endOfScalar(at start: Int) -> Int {
    var end = start + 1
    while end < source.bytes.count, source.bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }

  private func isNameScalar(at start: Int) -> Bool {
    let text = text(from: start, to: endOfScalar(at: start))
    guard let scalar = text.unicodeScalars.first else { return false }
    return Self.nameRanges.contains { $0.contains(scalar.value) }
  }

  /// The characters beyond ASCII that a name may have (https://www.w3.org/TR/xml/#NT-NameStartChar);
  /// the three that may not begin one are allowed anywhere.
  private static let nameRanges: [ClosedRange<UInt32>] = [
    0xB7...0xB7, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
    0x203F...0x2040, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF,
    0xFDF0...0xFFFD, 0x10000...0xEFFFF,
  ]
}

extension UInt8 {
  /// Whether the byte may stand in a name, as far as ASCII goes.
  fileprivate var isXMLName: Bool {
    switch self {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x5F, 0x3A, 0x2D, 0x2E: true
    default: false
    }
  }
}
