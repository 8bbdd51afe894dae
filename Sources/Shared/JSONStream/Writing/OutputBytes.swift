/// Bytes that grow at their end: a plain allocation, because most appends are of one or a few bytes
/// and an array's checks would cost more than they.
struct OutputBytes: ~Copyable {
  private(set) var base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// Makes room for `extra` more bytes and returns where they go; `advance` then counts them.
  @inline(__always)
  mutating func reserve(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity &- count < extra { grow(extra) }
    return base + count
  }

  @inline(__always)
  mutating func advance(_ written: Int) { count &+= written }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1).pointee = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count).update(from: source, count: bytes.count)
    count += bytes.count
  }

  /// A line break and the indentation of a level.
  mutating func breakLine(_ depth: Int) {
    let target = reserve(1 + 2 * depth)
    target[0] = .lineFeed
    (target + 1).update(repeating: .space, count: 2 * depth)
    count += 1 + 2 * depth
  }

  @inline(never)
  private mutating func grow(_ extra: Int) {
    let larger = max(capacity * 2, count + extra)
    let target = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    target.update(from: base, count: count)
    base.deallocate()
    base = target
    capacity = larger
  }
}
