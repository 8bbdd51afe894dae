/// MurmurHash3 in its form of 128 bits for 64-bit machines, as Austin Appleby published it.
///
/// It is quick and finds accidents; it is no proof against somebody who makes up bytes on purpose.
/// See https://github.com/aappleby/smhasher/wiki/MurmurHash3
struct Murmur128 {
  private static let first: UInt64 = 0x87c3_7b91_1142_53d5
  private static let second: UInt64 = 0x4cf5_ad43_2745_937f
  private static let blockCount = 16

  private var low: UInt64
  private var high: UInt64

  /// The hash of `bytes`, begun with `start`: with the hash of other bytes it is a hash of both, and
  /// of where one ends and the other begins.
  static func hash(_ bytes: UnsafeRawBufferPointer, from start: Digest128) -> Digest128 {
    var hash = Murmur128(low: start.low, high: start.high)
    let tail = bytes.count - bytes.count % blockCount
    for offset in stride(from: 0, to: tail, by: blockCount) {
      hash.mix(
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)))
    }
    hash.mixTail(UnsafeRawBufferPointer(rebasing: bytes[tail...]))
    return hash.finished(UInt64(bytes.count))
  }

  /// The hash of a text's bytes in UTF-8.
  static func hash(_ text: String, from start: Digest128) -> Digest128 {
    var text = text
    return text.withUTF8 { hash(UnsafeRawBufferPointer($0), from: start) }
  }

  private mutating func mix(_ one: UInt64, _ two: UInt64) {
    low ^= Self.scrambledLow(one)
    low = (low.rotated(27) &+ high) &* 5 &+ 0x52dc_e729
    high ^= Self.scrambledHigh(two)
    high = (high.rotated(31) &+ low) &* 5 &+ 0x3849_5ab5
  }

  private mutating func mixTail(_ rest: UnsafeRawBufferPointer) {
    var (one, two): (UInt64, UInt64) = (0, 0)
    for (index, byte) in rest.enumerated() {
      if index < 8 {
        one |= UInt64(byte) << UInt64(8 * index)
      } else {
        two |= UInt64(byte) << UInt64(8 * (index - 8))
      }
    }
    high ^= Self.scrambledHigh(two)
    low ^= Self.scrambledLow(one)
  }

  private func finished(_ count: UInt64) -> Digest128 {
    var (one, two) = (low ^ count, high ^ count)
    one &+= two
    two &+= one
    one = one.avalanche
    two = two.avalanche
    one &+= two
    two &+= one
    return Digest128(high: two, low: one)
  }

  private static func scrambledLow(_ word: UInt64) -> UInt64 {
    (word &* first).rotated(31) &* second
  }

  private static func scrambledHigh(_ word: UInt64) -> UInt64 {
    (word &* second).rotated(33) &* first
  }
}

extension UInt64 {
  fileprivate func rotated(_ count: UInt64) -> UInt64 { self << count | self >> (64 &- count) }

  /// Every bit of the result depends on every bit of the number.
  fileprivate var avalanche: UInt64 {
    var word = (self ^ self >> 33) &* 0xff51_afd7_ed55_8ccd
    word = (word ^ word >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return word ^ word >> 33
  }
}
