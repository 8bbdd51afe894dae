import Synchronization

/// The memory that messages of all connections may hold together: what has come of bodies, what handlers
/// were given, and what waits to be sent.
///
/// Each connection has its own limits, but those times the number of connections is more than any machine has.
final class BodyBudget: Sendable {
  private let bytesMax: Int
  /// Bytes that are held now.
  private let bytes = Atomic<Int>(0)

  /// Messages up to this size are small.
  private static let smallBytesMax = 64 * 1024
  /// The part of the budget that is kept for small messages, so that they go on while large ones are refused.
  private static let smallPart = 8

  init(bytesMax: Int) { self.bytesMax = max(0, bytesMax) }

  var bytesHeld: Int { bytes.load(ordering: .relaxed) }

  /// Holds `new` bytes for a message instead of `old`; false, and nothing changes, when there is no room.
  func change(from old: Int, to new: Int) -> Bool {
    guard new > old else {
      if new < old { bytes.wrappingSubtract(old - new, ordering: .relaxed) }
      return true
    }
    let kept = new > Self.smallBytesMax ? bytesMax / Self.smallPart : 0
    // Added first and looked at then, so that two loops never both take the last room.
    if bytes.wrappingAdd(new - old, ordering: .relaxed).newValue <= bytesMax - kept { return true }
    bytes.wrappingSubtract(new - old, ordering: .relaxed)
    return false
  }
}

extension Connection {
  /// Tells the server's budget what is held here, and gives way when there is no room for it.
  func account() {
    guard phase != .closed else { return }
    let count = heldCount
    guard !loop.share.budget.change(from: heldBytes, to: count) else {
      heldBytes = count
      return
    }
    Counters.add(1, to: loop.counters.overloads)
    if phase == .receiving, output.isEmpty {
      refuse(.overloaded)
      flush()
      settle()
    } else {
      // What was done for this client is done; a 503 would say that it was not.
      close()
    }
  }

  /// Gives back what is no longer held, after something was dropped.
  func settle() {
    let count = phase == .closed ? 0 : min(heldBytes, heldCount)
    _ = loop.share.budget.change(from: heldBytes, to: count)
    heldBytes = count
  }

  private var heldCount: Int { output.count + parser.bodyCount + input.count }
}
