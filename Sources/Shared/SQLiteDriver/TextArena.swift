/// Keeps the texts and bytes that are bound to a statement in place until it is reset.
///
/// One chunk serves row after row without an allocation; what does not fit gets memory of its own.
struct TextArena: ~Copyable {
  /// The size of the chunk that is kept.
  static let chunkBytes = 16 * 1024

  private var chunk: UnsafeMutableRawPointer?
  private var used = 0
  private var others: [UnsafeMutableRawPointer] = []

  deinit {
    chunk?.deallocate()
    for other in others { other.deallocate() }
  }

  /// Copies `bytes` to a place that stays until `removeAll`; never nil, not even for no bytes, since
  /// SQLite makes null of a nil address.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let place = reserve(bytes.count)
    if let start = bytes.baseAddress, bytes.count > 0 {
      place.copyMemory(from: start, byteCount: bytes.count)
    }
    return UnsafeRawBufferPointer(start: place, count: bytes.count)
  }

  private mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer {
    if count > Self.chunkBytes - used {
      let own = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 8)
      others.append(own)
      return own
    }
    let start =
      chunk ?? UnsafeMutableRawPointer.allocate(byteCount: Self.chunkBytes + 1, alignment: 8)
    chunk = start
    defer { used += count }
    return start + used
  }

  /// Forgets all texts.
  mutating func removeAll() {
    used = 0
    if others.isEmpty { return }
    for other in others { other.deallocate() }
    others.removeAll()
  }
}
