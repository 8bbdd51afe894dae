/// Finds what is special in the bytes of a string: quotes, escapes, control characters, and
/// sequences of UTF-8, which it checks against table 3-7 of the Unicode Standard.
enum UTF8Check {
  /// The first byte from `first` on that is not a plain ASCII character of a string, or `end`.
  @inline(__always)
  static func endOfPlainRun(
    _ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var cursor = first
    // Sixteen at a time, without a branch between the halves: most keys and many strings end within
    // the first sixteen, and how long each is cannot be foreseen.
    while end - cursor >= 16 {
      let low = Bytes.special(Bytes.word(cursor))
      let high = Bytes.special(Bytes.word(cursor + 8))
      if low | high != 0 {
        return cursor + (low != 0 ? low.trailingZeroBitCount : 64 + high.trailingZeroBitCount) >> 3
      }
      cursor += 16
    }
    while cursor < end, isPlain(cursor.pointee) { cursor += 1 }
    return cursor
  }

  @inline(__always)
  static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != .quote && byte != .backslash
  }

  /// The length of the valid sequence that begins at `place`, 1 to 4 bytes; 0 when there is none.
  @inline(__always)
  static func sequenceLength(
    _ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Int {
    let available = end - place
    guard available > 0 else { return 0 }
    let first = place[0]
    if first < 0x80 { return 1 }
    guard available > 1 else { return 0 }
    let second = place[1]
    if first < 0xe0 { return first >= 0xc2 && isContinuation(second) ? 2 : 0 }
    guard available > 2, isContinuation(place[2]) else { return 0 }
    if first < 0xf0 {
      // E0 would be overlong below A0; ED would be a surrogate from A0 on.
      let lowest: UInt8 = first == 0xe0 ? 0xa0 : 0x80
      let highest: UInt8 = first == 0xed ? 0x9f : 0xbf
      return second >= lowest && second <= highest ? 3 : 0
    }
    guard available > 3, isContinuation(place[3]), first <= 0xf4 else { return 0 }
    // F0 would be overlong below 90; F4 would pass U+10FFFF from 90 on.
    let lowest: UInt8 = first == 0xf0 ? 0x90 : 0x80
    let highest: UInt8 = first == 0xf4 ? 0x8f : 0xbf
    return second >= lowest && second <= highest ? 4 : 0
  }

  @inline(__always)
  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xc0 == 0x80 }
}
