/// Remembers the keys of every open object, to find a key that comes twice.
///
/// Up to `scanMax` keys of an object are compared one by one as they come, by a hash of their ends
/// first. A larger object's keys are sorted when it closes, so that no choice of keys makes the
/// check slow.
struct KeyLedger: ~Copyable {
  /// How many keys of an object are compared as they come.
  private static var scanMax: Int { 32 }

  private struct Entry {
    /// The hash; for the mark at the beginning of an object, the outer object's `seen`.
    var hash: UInt64
    var start: UnsafePointer<UInt8>?
    /// The length; for the mark at the beginning of an object, where the outer object's keys begin.
    var count: Int
    var isEscaped: Bool

    var literal: StringLiteral? {
      start.map { StringLiteral(start: $0, count: count, isEscaped: isEscaped) }
    }
  }

  /// The entries of all open objects, in an allocation of our own: an array would check more than
  /// the comparing costs.
  ///
  /// Indices below `count` are initialised; `append` alone raises `count`.
  private var entries: UnsafeMutablePointer<Entry>
  private var count = 0
  // NB: less than a KiB of them, which the allocator hands out and takes back at once.
  private var capacity = 24
  /// Where the innermost object's keys begin in `entries`.
  private var first = 0
  /// A bit for each key of the innermost object, chosen by its hash: where a new key's bit is not set
  /// yet, nothing needs to be compared.
  private var seen: UInt64 = 0

  init() { entries = .allocate(capacity: capacity) }

  deinit { entries.deallocate() }

  /// Begins an object.
  @inline(__always)
  mutating func open() {
    append(Entry(hash: seen, start: nil, count: first, isEscaped: false))
    first = count
    seen = 0
  }

  /// Takes a key of the innermost object; false when the object has it already.
  @inline(__always)
  mutating func insert(_ key: StringLiteral) -> Bool {
    let hash = key.isEscaped ? Self.escapedHash(key) : Self.hash(key.start, key.count)
    let bit: UInt64 = 1 << (hash >> 58)
    if seen & bit != 0, count - first < Self.scanMax {
      var index = first
      while index < count {
        if entries[index].hash == hash, Self.isSame(entries[index], key) { return false }
        index += 1
      }
    }
    seen |= bit
    append(Entry(hash: hash, start: key.start, count: key.count, isEscaped: key.isEscaped))
    return true
  }

  /// Ends the innermost object; returns the first key that it has twice and that `insert` let pass.
  ///
  /// There must be one: each call answers one of `open`.
  @inline(__always)
  mutating func close() -> UnsafePointer<UInt8>? {
    let duplicate = count - first > Self.scanMax ? firstDuplicate() : nil
    count = first - 1
    seen = entries[count].hash
    first = entries[count].count
    return duplicate
  }

  @inline(__always)
  private mutating func append(_ entry: Entry) {
    if count == capacity { grow() }
    (entries + count).initialize(to: entry)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = larger
    capacity *= 2
  }

  private static func isSame(_ entry: Entry, _ key: StringLiteral) -> Bool {
    guard let other = entry.literal else { return false }
    return order(other, key) == 0
  }

  /// Sorts the innermost object's keys by hash, then by text, then by place: equal keys come to lie
  /// side by side.
  @inline(never)
  private func firstDuplicate() -> UnsafePointer<UInt8>? {
    var keys = UnsafeMutableBufferPointer(start: entries + first, count: count - first)
    keys.sort { left, right in
      if left.hash != right.hash { return left.hash < right.hash }
      guard let leftKey = left.literal, let rightKey = right.literal else { return false }
      let order = Self.order(leftKey, rightKey)
      return order == 0 ? leftKey.start < rightKey.start : order < 0
    }
    var found: UnsafePointer<UInt8>?
    for index in keys.indices.dropFirst() where keys[index].hash == keys[index - 1].hash {
      guard let key = keys[index].literal, Self.isSame(keys[index - 1], key) else { continue }
      found = found.map { min($0, key.start) } ?? key.start
    }
    return found
  }

  /// Below zero, zero or above zero, as the texts of the keys compare byte by byte.
  private static func order(_ left: StringLiteral, _ right: StringLiteral) -> Int {
    if left.isEscaped || right.isEscaped {
      let leftBytes = left.unescapedBytes
      let rightBytes = right.unescapedBytes
      if leftBytes == rightBytes { return 0 }
      return leftBytes.lexicographicallyPrecedes(rightBytes) ? -1 : 1
    }
    let common = min(left.count, right.count)
    if Bytes.areEqual(left.start, right.start, common) { return left.count - right.count }
    var index = 0
    while left.start[index] == right.start[index] { index += 1 }
    return Int(left.start[index]) - Int(right.start[index])
  }

  private static func escapedHash(_ key: StringLiteral) -> UInt64 {
    key.unescapedBytes.withUnsafeBufferPointer { buffer in
      hash(buffer.baseAddress ?? key.start, buffer.count)
    }
  }

  /// A hash of the length and of up to eight bytes at either end; every load lies within the key.
  @inline(__always)
  private static func hash(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    if count < 8 {
      let word = Bytes.shortWord(start, count)
      return mix(word, word, count)
    }
    return mix(Bytes.word(start), Bytes.word(start + count - 8), count)
  }

  @inline(__always)
  private static func mix(_ low: UInt64, _ high: UInt64, _ count: Int) -> UInt64 {
    let mixed = (low ^ (high << 29 | high >> 35)) &* 0x9e37_79b9_7f4a_7c15
    return (mixed ^ mixed >> 32) &+ UInt64(truncatingIfNeeded: count)
  }
}
