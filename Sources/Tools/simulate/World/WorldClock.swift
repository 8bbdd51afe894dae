import Synchronization

/// The time of a world, in milliseconds; it goes on only when the world says so.
final class WorldClock: Sendable {
  /// When worlds begin, in milliseconds since 1970.
  static let start: Int64 = 1_700_000_000_000

  private let time = Mutex<Int64>(start)

  var now: Int64 { time.withLock { $0 } }

  func advance(to moment: Int64) { time.withLock { $0 = max($0, moment) } }
}
