import Foundation

/// Whether texts are in Unicode's normalization form C, in which equal texts have equal bytes.
enum NormalForm {
  /// Whether `text` is in form C.
  @inline(__always)
  static func isComposed(_ text: String) -> Bool {
    let hasLowBytes = text.utf8.withContiguousStorageIfAvailable { bytes in
      isLow(UnsafeRawBufferPointer(bytes))
    }
    return hasLowBytes == true || isComposedSlow(text)
  }

  /// Whether all bytes are below 0xCC, the first byte of U+0300: no scalar below that one combines with
  /// another or has another form. Eight bytes at a time; what is shifted comes from the same byte, as
  /// only each byte's highest bit is looked at.
  @inline(__always)
  static func isLow(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let high: UInt64 = 0x8080_8080_8080_8080
    var place = 0
    while place + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
      if word & high == 0 { continue }
      // 0b11xx_xxxx with one of: bit 5, bit 4, bits 3 and 2.
      let rest = (word &<< 2) | (word &<< 3) | ((word &<< 4) & (word &<< 5))
      if word & (word &<< 1) & rest & high != 0 { return false }
    }
    while place < bytes.count {
      if bytes[place] >= 0xcc { return false }
      place += 1
    }
    return true
  }

  @inline(never)
  private static func isComposedSlow(_ text: String) -> Bool {
    if text.unicodeScalars.allSatisfy({ isInert($0.value) }) { return true }
    return text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
  }

  /// Scalars that have no other form and combine with nothing, in the scripts that are used most.
  static func isInert(_ scalar: UInt32) -> Bool {
    if scalar < 0x300 { return true }
    return inert.contains { $0.contains(scalar) }
  }

  static let inert: [ClosedRange<UInt32>] = [
    0x4e00...0x9fff, 0x3041...0x3096, 0x30a1...0x30fa, 0xac00...0xd7a3, 0x0400...0x0482,
    0x048a...0x052f, 0x0391...0x03ce, 0x05d0...0x05ea, 0x0621...0x064a, 0x2010...0x2027,
    0x20a0...0x20bf, 0x3003...0x3029, 0x3400...0x4dbf, 0xff01...0xff60, 0x1f300...0x1faff,
  ]
}
