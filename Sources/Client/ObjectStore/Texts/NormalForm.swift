import Foundation

/// Whether texts are in Unicode's normalization form C, in which equal texts have equal bytes.
enum NormalForm {
  /// Whether `text` is in form C.
  @inline(__always)
  static func isComposed(_ text: String) -> Bool {
    let isInert = text.utf8.withContiguousStorageIfAvailable { bytes in
      hasInertLeads(UnsafeRawBufferPointer(bytes))
    }
    return isInert == true || isComposedSlow(text)
  }

  /// Whether no byte begins a scalar that combines with another or has another form: all below 0xCC, the
  /// first byte of U+0300, and those of some scripts.
  ///
  /// Eight bytes at a time are held against 0xCC; what is shifted comes from the same byte, as only each
  /// byte's highest bit is looked at.
  @inline(__always)
  static func hasInertLeads(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 32 <= bytes.count {
      let words = bytes.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt64>.self)
      if words & SIMD4(repeating: high) != .zero { break }
      place += 32
    }
    while place + 8 <= bytes.count {
      if hasLead(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { break }
      place += 8
    }
    // The last bytes with some that were looked at before, sooner than one by one.
    if place + 8 > bytes.count && bytes.count >= 8 {
      let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
      if !hasLead(last) { return true }
    }
    while place < bytes.count {
      if bytes[place] >= 0xcc && !isInertLead(bytes[place]) { return false }
      place += 1
    }
    return true
  }

  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// Whether one of eight bytes is 0xCC or more.
  @inline(__always)
  private static func hasLead(_ word: UInt64) -> Bool {
    guard word & high != 0 else { return false }
    // 0b11xx_xxxx with one of: bit 5, bit 4, bits 3 and 2.
    let rest = (word &<< 2) | (word &<< 3) | ((word &<< 4) & (word &<< 5))
    return word & (word &<< 1) & rest & high != 0
  }

  /// Whether all scalars whose UTF-8 begins with `byte` combine with nothing and have one form:
  /// Latin, most of Greek and Cyrillic, nearly all Chinese characters and many Korean syllables.
  ///
  /// Bytes that begin nothing count too.
  @inline(__always)
  static func isInertLead(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0xcc, 0xcf...0xd1, 0xe4...0xe9, 0xeb...0xec: return true
    default: return false
    }
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
