extension OutputBytes {
  /// Appends the base64 of `bytes` with padding.
  mutating func append(base64 bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    let target = reserve((bytes.count + 2) / 3 * 4)
    var length = 0
    var index = 0
    func digit(_ value: UInt32) -> UInt8 { Base64.digits[Int(value & 63)] }
    while index < bytes.count {
      let available = min(3, bytes.count - index)
      var group = UInt32(source[index]) << 16
      if available > 1 { group |= UInt32(source[index + 1]) << 8 }
      if available > 2 { group |= UInt32(source[index + 2]) }
      target[length] = digit(group >> 18)
      target[length + 1] = digit(group >> 12)
      target[length + 2] = available > 1 ? digit(group >> 6) : Base64.padding
      target[length + 3] = available > 2 ? digit(group) : Base64.padding
      length += 4
      index += available
    }
    advance(length)
  }
}

/// Base64 with padding (RFC 4648, section 4).
enum Base64 {
  static let padding = UInt8(ascii: "=")
  static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The bytes that `text` spells; nil when it is not exactly what a writer would have made of them.
  static func bytes(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let paddings = text.suffix(2).reversed().prefix { $0 == padding }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    var digitCount = 0
    for byte in text.dropLast(paddings) {
      guard let value = value(byte) else { return nil }
      group = group << 6 | value
      digitCount += 1
      if digitCount % 4 == 0 {
        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
        bytes.append(UInt8(truncatingIfNeeded: group >> 8))
        bytes.append(UInt8(truncatingIfNeeded: group))
        group = 0
      }
    }
    // The bits of the last digit beyond the last byte must be zero, so that one text is right.
    switch paddings {
    case 1:
      bytes.append(UInt8(truncatingIfNeeded: group >> 10))
      bytes.append(UInt8(truncatingIfNeeded: group >> 2))
      return group & 3 == 0 ? bytes : nil
    case 2:
      bytes.append(UInt8(truncatingIfNeeded: group >> 4))
      return group & 15 == 0 ? bytes : nil
    default: return bytes
    }
  }

  private static func value(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a") + 26)
    case .zero ... .nine: UInt32(digit - .zero + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

extension JSONReader {
  /// Reads a string of base64 as its bytes.
  public mutating func readBase64() throws(JSONError) -> [UInt8] {
    guard let bytes = try readStringBytes({ Base64.bytes($0) }) else {
      throw refusal(expected: "base64 with padding", found: "another string")
    }
    return bytes
  }
}
