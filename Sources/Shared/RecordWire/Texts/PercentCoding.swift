/// Percent-encoding of URLs, as RFC 3986 has it.
///
/// NB: of bytes that lie in one piece, and not of any collection: that would not be specialised in other
/// modules, where every path and every query is read with it, and take fifteen times as long.
package enum PercentCoding {
  /// The text that an encoded part stands for; nil where the encoding is broken, or hides bytes that
  /// are no UTF-8 or that no name may have.
  package static func decoded(
    _ part: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool = false
  ) -> String? {
    // Most parts stand for themselves.
    if let text = plain(part, plusIsSpace) { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(part.count)
    var rest = part.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
          return nil
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    // A name with a NUL ends too early for whoever takes it for a C string, and one with a line's end lies
    // in logs.
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The text of a part that encodes nothing, and has nothing in it that no name may have.
  private static func plain(_ part: UnsafeBufferPointer<UInt8>, _ plusIsSpace: Bool) -> String? {
    var others: UInt8 = 0
    // NB: to the end also when the answer is known, so that the compiler can look at many bytes at once.
    for byte in part {
      let isPlain =
        byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "%")
        && !(plusIsSpace && byte == UInt8(ascii: "+"))
      others |= isPlain ? 0 : 1
    }
    return others == 0 ? String(decoding: part, as: UTF8.self) : nil
  }

  /// The text as a part of a path, or a value of a query: all but unreserved characters are encoded.
  package static func encoded(_ text: String) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }
}
