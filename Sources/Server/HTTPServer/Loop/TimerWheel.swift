/// Deadlines of many connections, in slots of a few milliseconds each.
///
/// An entry says "look at this connection then". The connection knows its real deadline; one that moved later is
/// entered again when its slot comes, so that moving a deadline, which each request does, costs nothing.
struct TimerWheel {
  /// Milliseconds of a slot.
  static let tickMilliseconds: UInt64 = 20
  private static let slotCount: UInt64 = 1024

  private var slots: [[UInt64]]
  /// The last tick whose slot was looked at.
  private var current: UInt64
  private var entries = 0
  /// No occupied slot is before it.
  private var earliest = UInt64.max

  init(now: UInt64) {
    slots = Array(repeating: [], count: Int(Self.slotCount))
    current = now / Self.tickMilliseconds
  }

  /// The tick in which a deadline would be looked at: at or after it, but no later than the wheel reaches.
  func tick(of deadline: UInt64) -> UInt64 {
    let wanted = deadline / Self.tickMilliseconds + 1
    return min(max(wanted, current + 1), current + Self.slotCount - 1)
  }

  /// Enters a token at a tick that `tick(of:)` gave.
  mutating func insert(_ token: UInt64, at tick: UInt64) {
    slots[Int(tick % Self.slotCount)].append(token)
    entries += 1
    earliest = min(earliest, tick)
  }

  /// Milliseconds until something is due; nil when nothing is.
  func delay(now: UInt64) -> UInt64? {
    guard entries > 0 else { return nil }
    let due = earliest * Self.tickMilliseconds
    return due > now ? due - now : 0
  }

  /// Takes out what is due, each with its tick.
  mutating func advance(to now: UInt64) -> [(token: UInt64, tick: UInt64)] {
    let tick = now / Self.tickMilliseconds
    guard tick > current else { return [] }
    guard entries > 0, earliest <= tick else {
      current = tick
      return []
    }
    var due: [(token: UInt64, tick: UInt64)] = []
    let last = min(tick, current + Self.slotCount - 1)
    for slot in (current + 1)...last {
      let index = Int(slot % Self.slotCount)
      guard !slots[index].isEmpty else { continue }
      due += slots[index].map { ($0, slot) }
      slots[index] = []
    }
    entries -= due.count
    current = tick
    findEarliest()
    return due
  }

  private mutating func findEarliest() {
    earliest = .max
    guard entries > 0 else { return }
    for tick in (current + 1)..<(current + Self.slotCount)
    where !slots[Int(tick % Self.slotCount)].isEmpty {
      earliest = tick
      return
    }
  }
}
