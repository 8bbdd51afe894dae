extension XMLScanner {
  private static let entities: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  /// The longest reference between `&` and `;`: a few leading zeros are allowed, a page of them not.
  private static let referenceBytesMax = 16

  /// Reads a reference such as `&amp;` or `&#x2014;`, which ends before `end`.
  mutating func reference(before end: Int) throws(SchemaFormatError) -> Unicode.Scalar {
    let start = offset
    var close = start + 1
    let limit = min(end, start + 1 + Self.referenceBytesMax)
    while close < limit, source.bytes[close] != UInt8(ascii: ";") { close += 1 }
    guard close < limit else {
      throw source.error(
        at: start, expected: "&amp;, or a reference that ends with a semicolon", found: "\"&\"")
    }
    let name = text(from: start + 1, to: close)
    guard let scalar = name.hasPrefix("#") ? Self.character(name.dropFirst()) : Self.entities[name]
    else {
      throw source.error(
        at: start,
        expected: "&amp;, &lt;, &gt;, &quot;, &apos; or the number of a character that XML allows",
        found: "&\(name);")
    }
    advance(to: close + 1)
    return scalar
  }

  /// The character of a number, `65` or `x41`; nil where XML does not allow it.
  private static func character(_ digits: Substring) -> Unicode.Scalar? {
    let isHexadecimal = digits.first == "x"
    let number = isHexadecimal ? digits.dropFirst() : digits
    // A sign is no digit, though the number's own reader would take it.
    guard let first = number.utf8.first, first != 0x2B, first != 0x2D,
      let value = UInt32(number, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...: return scalar
    default: return nil
    }
  }
}
