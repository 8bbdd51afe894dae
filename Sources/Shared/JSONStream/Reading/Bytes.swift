/// Bytes looked at eight at a time.
enum Bytes {
  static var ones: UInt64 { 0x0101_0101_0101_0101 }

  /// The eight bytes at `place`, the first in the lowest bits.
  ///
  /// The caller has made sure of them.
  @inline(__always)
  static func word(_ place: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
  }

  /// The top bit of each byte of `word` that must be escaped in a string: a quote, a backslash or a
  /// control character.
  ///
  /// Each test sets the top bits of the bytes it is looking for, and perhaps of bytes behind the first
  /// such one, so that the lowest bit set is always right. Tests of bytes above 7F are always wrong;
  /// their top bits are cleared.
  @inline(__always)
  static func escaped(_ word: UInt64) -> UInt64 {
    let quotes = word ^ (ones &* UInt64(UInt8.quote))
    let backslashes = word ^ (ones &* UInt64(UInt8.backslash))
    let found = (quotes &- ones) | (backslashes &- ones) | (word &- ones &* 0x20)
    return found & ~word & (ones &* 0x80)
  }

  /// The same, and of each byte that is not ASCII.
  @inline(__always)
  static func special(_ word: UInt64) -> UInt64 {
    escaped(word) | word & (ones &* 0x80)
  }

  /// Whether `count` bytes at both places are the same.
  @inline(__always)
  static func areEqual(
    _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int
  ) -> Bool {
    if count < 8 { return shortWord(left, count) == shortWord(right, count) }
    var index = 0
    while count - index > 8 {
      if word(left + index) != word(right + index) { return false }
      index += 8
    }
    // The last eight, some of them again.
    return word(left + count - 8) == word(right + count - 8)
  }

  /// Up to seven bytes in one word, spaces where they do not reach: equal for equal bytes of equal
  /// counts.
  ///
  /// Every load lies within the bytes; where there are few, some are taken twice.
  @inline(__always)
  static func shortWord(_ place: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    let bytes = UnsafeRawPointer(place)
    if count >= 4 {
      let first = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
      let last = UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      return UInt64(first) | UInt64(last) << 32
    }
    let spaces = ones &* UInt64(UInt8.space)
    guard count > 0 else { return spaces }
    let three =
      UInt64(place[0]) | UInt64(place[count >> 1]) << 8 | UInt64(place[count - 1]) << 16
    return spaces & ~0xff_ffff | three
  }
}
