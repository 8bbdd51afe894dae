/// Sync between a store and a real `recordd`, against the least that it can cost; DESIGN says what may cost
/// how much more.
enum SyncSuite {
  /// Every part; a new one is one line here and one file.
  private static let parts: [@Sendable (Runner, SyncBench) throws -> Void] = [
    PushWork.run, PullWork.run, FewChangesWork.run, TombstoneWork.run, VerifyWork.run,
  ]

  static func run(_ runner: Runner) throws {
    let bench = try SyncBench(runner)
    for part in parts { try part(runner, bench) }
  }
}
