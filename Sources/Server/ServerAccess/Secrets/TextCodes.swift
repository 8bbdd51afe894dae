/// Bytes as lower-case hexadecimal digits.
enum HexText {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of `text`; nil when it is anything but pairs of lower-case digits.
  static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
    // NB: most texts lie in one piece, and reading those takes a tenth of the time.
    text.withContiguousStorageIfAvailable(bytes) ?? Array(text).withUnsafeBufferPointer(bytes)
  }

  private static func bytes(_ digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var areDigits = true
    let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 2) { bytes, count in
      let text = UnsafeRawBufferPointer(digits)
      let target = UnsafeMutableRawBufferPointer(bytes)
      // NB: eight digits at once, since each request has a token of 64.
      while count + 4 <= bytes.count {
        let word = text.loadUnaligned(fromByteOffset: 2 * count, as: UInt64.self)
        let (four, isRead) = fourBytes(UInt64(littleEndian: word))
        target.storeBytes(of: four.littleEndian, toByteOffset: count, as: UInt32.self)
        areDigits = areDigits && isRead
        count += 4
      }
      while count < bytes.count {
        let pair = UInt64(text[2 * count]) | UInt64(text[2 * count + 1]) << 8
        let (four, isRead) = fourBytes(zeros << 16 | pair)
        bytes[count] = UInt8(truncatingIfNeeded: four)
        areDigits = areDigits && isRead
        count += 1
      }
    }
    return areDigits ? bytes : nil
  }

  /// The bytes of eight digits, the first in the lowest bits, and whether those are digits.
  private static func fourBytes(_ text: UInt64) -> (bytes: UInt32, areDigits: Bool) {
    // Letters have the bit of 64, and stand nine above the digit of their low bits.
    let values = (text & (each * 15)) + (text >> 6 & each) * 9
    // Whatever stands for more than fifteen, or is another text than its value is written as, is no digit.
    let isLetter = (values + each * 6) >> 4 & each
    let written = values + zeros + isLetter * letterOffset
    var bytes = (values << 4 | values >> 8) & 0x00ff_00ff_00ff_00ff
    bytes = (bytes | bytes >> 8) & 0x0000_ffff_0000_ffff
    return (
      UInt32(truncatingIfNeeded: bytes | bytes >> 16),
      written == text && values & (each * 0xf0) == 0
    )
  }

  /// A one in each byte.
  private static let each: UInt64 = 0x0101_0101_0101_0101
  /// The digit zero in each byte.
  private static let zeros = each * UInt64(UInt8(ascii: "0"))
  /// How much farther letters are from their values than digits are.
  private static let letterOffset = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
}

/// Bytes as base64 (RFC 4648), read strictly: one text for each list of bytes, so that no changed text is
/// read as the same bytes.
enum Base64Text {
  /// Which characters are read.
  enum Alphabet {
    /// `+` and `/`, with padding.
    case standard
    /// Both alphabets, with padding or without: what clients make of a token in a URL.
    case tolerant
  }

  private static let urlSafe = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let standard = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Without padding, and with `-` and `_`.
  static func urlSafeText(_ bytes: [UInt8]) -> String {
    String(decoding: encode(bytes, urlSafe), as: UTF8.self)
  }

  /// With padding, and with `+` and `/`.
  static func standardText(_ bytes: [UInt8]) -> String {
    let text = encode(bytes, standard)
    let padding = repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
    return String(decoding: text + padding, as: UTF8.self)
  }

  private static func encode(_ bytes: [UInt8], _ alphabet: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    var pending: UInt32 = 0
    var bits = 0
    for byte in bytes {
      pending = (pending << 8 | UInt32(byte)) & 0xffff
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(pending >> UInt32(bits) & 63)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(pending << UInt32(6 - bits) & 63)]) }
    return text
  }

  /// The bytes of `text`; nil when it is not what an encoder would have written.
  static func bytes(_ text: some Collection<UInt8>, _ alphabet: Alphabet) -> [UInt8]? {
    var bytes: [UInt8] = []
    var pending: UInt32 = 0
    var bits = 0
    var digits = 0
    var padding = 0
    for character in text {
      if character == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = digit(character, alphabet) else { return nil }
      digits += 1
      pending = (pending << 6 | UInt32(digit)) & 0xffff
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
      }
    }
    let missing = (4 - digits % 4) % 4
    let isPadded = padding == missing || (alphabet == .tolerant && padding == 0)
    // Bits that stand for nothing have to be zero.
    guard missing != 3, isPadded, pending & (1 << UInt32(bits) - 1) == 0 else { return nil }
    return bytes
  }

  private static func digit(_ character: UInt8, _ alphabet: Alphabet) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    case UInt8(ascii: "-") where alphabet == .tolerant: 62
    case UInt8(ascii: "_") where alphabet == .tolerant: 63
    default: nil
    }
  }
}
