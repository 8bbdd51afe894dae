/// The containers that are open, innermost last: one bit each, as deep as limits allow.
struct Nesting {
  private(set) var depth = 0
  /// The innermost containers, the innermost in the lowest bit; 1 is an object.
  private var recent: UInt64 = 0
  /// Outer containers, 64 a word, for texts that nest deeper than that.
  private var outer: [UInt64] = []

  /// Whether the innermost container is an object; false when none is open.
  var isInObject: Bool { depth > 0 && recent & 1 == 1 }

  @inline(__always)
  mutating func push(object: Bool) {
    if depth & 63 == 0 && depth > 0 { outer.append(recent) }
    recent = recent << 1 | (object ? 1 : 0)
    depth += 1
  }

  @inline(__always)
  mutating func pop() {
    depth -= 1
    recent >>= 1
    if depth & 63 == 0 && depth > 0 { recent = outer.popLast() ?? 0 }
  }
}
