/// The record server as its clients see it, against nginx and C; DESIGN says what may cost how much more.
enum ServerSuite {
  /// Every part; a new one is one line here and one file.
  private static let parts: [@Sendable (Runner, ServerBench) throws -> Void] = [
    LookupWork.run, ModifyWork.run, FeedWork.run, QueryWork.run, StreamWork.run,
  ]

  static func run(_ runner: Runner) throws {
    let bench = try ServerBench(runner)
    for part in parts { try part(runner, bench) }
  }
}
