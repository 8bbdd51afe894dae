/// A set of slots: one word for the first 64, and a list of words where an entity has more.
struct SlotSet: Hashable, Sendable {
  private var first: UInt64 = 0
  private var rest: [UInt64] = []

  init() {}

  init(_ slots: some Sequence<Int>) { for slot in slots { insert(slot) } }

  var isEmpty: Bool { first == 0 && rest.allSatisfy { $0 == 0 } }

  func contains(_ slot: Int) -> Bool {
    if slot < 64 { return first & (1 << UInt64(slot)) != 0 }
    let word = (slot >> 6) - 1
    return word < rest.count && rest[word] & (1 << UInt64(slot & 63)) != 0
  }

  mutating func insert(_ slot: Int) {
    if slot < 64 {
      first |= 1 << UInt64(slot)
      return
    }
    let word = (slot >> 6) - 1
    while rest.count <= word { rest.append(0) }
    rest[word] |= 1 << UInt64(slot & 63)
  }

  mutating func remove(_ slot: Int) {
    if slot < 64 {
      first &= ~(1 << UInt64(slot))
    } else if (slot >> 6) - 1 < rest.count {
      rest[(slot >> 6) - 1] &= ~(1 << UInt64(slot & 63))
    }
  }

  mutating func removeAll() {
    first = 0
    rest = []
  }

  /// The slots in ascending order.
  var slots: [Int] {
    var result: [Int] = []
    for (word, bits) in ([first] + rest).enumerated() {
      var bits = bits
      while bits != 0 {
        result.append(word * 64 + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
    return result
  }

  static func == (left: SlotSet, right: SlotSet) -> Bool { left.slots == right.slots }
  func hash(into hasher: inout Hasher) { hasher.combine(slots) }
}
