/// Finds what is special in the bytes of a string: quotes, escapes, control characters, and
/// sequences of UTF-8, which it checks against table 3-7 of the Unicode Standard.
enum UTF8Check {
  /// The first byte from `cursor` on that is not a plain ASCII character of a string, or `end`.
  ///
  /// Eight bytes at a time: each test sets the top bit of the bytes it is looking for, and perhaps of
  /// bytes after the first such one, so the lowest bit set is always right.
  @inline(__always)
  static func endOfPlainRun(
    _ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var cursor = first
    while end - cursor >= 8 {
      let special = specialBytes(
        UInt64(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self)))
      if special != 0 { return cursor + special.trailingZeroBitCount >> 3 }
      cursor += 8
    }
    while cursor < end, isPlain(cursor.pointee) { cursor += 1 }
    return cursor
  }

  /// The top bit of each byte of `word` that is a quote, a backslash, a control character or not
  /// ASCII; exact in the lowest bit set.
  @inline(__always)
  static func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(UInt8.quote))
    let backslashes = word ^ (ones &* UInt64(UInt8.backslash))
    let control = (word &- ones &* 0x20) & ~word
    let found = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | control
    return (found | word) & (ones &* 0x80)
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
