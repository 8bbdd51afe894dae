/// Remembers the keys of every open object, to find a key that comes twice.
///
/// Up to `scanMax` keys of an object are compared one by one as they come, by a hash of their ends
/// first. A larger object's keys are sorted when it closes, so that no choice of keys makes the
/// check slow.
struct KeyLedger: ~Copyable {
  /// How many keys of an object are compared as they come.
  private static var scanMax: Int { 32 }

  private struct Entry {
    var hash: UInt64
    var start: UnsafePointer<UInt8>?
    /// The length; for the mark at the beginning of an object, where the outer object's keys begin.
    var count: Int
    var isEscaped: Bool

    var literal: StringLiteral? {
      start.map { StringLiteral(start: $0, count: count, isEscaped: isEscaped) }
    }
  }

  private var entries: [Entry] = []
  /// Where the innermost object's keys begin in `entries`.
  private var first = 0

  /// Begins an object.
  @inline(__always)
  mutating func open() {
    entries.append(Entry(hash: 0, start: nil, count: first, isEscaped: false))
    first = entries.count
  }

  /// Takes a key of the innermost object; false when the object has it already.
  @inline(__always)
  mutating func insert(_ key: StringLiteral) -> Bool {
    let hash = key.isEscaped ? Self.escapedHash(key) : Self.hash(key.start, key.count)
    let count = entries.count
    if count - first < Self.scanMax {
      var index = first
      while index < count {
        if entries[index].hash == hash, isSame(entries[index], key) { return false }
        index += 1
      }
    }
    entries.append(Entry(hash: hash, start: key.start, count: key.count, isEscaped: key.isEscaped))
    return true
  }

  /// Ends the innermost object; returns the first key that it has twice and that `insert` let pass.
  @inline(__always)
  mutating func close() -> UnsafePointer<UInt8>? {
    let duplicate = entries.count - first > Self.scanMax ? firstDuplicate() : nil
    let mark = first - 1
    first = entries[mark].count
    entries.removeSubrange(mark...)
    return duplicate
  }

  private func isSame(_ entry: Entry, _ key: StringLiteral) -> Bool {
    guard let other = entry.literal else { return false }
    return Self.order(other, key) == 0
  }

  /// Sorts the innermost object's keys by hash, then by text, then by place: equal keys come to lie
  /// side by side.
  @inline(never)
  private mutating func firstDuplicate() -> UnsafePointer<UInt8>? {
    entries[first...].sort { left, right in
      if left.hash != right.hash { return left.hash < right.hash }
      guard let leftKey = left.literal, let rightKey = right.literal else { return false }
      let order = Self.order(leftKey, rightKey)
      return order == 0 ? leftKey.start < rightKey.start : order < 0
    }
    var found: UnsafePointer<UInt8>?
    for index in entries.indices.dropFirst(first + 1)
    where entries[index].hash == entries[index - 1].hash {
      guard let key = entries[index].literal, isSame(entries[index - 1], key) else { continue }
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
    var index = 0
    while index < common {
      let difference = Int(left.start[index]) - Int(right.start[index])
      if difference != 0 { return difference }
      index += 1
    }
    return left.count - right.count
  }

  private static func escapedHash(_ key: StringLiteral) -> UInt64 {
    key.unescapedBytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { hash($0, buffer.count) } ?? hash(key.start, 0)
    }
  }

  /// A hash of the length and of up to eight bytes at either end; every load lies within the key.
  @inline(__always)
  private static func hash(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    let bytes = UnsafeRawPointer(start)
    var low: UInt64 = 0
    var high: UInt64 = 0
    if count >= 8 {
      low = bytes.loadUnaligned(as: UInt64.self)
      high = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else if count >= 4 {
      low = UInt64(bytes.loadUnaligned(as: UInt32.self))
      high = UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    } else if count > 0 {
      low = UInt64(start[0]) | UInt64(start[count >> 1]) << 8
      high = UInt64(start[count - 1])
    }
    let mixed = (low ^ (high << 29 | high >> 35)) &* 0x9e37_79b9_7f4a_7c15
    return (mixed ^ mixed >> 32) &+ UInt64(truncatingIfNeeded: count)
  }
}
