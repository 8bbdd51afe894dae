import JSONStream

/// Base64 as RFC 4648 has it: the standard kind of values, and the URL-safe kind of tokens.
package enum Base64Text {
  /// The bytes that standard base64 with padding spells; nil when `text` is none.
  package static func bytes(_ text: String) -> [UInt8]? {
    Array(text.utf8).withUnsafeBufferPointer { bytes($0) }
  }

  /// The bytes that standard base64 with padding spells; nil when `text` is none.
  static func bytes(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var end = text.count
    while end > 0, text.count - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    return bytes(digits: UnsafeBufferPointer(rebasing: text.prefix(end)), values)
  }

  /// The bytes that URL-safe base64 without padding spells; nil when `text` is none.
  package static func urlSafeBytes(_ text: String) -> [UInt8]? {
    Array(text.utf8).withUnsafeBufferPointer { bytes(digits: $0, urlSafeValues) }
  }

  private static func bytes(
    digits text: UnsafeBufferPointer<UInt8>, _ values: [UInt8]
  ) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    // NB: an array of no capacity is one that all threads share, and the initializer writes its count.
    if text.isEmpty { return [] }
    let expected = text.count / 4 * 3 + text.count % 4 * 3 / 4
    let bytes = [UInt8](unsafeUninitializedCapacity: expected) { buffer, count in
      var group: UInt32 = 0
      var bits: UInt32 = 0
      for byte in text {
        let value = values[Int(byte)]
        guard value < 64 else { return }
        group = group << 6 | UInt32(value)
        bits += 6
        if bits >= 8, count < expected {
          bits -= 8
          buffer.initializeElement(at: count, to: UInt8(truncatingIfNeeded: group >> bits))
          count += 1
        }
      }
      // The bits of the last digit beyond the last byte must be zero, so that one text is right.
      if group & ((1 << bits) - 1) != 0 { count = 0 }
    }
    return bytes.count == expected ? bytes : nil
  }

  /// The URL-safe digits without padding.
  package static func urlSafe(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 3 * 4 + 4)
    var group: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(digits[Int(group >> bits & 63)])
      }
    }
    if bits > 0 { text.append(digits[Int(group << (6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The value of each byte as a URL-safe digit; 255 for what is none.
  private static let urlSafeValues = table(of: digits)
  /// The value of each byte as a standard digit; 255 for what is none.
  private static let values = table(of: digits.dropLast(2) + Array("+/".utf8))

  private static func table(of digits: [UInt8]) -> [UInt8] {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }
}

/// Numbers that came as strings, as `numbersAsStrings` asks for.
enum NumberText {
  /// The integer that `text` spells as JSON would.
  static func int64(_ text: String) -> Int64? {
    guard isBare(text) else { return nil }
    return try? JSONReader.read(Array(text.utf8)) { reader in try reader.readInt64() }
  }

  /// The finite number that `text` spells as JSON would.
  static func double(_ text: String) -> Double? {
    guard isBare(text) else { return nil }
    return try? JSONReader.read(Array(text.utf8)) { reader in try reader.readDouble() }
  }

  /// Whether the text has no white space around it, which JSON would allow.
  private static func isBare(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last else { return false }
    return first > UInt8(ascii: " ") && last > UInt8(ascii: " ")
  }
}
