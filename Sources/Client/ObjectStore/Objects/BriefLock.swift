internal import Glibc
internal import Synchronization

/// A lock that is held for a few instructions, seldom for as long as a table grows, and never across a call that waits.
///
/// Taking a free one is a single atomic exchange, half of what `Mutex` costs: it is taken for each object that is
/// read and for each that goes.
struct BriefLock: ~Copyable {
  private let isTaken = Atomic<Bool>(false)

  /// Runs `body` while nobody else runs theirs.
  @inline(__always)
  func withLock<Result>(_ body: () -> Result) -> Result {
    while isTaken.exchange(true, ordering: .acquiring) { wait() }
    defer { isTaken.store(false, ordering: .releasing) }
    return body()
  }

  @inline(never)
  private func wait() {
    while isTaken.load(ordering: .relaxed) { sched_yield() }
  }
}
