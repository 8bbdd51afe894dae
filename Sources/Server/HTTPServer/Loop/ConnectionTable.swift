/// The connections of a loop, by tokens that are never used twice.
struct ConnectionTable {
  private var slots: [Connection?] = []
  private var generations: [UInt32] = []
  private var free: [Int] = []
  /// How many there are.
  private(set) var count = 0

  /// All of them.
  var all: [Connection] { slots.compactMap { $0 } }

  /// Makes a connection under a new token.
  mutating func add(_ make: (UInt64) -> Connection) -> Connection {
    if free.isEmpty {
      free.append(slots.count)
      slots.append(nil)
      generations.append(0)
    }
    let slot = free.removeLast()
    let connection = make(UInt64(generations[slot]) << 32 | UInt64(slot))
    slots[slot] = connection
    count += 1
    return connection
  }

  subscript(token: UInt64) -> Connection? {
    let slot = Int(token & 0xFFFF_FFFF)
    guard slot < slots.count, UInt64(generations[slot]) == token >> 32 else { return nil }
    return slots[slot]
  }

  mutating func remove(_ token: UInt64) {
    guard self[token] != nil else { return }
    let slot = Int(token & 0xFFFF_FFFF)
    slots[slot] = nil
    generations[slot] &+= 1
    free.append(slot)
    count -= 1
  }
}
