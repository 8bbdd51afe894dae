/// A set of keys: one bit for each, in chunks, since keys of a table lie close together.
struct KeySet {
  private static let bitsPerChunk: Int64 = 64 * 64
  private var chunks: [Int64: [UInt64]] = [:]
  private(set) var count = 0

  private static func place(_ key: Int64) -> (chunk: Int64, word: Int, bit: UInt64) {
    // Shifts round down, so negative keys, which only a damaged store has, have places too.
    let within = Int(key & (bitsPerChunk - 1))
    return (key >> 12, within >> 6, 1 << UInt64(within & 63))
  }

  func contains(_ key: Int64) -> Bool {
    let place = Self.place(key)
    return chunks[place.chunk].map { $0[place.word] & place.bit != 0 } ?? false
  }

  /// Adds a key; false when it is there already.
  @discardableResult
  mutating func insert(_ key: Int64) -> Bool {
    let place = Self.place(key)
    let isNew = chunks[place.chunk, default: Array(repeating: 0, count: 64)].set(place)
    if isNew { count += 1 }
    return isNew
  }

  /// Takes a key out; false when it is not there.
  @discardableResult
  mutating func remove(_ key: Int64) -> Bool {
    let place = Self.place(key)
    guard chunks[place.chunk]?.unset(place) == true else { return false }
    count -= 1
    return true
  }
}

extension [UInt64] {
  fileprivate mutating func set(_ place: (chunk: Int64, word: Int, bit: UInt64)) -> Bool {
    if self[place.word] & place.bit != 0 { return false }
    self[place.word] |= place.bit
    return true
  }

  fileprivate mutating func unset(_ place: (chunk: Int64, word: Int, bit: UInt64)) -> Bool {
    if self[place.word] & place.bit == 0 { return false }
    self[place.word] &= ~place.bit
    return true
  }
}
